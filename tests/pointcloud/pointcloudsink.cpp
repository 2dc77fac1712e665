// SPDX-License-Identifier: LGPL-2.1-or-later
// pointcloudsink: files bit-identical to the input; labels; files appear completely or not at all.
#include <gst/rdpsegment/rdpsegment.h>
#include <sys/stat.h>

#include <atomic>

#include "tests/pointcloud/cloud_rig.h"
#include "tests/support/check_test.h"

using namespace rdp::test;

namespace {

// Copies `from` by pointcloudsrc and pointcloudsink with properties `words`.
std::string copy(const std::string& from, const std::string& words) {
  PipelineRig rig("pointcloudsrc location=" + from + " ! pointcloudsink " + words);
  rig.play();
  return rig.wait();
}

GstBuffer* buffer_of(const std::string& bytes) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, bytes.size(), nullptr);
  gst_buffer_fill(buffer, 0, bytes.data(), bytes.size());
  return buffer;
}

// Pushes one buffer to the sink and returns its messages.
std::string write_buffer(const std::string& words, GstBuffer* buffer,
                         std::vector<std::string>* warnings = nullptr) {
  PipelineRig rig("appsrc name=in format=time ! pointcloudsink " + words);
  rig.set_caps("in",
               "application/x-points, format=XYZ32F, point-step=12, offset=0, unit=1.0, "
               "axes=camera");
  rig.play();
  rig.push("in", buffer);
  rig.end({"in"});
  const std::string error = rig.wait();
  if (warnings != nullptr) *warnings = rig.warnings;
  return error;
}

// The number of errors posted by the sink.
std::atomic<int> own_errors{0};

GstBusSyncReply count_errors(GstBus*, GstMessage* message, gpointer sink) {
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR && GST_MESSAGE_SRC(message) == sink) {
    ++own_errors;
  }
  return GST_BUS_PASS;
}

}  // namespace

// Converts all formats to PCD and PLY, and those again: points, rows, unit, axes.
CHECK_TEST(test_round_trips) {
  Folder folder;
  for (const std::size_t count : {0, 1, 24}) {
    const Points points = some_points(count);
    const std::string expected = raw_bytes(points);
    const struct {
      const char* name;
      std::string file;
      const char* rows;
    } cases[] = {
        {"a.pcd", pcd_binary(points), ""},
        {"b.pcd", pcd_binary(points, count == 24 ? 4 : 1),
         count == 24 ? "width=(int)6, height=(int)4" : ""},
        {"c.pcd", pcd_compressed(points), ""},
        {"d.ply", ply_binary(points, false, false), ""},
        {"e.ply", ply_binary(points, true, true), ""},
        {"f.bin", kitti(points), ""},
    };
    for (const auto& c : cases) {
      const std::string from = folder.write(c.name, c.file);
      for (const char* end : {"pcd", "ply"}) {
        const std::string to = folder.path() + "/copy." + end;
        const std::string error =
            copy(from + " unit=0.125 axes=camera", "unknown=keep location=" + to);
        fail_unless(error.empty(), "%s", error.c_str());
        const ReadClouds read = read_clouds("location=" + to);
        fail_unless(read.error.empty(), "%s", read.error.c_str());
        fail_unless(read.xyz(0) == expected, "%s to %s", c.name, end);
        check_has(read.caps, "offset=(int)0, unit=(double)0.125, axes=(string)camera");
        check_has(read.caps, c.rows);
        take_file(to);
        fail_if(g_file_test((to + ".part").c_str(), G_FILE_TEST_EXISTS));
      }
    }
  }
}

// Three of ten points are unknown.
CHECK_TEST(test_unknown_points) {
  Folder folder;
  const std::string from = folder.write("a.pcd", pcd_binary(some_points(10)));
  const struct {
    const char* words;
    std::size_t points;
  } cases[] = {{"format=pcd", 10},
               {"format=ply", 7},
               {"", 7},
               {"unknown=keep", 10},
               {"format=pcd unknown=leave-out", 7}};
  for (const auto& c : cases) {
    const std::string to = folder.path() + "/out";
    fail_unless(copy(from, std::string(c.words) + " location=" + to).empty());
    fail_unless_equals_int(read_clouds("location=" + to).clouds.at(0).bytes.size(), c.points * 12);
    take_file(to);
  }
}

