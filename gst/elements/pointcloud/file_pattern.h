// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_FILE_PATTERN_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_FILE_PATTERN_H_

#include <stdexcept>
#include <string>
#include <string_view>

namespace rdp::gst {

// The fault of a location: found, expected, remedy.
class PatternError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Names of files, which may have a number: "scan-%06d.pcd". %d, %i and %u stand for it, with a
// width (%6d) and with zeros (%06d); %% is a percent sign. Not printf's own: a location may come
// from outside.
//
// Any other % in the file's name is an error. In a folder's name it stands for itself. A number
// there counts as one unless a folder is really called so.
class FilePattern {
 public:
  FilePattern() = default;
  // Throws PatternError, std::bad_alloc.
  explicit FilePattern(std::string_view location);

  bool has_number() const { return digits_ >= 0; }
  // Writes the name with this number to *name, reusing its memory.
  void write_name(int number, std::string* name) const;

 private:
  std::string before_;
  std::string behind_;
  int digits_ = -1;  // minimum digits of the number; -1: no number
  char fill_ = ' ';  // pads shorter numbers
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_FILE_PATTERN_H_
