// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_SHARED_NAMES_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_SHARED_NAMES_H_

#include <glib.h>

#include <cstddef>
#include <vector>

#include "gst/elements/pngfolder/picture_list.h"

namespace rdp::gst {

// The names of all files, which the metadata on frames shares as long as they are kept here.
class SharedNames {
 public:
  SharedNames() = default;
  ~SharedNames() { clear(); }
  SharedNames(const SharedNames&) = delete;
  SharedNames& operator=(const SharedNames&) = delete;

  void set(const std::vector<PictureFile>& files) {
    clear();
    names_.reserve(files.size());
    for (const PictureFile& file : files) {
      names_.push_back(g_ref_string_new_intern(file.path.c_str() + file.name_at));
    }
  }
  void clear() {
    for (char* name : names_) g_ref_string_release(name);
    names_.clear();
  }
  const char* operator[](std::size_t i) const { return names_[i]; }

 private:
  std::vector<char*> names_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_SHARED_NAMES_H_