CHECK_TEST(test_sequence) {
  Folder folder;
  for (int i = 0; i < 3; ++i) {
    folder.write("in" + std::to_string(i) + ".bin",
                 kitti(some_points(static_cast<std::size_t>(i))));
  }
  const std::string from = folder.path() + "/in%d.bin";
  fail_unless(
      copy(from, "unknown=keep index=8 location=" + folder.path() + "/out%03d.ply").empty());
  for (int i = 0; i < 3; ++i) {
    const std::string path =
        folder.path() + "/out" + (i < 2 ? "00" : "0") + std::to_string(8 + i) + ".ply";
    const ReadClouds read = read_clouds("location=" + path);
    fail_unless(read.xyz(0) == raw_bytes(some_points(static_cast<std::size_t>(i))));
    take_file(path);
  }
  // A constant name: the last cloud remains.
  const std::string one = folder.path() + "/one.pcd";
  fail_unless(copy(from, "location=" + one).empty());
  fail_unless_equals_int(read_clouds("location=" + one).xyz(0).size(), 24);
  take_file(one);
}

// Integer conversions of printf, also in folder names.
CHECK_TEST(test_names) {
  Folder folder;
  for (int i = 0; i < 3; ++i) {
    folder.write("in" + std::to_string(i) + ".bin", kitti(some_points(1)));
  }
  const std::string from = folder.path() + "/in%i.bin point-floats=4";
  for (const char* name : {"50%", "50%/of %d", "50%/of 8"}) {
    fail_unless(g_mkdir((folder.path() + "/" + name).c_str(), 0700) == 0);
  }
  const struct {
    const char* location;
    const char* files[3];
  } cases[] = {
      {"a%i.ply", {"a8.ply", "a9.ply", "a10.ply"}},
      {"b%u.pcd", {"b8.pcd", "b9.pcd", "b10.pcd"}},
      {"c-%05i.ply", {"c-00008.ply", "c-00009.ply", "c-00010.ply"}},
      {"d%3u.ply", {"d  8.ply", "d  9.ply", "d 10.ply"}},
      {"e%%%02d%%d.ply", {"e%08%d.ply", "e%09%d.ply", "e%10%d.ply"}},
      {"50%/f%d.ply", {"50%/f8.ply", "50%/f9.ply", "50%/f10.ply"}},
      {"50%/of %d/g%d.ply", {"50%/of %d/g8.ply", "50%/of %d/g9.ply", "50%/of %d/g10.ply"}},
      {"50%%/h%d.ply", {"50%/h8.ply", "50%/h9.ply", "50%/h10.ply"}},
      // A folder per number; one of them exists.
      {"50%/of %1d/i.ply", {"50%/of 8/i.ply", nullptr, nullptr}},
  };
  for (const auto& c : cases) {
    const std::string location = folder.path() + "/" + c.location;
    const std::string error = copy(from, "index=8 location=\"" + location + '"');
    if (c.files[1] == nullptr) {
      check_has(error, "of 9/i.ply\": No such file");
    } else {
      fail_unless(error.empty(), "%s: %s", c.location, error.c_str());
    }
    for (const char* file : c.files) {
      if (file != nullptr) take_file(folder.path() + "/" + file);
    }
  }
  for (const char* name : {"50%/of 8", "50%/of %d", "50%"}) {
    fail_unless(g_rmdir((folder.path() + "/" + name).c_str()) == 0, "%s", name);
  }
  const struct {
    const char* location;
    const char* text;
  } wrong[] = {
      {"a%x.ply", "found \"%x\" in"},
      {"%05lu.ply", "found \"%05lu\" in"},
      {"a%s", "expected %d, %i or %u for the number of a file"},
      {"100%.ply", "or %% for a percent sign"},
      {"a%", "found \"%\" in"},
      {"a%-5d.ply", "found \"%-5d\""},
      {"a%.3d.ply", "found \"%.3d\""},
      {"a%99d.ply", "a width of up to 20"},
      {"a%d-%d.ply", "found two numbers"},
      {"no%d/a%d.ply", "found two numbers"},
  };
  for (const auto& c : wrong) {
    const std::string location = "location=\"" + folder.path() + "/" + c.location + '"';
    for (const std::string& line : {"fakesrc num-buffers=1 ! pointcloudsink " + location,
                                    "pointcloudsrc " + location + " ! fakesink"}) {
      PipelineRig rig(line);
      fail_unless(gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED) ==
                  GST_STATE_CHANGE_FAILURE);
      check_has(rig.wait(), c.text);
    }
  }
}

