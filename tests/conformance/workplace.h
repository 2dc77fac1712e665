// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_CONFORMANCE_WORKPLACE_H_
#define RDP_TESTS_CONFORMANCE_WORKPLACE_H_

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/clouds/cloud_file_bytes.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>

#include "tests/support/temporary_files.h"

namespace conformance {

// A working folder with files of all kinds, whose names the settings of ways may use. It is deleted
// at the end, with the files that tests add.
class Workplace {
 public:
  Workplace() {
    g_autofree gchar* before = g_get_current_dir();
    before_ = before;
    fail_unless(chdir(folder_.path().c_str()) == 0);
    const rdp::test::Points points = rdp::test::some_points(20);
    const std::string cloud = rdp::test::pcd_binary(points);
    for (const char* name : {"cloud.pcd", "clouds0.pcd", "clouds1.pcd", "clouds2.pcd"}) {
      folder_.write(name, cloud);
    }
    // Numbers whose last digits matter, and values that are no numbers.
    folder_.write("numbers.pcd", "# unit 0.001\n" +
                                     rdp::test::pcd_header(rdp::test::kXyzFields, 4, 1, "ascii") +
                                     "0.1 0.2 0.30000000000000004\n1e-45 -1.17549435e-38 1.4e-40\n"
                                     "3.4028235e38 nan inf\n"
                                     "16777217 0.333333343267440796 -2.50000011920928966\n");
    folder_.write("mixed.pcd", rdp::test::pcd_mixed(points));
    folder_.write("compressed.pcd", rdp::test::pcd_compressed(points));
    folder_.write("text.pcd", rdp::test::pcd_text(points));
    folder_.write("big.ply", rdp::test::ply_binary(points, true, false));
    folder_.write("lists.ply", rdp::test::ply_binary(points, false, true));
    folder_.write("text.ply", rdp::test::ply_text(points));
    folder_.write("scan.bin", rdp::test::kitti(points));
    folder_.write("empty", "");
    folder_.write("bytes", std::string("\x89PNG\r\n\x1a\n\0\xff\xfe{", 12));
    folder_.write("text", "{\"size\": [24, 16], \"focal-length\": nothing");
    const std::string lens = "{\"size\": [40, 24], \"focal-length\": 30.3, \"pose\": [[1, 0, 0, ";
    const std::string turned = "], [0, 1, 0, 0], [0, 0, 1, 0]]}";
    folder_.write("camera.json", "{\"size\": [24, 16], \"focal-length\": 30.3}");
    folder_.write("pair.json", "[" + lens + "0.0" + turned + ", " + lens + "0.1" + turned + "]");
    fail_unless(g_mkdir("folder", 0700) == 0 && mkfifo("pipe", 0600) == 0);
  }
  ~Workplace() {
    g_rmdir("folder");
    GDir* dir = g_dir_open(".", 0, nullptr);
    while (const gchar* name = g_dir_read_name(dir)) g_unlink(name);
    g_dir_close(dir);
    fail_unless(chdir(before_.c_str()) == 0);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

 private:
  rdp::test::Folder folder_;
  std::string before_;
};

}  // namespace conformance

#endif  // RDP_TESTS_CONFORMANCE_WORKPLACE_H_
