// SPDX-License-Identifier: LGPL-2.1-or-later
// The files that a location names, their order, and the times of their pictures.
#include <algorithm>
#include <string>
#include <vector>

#include "gst/elements/pngfolder/natural_order.h"
#include "gst/elements/pngfolder/picture_list.h"
#include "gst/elements/pngfolder/picture_times.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

using namespace rdp::test;
using namespace rdp::gst;

namespace {

// Empty files and folders, deleted at the end.
struct Files {
  explicit Files(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (name.back() == '/') {
        folders.push_back(folder.path() + "/" + name);
        fail_unless(g_mkdir(folders.back().c_str(), 0700) == 0);
      } else {
        written.push_back(folder.path() + "/" + name);
        fail_unless(g_file_set_contents(written.back().c_str(), "", 0, nullptr));
      }
    }
  }
  ~Files() {
    for (const std::string& path : written) g_remove(path.c_str());
    std::for_each(folders.rbegin(), folders.rend(),
                  [](const std::string& path) { g_rmdir(path.c_str()); });
  }
  // The names found for folder + location, separated by spaces; or the error.
  std::string found(const std::string& location) const {
    std::string names;
    try {
      for (const PictureFile& file : find_pictures(folder.path() + location)) {
        names += (names.empty() ? "" : " ") + std::string(file.name());
        fail_unless(file.path.compare(0, folder.path().size(), folder.path()) == 0);
      }
    } catch (const rdp::gst::NamesError& error) {
      return error.what();
    }
    return names;
  }

  Folder folder;
  std::vector<std::string> folders;
  std::vector<std::string> written;
};

std::vector<PictureFile> files_of(std::initializer_list<const char*> names) {
  std::vector<PictureFile> files;
  for (const char* name : names) files.push_back({name, 0});
  return files;
}

