// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_TEMPORARY_FILES_H_
#define RDP_TESTS_SUPPORT_TEMPORARY_FILES_H_

#include <glib/gstdio.h>

#include <set>
#include <string>

// Files that tests write. Include after gst/check/gstcheck.h.
namespace rdp::test {

// A folder that its owner deletes at the end, with its files.
class Folder {
 public:
  Folder() {
    g_autofree gchar* path = g_dir_make_tmp("rdpsegment-XXXXXX", nullptr);
    fail_unless(path != nullptr);
    path_ = path;
  }
  ~Folder() {
    for (const std::string& name : names()) g_remove((path_ + "/" + name).c_str());
    g_rmdir(path_.c_str());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // The path of a file with this content.
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = path_ + "/" + name;
    fail_unless(
        g_file_set_contents(path.c_str(), text.data(), static_cast<gssize>(text.size()), nullptr));
    return path;
  }
  const std::string& path() const { return path_; }
  // The names of its files.
  std::set<std::string> names() const {
    std::set<std::string> names;
    GDir* dir = g_dir_open(path_.c_str(), 0, nullptr);
    while (const gchar* name = g_dir_read_name(dir)) names.insert(name);
    g_dir_close(dir);
    return names;
  }

 private:
  std::string path_;
};

// A matrix in OpenCV's file format.
inline std::string opencv_matrix(const std::string& name, int rows, int columns,
                                 const std::string& data) {
  return name + ": !!opencv-matrix\n   rows: " + std::to_string(rows) +
         "\n   cols: " + std::to_string(columns) + "\n   dt: d\n   data: [ " + data + " ]\n";
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_TEMPORARY_FILES_H_
