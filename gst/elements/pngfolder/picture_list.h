// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_LIST_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_LIST_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rdp::gst {

// The fault of the names of files: expected, got, remedy.
class NamesError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PictureFile {
  std::string path;
  // The part of `path` below the location's folder: the file name, preceded by folders that a
  // pattern matched.
  std::string_view name() const { return std::string_view(path).substr(name_at); }
  std::string_view stem() const;  // of the last part, without .png

  std::size_t name_at = 0;
  std::uint64_t seconds_ns = 0;  // what sort_by_time() has read
};

// The files of a location in natural order: a folder's .png files, those that match a pattern such
// as depth/*.png, or one file. The name of an existing file is never a pattern. Throws NamesError
// if there is no file, or if the order of two is ambiguous.
std::vector<PictureFile> find_pictures(const std::string& location);

// The time in ns from a name with one number, in seconds, such as 1305031102.175304. Ignores digits
// beyond the ninth decimal. Throws NamesError.
std::uint64_t time_in_name(const PictureFile& file);

// Sorts by the times in the names, and stores them. Throws NamesError if a name has no time, or if
// two have the same.
void sort_by_time(std::vector<PictureFile>* files);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_LIST_H_