std::string time_error(const char* name) {
  try {
    rdp::gst::time_in_name({name, 0});
  } catch (const rdp::gst::NamesError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

CHECK_TEST(test_natural_order) {
  const char* const sorted[] = {"",
                                "0",
                                "1",
                                "2",
                                "10",
                                "10a",
                                "99999999999999999999999998",
                                "99999999999999999999999999",
                                "A1",
                                "a",
                                "a1",
                                "a1b",
                                "a2",
                                "a10",
                                "a10.5",
                                "a10.25",
                                "ab",
                                "b1-9",
                                "b1-10",
                                "b-1",
                                "c 2",
                                "\xc3\xa4"};
  for (const char* const& a : sorted) {
    for (const char* const& b : sorted) {
      const int order = natural_order(a, b);
      fail_unless((order > 0) - (order < 0) == (&a > &b) - (&a < &b), "%s, %s: %d", a, b, order);
    }
  }
  fail_unless(natural_order("a01", "a1") == 0 && natural_order("000", "0") == 0);
  fail_unless(natural_order("a01b2", "a1b10") < 0);
}

CHECK_TEST(test_locations) {
  const Files files({"d/", "d/2.png", "d/10.PNG", "d/1.Png", "d/.3.png", "d/notes.txt", "d/x.png/",
                     "d/png", "e/", "e/5.png", "e/[6].png", "e/6.png", "none/", "none/a.txt",
                     "jpeg/", "jpeg/1.JPG"});
  fail_unless_equals_text(files.found("/d"), "1.Png 2.png 10.PNG");
  fail_unless_equals_text(files.found("/d/"), "1.Png 2.png 10.PNG");
  fail_unless_equals_text(files.found("/d/2.png"), "2.png");
  fail_unless_equals_text(files.found("/d/*.png"), "2.png");
  fail_unless_equals_text(files.found("/d/*"), "1.Png 2.png 10.PNG notes.txt png");
  fail_unless_equals_text(files.found("/?/*[0-9].[pP]*"),
                          "d/1.Png d/2.png d/10.PNG e/5.png e/6.png");
  // An existing file name is not a pattern; a pattern matches it with a backslash.
  fail_unless_equals_text(files.found("/e/[6].png"), "[6].png");
  fail_unless_equals_text(files.found("/e/\\[?].png"), "[6].png");
  check_has(files.found("/none"), "There is no .png file in ");
  check_has(files.found("/none"), "holds 1 other files");
  check_has(files.found("/none"), "folder of the pictures.");
  check_has(files.found("/jpeg"), " JPEG is not read: put multifilesrc ! jpegdec in place");
  check_has(files.found("/d/y*"), "No file matches ");
  check_has(files.found("/nowhere"), "nowhere\": No such file or directory; expected a folder");
}

CHECK_TEST(test_ties) {
  const struct {
    std::vector<std::string> names;
    const char *location, *first, *second;
  } cases[] = {
      {{"a1.png", "b.png", "a01.png"}, "", "a01.png\" or \"", "leading zeros"},
      {{"a.png", "a.PNG"}, "", "a.PNG\" or \"", "Rename one of them"},
      {{"x/", "x/1-007.png", "x/1-8.png", "x/001-7.png"}, "/*/*", "001-7.png\" or \"", "1-007.png"},
  };
  for (const auto& c : cases) {
    const Files files(c.names);
    const std::string said = files.found(c.location);
    check_has(said, "Cannot tell which comes first, ");
    check_has(said, c.first);
    check_has(said, c.second);
  }
}

CHECK_TEST(test_times_in_names) {
  const struct {
    const char* name;
    guint64 time;
  } cases[] = {
      {"1305031102.175304.png", G_GUINT64_CONSTANT(1305031102175304000)},
      {"3/depth-000012.5s.PNG", G_GUINT64_CONSTANT(12500000000)},
      {"7.png", G_GUINT64_CONSTANT(7000000000)},
      {"0.0000000019.png", 1},  // the tenth digit is ignored
      {"a.5.png", G_GUINT64_CONSTANT(5000000000)},
      {"1.x.png", GST_SECOND},
      {"9000000000.png", G_GUINT64_CONSTANT(9000000000000000000)},
      {"1.25", G_GUINT64_CONSTANT(1250000000)},
  };
  for (const auto& c : cases) {
    fail_unless_equals_uint64(rdp::gst::time_in_name({c.name, 0}), c.time);
  }
  check_has(time_error("a.png"), "\"a.png\" has no number in its name, expected one number of sec");
  check_has(time_error("1-2.png"), "more than one number");
  check_has(time_error("1.2.3.png"), "more than one number");
  check_has(time_error("1403636579763555584.png"), "set timestamps=index");
  // Files are ordered by time.
  std::vector<PictureFile> files = files_of({"1.5.png", "1.25.png", "1.png"});
  rdp::gst::sort_by_time(&files);
  fail_unless_equals_text(files[0].path + files[1].path + files[2].path, "1.png1.25.png1.5.png");
  files = files_of({"1.5.png", "2.png", "1.50.png"});
  try {
    rdp::gst::sort_by_time(&files);
    fail_unless(false, "the same time twice");
  } catch (const rdp::gst::NamesError& error) {
    check_has(error.what(), "\"1.5.png\" or \"1.50.png\": their names give the same time");
  }
}

// Times of all frames equal a plain count, and each time maps back to its frame.
CHECK_TEST(test_times) {
  PictureTimes times;
  fail_unless(!times.has(0) && times.duration() == 0);
  for (const bool loop : {false, true}) {
    for (const bool names : {false, true}) {
      std::vector<GstClockTime> begins = {5, 6, 9, 20};  // and a last duration of 11
      if (names) {
        times.set_times(begins, 100, loop);
      } else {
        times.set_rate(4, {30000, 1001}, loop);
      }
      const guint64 frames = loop ? 30 : 4;
      for (guint64 frame = 0; frame < frames; ++frame) {
        const GstClockTime begin = names ? begins[frame % 4] + frame / 4 * 26
                                         : gst_util_uint64_scale(frame, 1001 * GST_SECOND, 30000);
        fail_unless(times.has(frame) && times.picture(frame) == frame % 4);
        fail_unless_equals_uint64(times.begin(frame), begin);
        fail_unless_equals_uint64(times.frame_at(begin), frame);
        fail_unless_equals_uint64(times.frame_at(times.end(frame) - 1), frame);
        if (frame + 1 < frames) fail_unless_equals_uint64(times.end(frame), times.begin(frame + 1));
      }
      fail_unless_equals_int(times.has(4), loop);
      if (loop) {
        fail_unless(times.duration() == GST_CLOCK_TIME_NONE);
      } else {
        fail_unless_equals_uint64(times.duration(), times.end(3));
        fail_unless_equals_uint64(times.frame_at(times.end(3)), 4);
        fail_unless_equals_uint64(times.frame_at(GST_SECOND * 1000), 4);
      }
      fail_unless_equals_uint64(times.frame_at(0), 0);
    }
  }
  times.set_times({7}, 100, true);
  fail_unless_equals_uint64(times.begin(3), 307);
  fail_unless_equals_uint64(times.end(0), 107);
}

CHECK_CASE(picture_names)