// One warning when a second cloud overwrites the first file; none for devices.
CHECK_TEST(test_replaced) {
  Folder folder;
  const std::string from = folder.write("a.pcd", pcd_binary(some_points(5)));
  const struct {
    const char* clouds;
    std::string to;
    std::size_t warnings;
  } cases[] = {{"1", folder.path() + "/one.ply", 0},
               {"4", folder.path() + "/one.ply", 1},
               {"4", folder.path() + "/one%d.ply", 0},
               {"4", "/dev/null", 0}};
  for (const auto& c : cases) {
    PipelineRig rig("pointcloudsrc loop=true num-buffers=" + std::string(c.clouds) +
                    " location=" + from + " ! pointcloudsink location=" + c.to);
    rig.play();
    fail_unless(rig.wait().empty());
    fail_unless_equals_int(rig.warnings.size(), c.warnings);
    if (c.warnings > 0) check_has(rig.warnings[0], "write a number such as %06d into location");
  }
  take_file(folder.path() + "/one.ply");
  for (int i = 0; i < 4; ++i) take_file(folder.path() + "/one" + std::to_string(i) + ".ply");
}

// VIEWPOINT is written to PCD; PLY cannot store it and warns.
CHECK_TEST(test_pose) {
  Folder folder;
  const std::string pcd = pcd_binary(some_points(5));
  const std::string none = "VIEWPOINT 0 0 0 1 0 0 0\n";
  const struct {
    const char* viewpoint;
    const char* written;
  } cases[] = {
      {"1.5 -2 3e-3 0.707107 0.707107 0 0", "1.5 -2 0.003 0.707107 0.707107 0 0"},
      {"0 0 0 2 0 0 0", "0 0 0 1 0 0 0"},
      {"4 5 6 0 -3 4 0", "4 5 6 0 -0.6 0.8 0"},
  };
  for (const auto& [viewpoint, written] : cases) {
    std::string file = pcd;
    file.replace(file.find(none), none.size(), std::string("VIEWPOINT ") + viewpoint + "\r\n");
    const std::string from = folder.write("a.pcd", file);
    const bool is_none = std::string(written) == "0 0 0 1 0 0 0";
    for (const char* end : {"pcd", "ply"}) {
      const std::string to = folder.path() + "/b." + end;
      PipelineRig rig("pointcloudsrc loop=true num-buffers=1 location=" + from +
                      " ! pointcloudsink unknown=keep location=" + to);
      rig.play();
      const std::string error = rig.wait();
      fail_unless(error.empty(), "%s", error.c_str());
      const std::string copied = take_file(to);
      const bool lost = end[1] == 'l' && !is_none;
      fail_unless_equals_int(rig.warnings.size(), lost ? 1 : 0);
      if (lost) check_has(rig.warnings[0], "PLY has no place for the pose");
      if (end[1] == 'c') check_has(copied, (std::string("\nVIEWPOINT ") + written + "\n").c_str());
    }
  }
}

// After the largest number the sink fails instead of wrapping around, however often it starts.
CHECK_TEST(test_last_number) {
  Folder folder;
  const std::string from = folder.path() + "/in%d.bin";
  for (int i = 0; i < 4; ++i) {
    folder.write("in" + std::to_string(i) + ".bin",
                 kitti(some_points(static_cast<std::size_t>(i))));
  }
  const std::string to = folder.path() + "/out%d.ply";
  PipelineRig rig("pointcloudsrc location=" + from +
                  " ! pointcloudsink name=it unknown=keep index=2147483646 location=" + to);
  const auto points_of = [&](const char* number) {
    const std::string path = folder.path() + "/out" + number + ".ply";
    return read_clouds("location=" + path).xyz(0).size() / 12;
  };
  for (int start = 0; start < 2; ++start) {
    rig.play();
    const std::string error = rig.wait();
    check_has(error, "There is no number for a file after \"");
    check_has(error, "set index to a smaller one");
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    fail_unless_equals_int(points_of("2147483646"), 0);
    fail_unless_equals_int(points_of("2147483647"), 1);
  }
  // An explicit index of the last number is valid.
  g_object_set(rig.get("it"), "index", G_MAXINT, nullptr);
  rig.play();
  check_has(rig.wait(), "There is no number for a file after \"");
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  fail_unless_equals_int(points_of("2147483647"), 0);
  for (const char* number : {"2147483646", "2147483647"}) {
    take_file(folder.path() + "/out" + number + ".ply");
  }
  // A single file has no numbers to exhaust.
  const std::string one = folder.path() + "/one.ply";
  fail_unless(copy(from, "index=2147483647 unknown=keep location=" + one).empty());
  fail_unless_equals_int(take_file(one).size() > 0, 1);
}

