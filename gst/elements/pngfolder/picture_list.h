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
  // The part of `path` behind the folder that the location names: the file's name, after those of
  // folders that a pattern stands for.
  std::string_view name() const { return std::string_view(path).substr(name_at); }
  std::string_view stem() const;  // of the last part, without .png

  std::size_t name_at = 0;
  std::uint64_t seconds_ns = 0;  // what sort_by_time() has read
};

// The files of a location in natural order: those of a folder whose names end in .png, those that
// fit a pattern such as depth/*.png, or one file. Where a file of that name is there, its name is
// no pattern. Throws NamesError where there is none, or two whose order nobody can tell.
std::vector<PictureFile> find_pictures(const std::string& location);

// The time in nanoseconds that a name says: it has one number, of seconds, such as
// 1305031102.175304. Digits beyond the ninth behind the point do not count. Throws NamesError.
std::uint64_t time_in_name(const PictureFile& file);

// Sorts by the times in the names, which are kept. Throws NamesError where there is none in a name,
// or the same in two.
void sort_by_time(std::vector<PictureFile>* files);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_PICTURE_LIST_H_