// Unwritable caps cause one error with reason and remedy, whether GStreamer core or the element
// refuses them.
CHECK_TEST(test_refused_caps) {
  Folder folder;
  const std::string points =
      "application/x-points, format=XYZ32F, point-step=12, offset=0, axes=camera, unit=";
  const struct {
    std::string caps;
    const char* text;
  } cases[] = {
      {"video/x-raw, format=GRAY8, width=4, height=3, framerate=1/1", "the caps are video/x-raw"},
      {"application/x-points, point-step=12", "the caps have no format"},
      {points + "(double)nan", "the caps have unit=nan"},
      {points + "(double)0.0", "the caps have unit=0"},
      {points + "1.0, width=4", "the caps have no height"},
      {points + "1.0, width=65536, height=65536", "65536x65536 points"},
      {points + "1.0, color-offset=9, color-format=RGBA", "the caps have color-offset=9"},
      {points + "1.0, color-offset=0, color-format=BGR", "expected: RGB, RGBA or BGRA"},
      {points + "1.0, label-offset=8, label-format=F32", "expected: U8, U16 or U32"},
      {points + "1.0, intensity-offset=8", "the caps have no intensity-format"},
      {points + "1.0, intensity-format=U16", "the caps have no intensity-offset"},
      {"application/x-points, format=XYZ32F, point-step=12, offset=4, axes=camera, unit=1.0",
       "the caps have offset=4"},
  };
  for (const auto& c : cases) {
    PipelineRig rig(
        "appsrc name=in format=time ! pointcloudsink name=it location=" + folder.path() + "/a.ply");
    rig.set_caps("in", c.caps);
    g_autoptr(GstBus) bus = gst_element_get_bus(rig.pipeline());
    gst_bus_set_sync_handler(bus, count_errors, rig.get("it"), nullptr);
    own_errors = 0;
    rig.play();
    for (int i = 0; i < 3; ++i) rig.push("in", buffer_of(std::string(12, 'x')));
    rig.end({"in"});
    const std::string error = rig.wait();
    check_has(error, "These points cannot be written: ");
    check_has(error, c.text);
    check_has(error, "depthpoints makes points of depth frames");
    gst_element_set_state(rig.pipeline(), GST_STATE_READY);
    fail_unless_equals_int(own_errors, 1);
    gst_bus_set_sync_handler(bus, nullptr, nullptr, nullptr);
  }
}

CHECK_TEST(test_labels) {
  Folder folder;
  const Points points = some_points(6);
  const std::string to = folder.path() + "/labels.ply";
  const guint8 labels[] = {0, 1, 2, 3, 1, 0};
  GstRdpPlanesInfo info;
  gst_rdp_planes_info_init(&info);
  info.n_points = 6;
  info.cloud = TRUE;
  GstRdpPlane found[3] = {};
  for (GstRdpPlane& plane : found) plane.normal_z = 1.0F;
  GstRdpPlanes* planes = gst_rdp_planes_new(&info, found, 3, nullptr, 0, labels, 6);
  fail_unless(planes != nullptr);
  GstBuffer* buffer = buffer_of(raw_bytes(points));
  gst_buffer_add_rdp_planes_meta(buffer, planes);
  gst_rdp_planes_unref(planes);
  const std::string error = write_buffer("labels=true unknown=keep location=" + to, buffer);
  fail_unless(error.empty(), "%s", error.c_str());
  const std::string file = take_file(to);
  const std::string body = file.substr(file.find("end_header\n") + 11);
  check_has(file, "property uchar blue\nproperty uchar label\nend_header\n");
  fail_unless_equals_int(body.size(), 6 * 16);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string record = body.substr(16 * i, 16);
    fail_unless(record.substr(0, 12) == raw_bytes({points[i]}));
    fail_unless_equals_int(static_cast<guint8>(record[15]), labels[i]);
    // Equal labels have equal colours.
    fail_unless(i < 4 || record.substr(12) == body.substr(16 * (5 - i) + 12, 4));
  }
  fail_unless(body.substr(12, 3) != body.substr(28, 3) && body.substr(28, 3) != body.substr(44, 3));
  // Without planes, the sink warns and writes the points.
  std::vector<std::string> warnings;
  fail_unless(write_buffer("labels=true unknown=keep location=" + to, buffer_of(raw_bytes(points)),
                           &warnings)
                  .empty());
  fail_unless_equals_int(warnings.size(), 1);
  check_has(warnings[0], "the clouds have no planes");
  fail_unless(read_clouds("location=" + to).clouds.at(0).bytes == raw_bytes(points));
  take_file(to);
}

// Coloured and labelled point clouds converted to the other format and back give the same file.
CHECK_TEST(test_fields) {
  Folder folder;
  const char* const fields[] = {
      "FIELDS x y z rgb intensity label\nSIZE 4 4 4 4 4 2\nTYPE F F F U F U\nCOUNT 1 1 1 1 1 1\n",
      "FIELDS x y z rgba label\nSIZE 4 4 4 4 4\nTYPE F F F U U\nCOUNT 1 1 1 1 1\n",
      "FIELDS x y z intensity\nSIZE 4 4 4 1\nTYPE F F F U\nCOUNT 1 1 1 1\n"};
  for (const char* header : fields) {
    const bool alpha = std::strstr(header, "rgba") != nullptr;
    std::string file = pcd_header(header, 6, 1, "binary");
    for (const auto& point : some_points(6)) {
      file += raw_bytes({point});
      if (std::strstr(header, "rgb")) file += bytes_of(alpha ? 0x44112233U : 0x00112233U);
      if (std::strstr(header, " 2\n")) file += bytes_of(2.5F) + bytes_of(std::uint16_t{7});
      if (alpha) file += bytes_of(3U);
      if (std::strstr(header, " 1\nTYPE")) file += 'i';
    }
    const std::string from = folder.write("a.pcd", file);
    const std::string ply = folder.path() + "/b.ply";
    const std::string back = folder.path() + "/c.pcd";
    for (const auto& [source, to] : {std::pair{from, ply}, {ply, back}}) {
      const std::string error = copy(source, "unknown=keep location=" + to);
      fail_unless(error.empty(), "%s", error.c_str());
    }
    const std::string copied = take_file(back);
    const std::size_t body = file.find("DATA binary\n");
    fail_unless(copied.substr(copied.find("DATA binary\n")) == file.substr(body), "%s", header);
    check_has(copied, header);
    const ReadClouds read = read_clouds("location=" + ply);
    fail_unless(read.warnings.empty(), "%s", read.warnings.c_str());
    check_has(read.caps, alpha                               ? "color-format=(string)RGBA"
                         : std::strstr(header, "intensity ") ? "intensity-format=(string)F32"
                                                             : "intensity-format=(string)U8");
    // Colours by label replace those of the cloud.
    fail_unless(copy(ply, "colors=labels location=" + back).empty());
    if (std::strstr(header, "label") == nullptr) {
      check_has(take_file(back), header);
    } else {
      fail_unless(take_file(back).find(bytes_of(std::uint16_t{0x2233})) == std::string::npos);
    }
    take_file(ply);
  }
}

CHECK_TEST(test_errors) {
  Folder folder;
  const std::string from = folder.write("a.pcd", pcd_binary(some_points(5)));
  check_has(copy(from, "location=" + folder.path() + "/no/where.ply"),
            "where.ply\": No such file or directory");
  // An existing file stays if the new one cannot be written.
  const std::string old = folder.write("old.ply", "old");
  fail_unless(g_mkdir((old + ".part").c_str(), 0700) == 0);
  check_has(copy(from, "location=" + old), "old.ply\": Is a directory");
  g_rmdir((old + ".part").c_str());
  fail_unless(take_file(old) == "old");
  if (g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
    check_has(copy(from, "location=/dev/full"), "/dev/full\": No space left");
  }
  check_has(write_buffer("location=" + folder.path() + "/b.ply", buffer_of(std::string(13, 'x'))),
            "the buffer has 13 bytes");
  PipelineRig rig("pointcloudsrc location=" + from + " ! pointcloudsink");
  gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);
  check_has(rig.wait(), "Property location is not set");
}

CHECK_CASE(pointcloudsink)
