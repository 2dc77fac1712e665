// SPDX-License-Identifier: LGPL-2.1-or-later
// pointcloudsrc: caps, points and times of files and of sequences, and each error.
#include <sys/stat.h>

#include "tests/pointcloud/cloud_rig.h"
#include "tests/support/check_test.h"

using namespace rdp::test;

// Bodies that have x, y and z as native floats in this order pass unchanged. Others become three
// floats per point, plus the intensity if any. All values are bit-identical.
CHECK_TEST(test_formats) {
  Folder folder;
  const Points points = some_points(30);
  const std::string xyz = raw_bytes(points);
  std::string mixed;  // with the intensity 'i'
  for (const auto& point : points) mixed += raw_bytes({point}) + std::string("i\0\0\0", 4);
  const std::string with_intensity =
      "point-step=(int)16, offset=(int)0, unit=(double)1, axes=(string)forward-left-up, "
      "framerate=(fraction)0/1, intensity-offset=(int)12, intensity-format=(string)U8";
  const std::string plain =
      "point-step=(int)12, offset=(int)0, unit=(double)1, "
      "axes=(string)forward-left-up, framerate=(fraction)0/1";
  const struct {
    const char* name;
    std::string file, bytes, caps;
  } cases[] = {
      {"a.pcd", pcd_binary(points), xyz, plain},
      {"rows.pcd", pcd_binary(points, 5), xyz, plain + ", width=(int)6, height=(int)5"},
      {"b.pcd", pcd_mixed(points), mixed, with_intensity},
      {"c.pcd", pcd_compressed(points), mixed, with_intensity},
      {"a.ply", ply_binary(points, true, false), xyz, plain},
      {"b.ply", ply_binary(points, false, true), xyz, plain},
      {"none.pcd", pcd_binary({}), "", plain},
      {"none.bin", "", "",
       "point-step=(int)12, offset=(int)0, unit=(double)1, axes=(string)forward-left-up"},
      {"scan.bin", kitti(points), kitti(points),
       "intensity-offset=(int)12, intensity-format=(string)F32"},
  };
  for (const auto& c : cases) {
    const ReadClouds read = read_clouds("location=" + folder.write(c.name, c.file));
    fail_unless(read.error.empty(), "%s: %s", c.name, read.error.c_str());
    fail_unless_equals_int(read.clouds.size(), 1);
    fail_unless(read.clouds[0].bytes == c.bytes, "%s: other bytes", c.name);
    fail_unless_equals_uint64(read.clouds[0].pts, 0);
    fail_unless(read.clouds[0].duration == GST_CLOCK_TIME_NONE);
    check_has(read.caps, c.caps.c_str());
    fail_unless((read.caps.find("width") != std::string::npos) == (c.name[0] == 'r'));
  }
}

// Other properties surround x, y and z; the body is passed in place.
CHECK_TEST(test_in_place) {
  Folder folder;
  const std::string file = ply_binary(some_points(9), false, false);
  const ReadClouds read = read_clouds("location=" + folder.write("a.ply", file));
  check_has(read.caps, "point-step=(int)21, offset=(int)1");
  fail_unless(file.find(read.clouds.at(0).bytes) != std::string::npos);
  fail_unless_equals_int(read.clouds[0].bytes.size(), 9 * 21);
}

CHECK_TEST(test_unit_and_axes) {
  Folder folder;
  const std::string file = pcd_binary(some_points(2));
  const std::string plain = folder.write("a.pcd", file);
  const std::string noted = folder.write("b.pcd", "# axes camera\n# unit 0.001\n" + file);
  const struct {
    std::string words;
    const char* caps;
  } cases[] = {
      {plain, "unit=(double)1, axes=(string)forward-left-up"},
      {plain + " unit=0.01 axes=camera", "unit=(double)0.01, axes=(string)camera"},
      {noted, "unit=(double)0.001, axes=(string)camera"},
      {noted + " unit=2 axes=forward-left-up", "unit=(double)2, axes=(string)forward-left-up"},
  };
  for (const auto& c : cases) {
    const ReadClouds read = read_clouds("location=" + c.words);
    fail_unless(read.error.empty(), "%s", read.error.c_str());
    check_has(read.caps, c.caps);
  }
}

// An unreadable comment about unit or axes causes a warning, because the defaults (metres,
// forward-left-up) are then only a guess. One warning per stream; none if the property is set.
CHECK_TEST(test_unread_comments) {
  Folder folder;
  const std::string pcd = pcd_binary(some_points(2));
  const std::string ply = ply_binary(some_points(2), false, false);
  const struct {
    std::string file;
    const char* words;
    const char* warning;  // "": none
  } cases[] = {
      {"# unit mm\n" + pcd, "",
       ".x:1: a comment: found \" unit mm\", expected unit and the metres"},
      {"# unit 1e-3m\n" + pcd, "", "set the property unit"},
      {"# unit 0.001 m\n" + pcd, "", "found \" unit 0.001 m\""},
      {"# unit nan\n" + pcd, "", "found \" unit nan\""},
      {"# unit 0\n" + pcd, "", "from 1e-9 to 1e9"},
      {"# unit\n" + pcd, "", "such as \"unit 0.001\""},
      {"ply\ncomment unit 1,5\n" + ply.substr(4), "", ".x:2: a comment: found \" unit 1,5\""},
      {"# unit mm\n" + pcd, "unit=0.001", ""},
      {"# unit mm\n# unit 0.001\n" + pcd, "", ""},
      {"# units are mm\n" + pcd, "", ""},
      {"# axes Camera\n" + pcd, "", "expected axes and camera or forward-left-up"},
      {"# axes Camera\n" + pcd, "axes=camera", ""},
      {"# axes Camera\n" + pcd, "", "set the property axes"},
  };
  for (const auto& c : cases) {
    const ReadClouds read = read_clouds("location=" + folder.write("a.x", c.file) + " " + c.words);
    fail_unless(read.error.empty(), "%s", read.error.c_str());
    if (c.warning[0] == '\0') {
      fail_unless(read.warnings.empty(), "%s: %s", c.file.substr(0, 20).c_str(),
                  read.warnings.c_str());
    } else {
      check_has(read.warnings, c.warning);
    }
  }
  for (const char* name : {"0.pcd", "1.pcd", "2.pcd"}) folder.write(name, "# unit mm\n" + pcd);
  const ReadClouds all = read_clouds("location=" + folder.path() + "/%d.pcd");
  fail_unless_equals_int(all.clouds.size(), 3);
  fail_unless(all.warnings.find("a comment") == all.warnings.rfind("a comment"), "%s",
              all.warnings.c_str());
}

// The number of floats per point in a raw file, and the warning if the data does not reveal it.
CHECK_TEST(test_raw) {
  Folder folder;
  const Points points = some_points(12);
  std::string five, walk;
  for (int i = 0; i < 400; ++i) {
    const float at = static_cast<float>(i);
    for (const float value : {at, 100.0F - at, -1.5F, static_cast<float>(i % 7) + 50.0F, 300.0F}) {
      five += bytes_of(value);
    }
    for (const float value : {at, 100.0F - at, -1.5F}) walk += bytes_of(value);
  }
  const std::string pcd = pcd_binary(points);
  const struct {
    std::string name, file, words;
    const char* caps;
    const char* text;  // a warning or an error; "": none
  } cases[] = {
      {"five.pcd.bin", five, "", "point-step=(int)20", ""},
      {"walk.bin", walk, "", "point-step=(int)12", ""},
      {"five.BIN", five, "point-floats=4", "point-step=(int)16", ""},
      {"few.bin", kitti(points), "", "point-step=(int)16", "set the property point-floats"},
      {"few.bin", kitti(points), "point-floats=8", "point-step=(int)32", ""},
      {"few.bin", kitti(points), "point-floats=5", "", "a multiple of 20: 5 floats a point"},
      {"few.bin", kitti(points), "point-floats=2", "", "point-floats is 2, expected 3 to 8"},
      {"cut.bin", five.substr(0, 7996), "", "", "a multiple of 20: 5 floats a point"},
      {"odd.bin", five.substr(0, 41), "", "", "a multiple of 16"},
      {"none.bin", "", "", "point-step=(int)12", "none.bin: the file is empty"},
      {"pcd.bin", pcd, "", "point-step=(int)12", ""},
      {"pcd.bin", "\xef\xbb\xbf" + pcd, "", "point-step=(int)12", ""},
      {"ply.bin", ply_binary(points, false, false), "", "point-step=(int)21",
       "not read: weight, red."},
      {"text", walk, "format=kitti", "point-step=(int)12", ""},
      {"text", walk, "", "", "a name that ends with .bin for raw floats"},
      // Files that start like another format.
      {"like.bin", "# AB" + walk.substr(4), "", "point-step=(int)12", ""},
      {"like.bin", "#\n\x01\x40" + walk.substr(4), "", "point-step=(int)12", ""},
      {"like.bin", "ply\n" + walk.substr(4), "", "point-step=(int)12", ""},
  };
  for (const auto& c : cases) {
    const std::string path = folder.write(c.name, c.file);
    const std::string line =
        "pointcloudsrc location=" + path + " " + c.words + " ! fakesink name=sink";
    PipelineRig rig(line);
    Received received(rig.get("sink"));
    gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);  // may fail at once
    std::string said = rig.wait();
    fail_unless(said.empty() == (c.caps[0] != '\0'), "%s: %s", c.name.c_str(), said.c_str());
    for (const std::string& warning : rig.warnings) said += warning;
    if (c.text[0] == '\0') fail_unless(said.empty(), "%s: %s", c.name.c_str(), said.c_str());
    check_has(said, c.text);
    check_has(received.caps(), c.caps);
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
  // In a sequence, the first file that reveals the number decides for all files that it fits.
  // Anomalies are reported once.
  folder.write("s0.bin", "");
  folder.write("s1.bin", five);
  folder.write("s2.bin", five.substr(0, 80));
  folder.write("s3.bin", "");
  const ReadClouds read = read_clouds("location=" + folder.path() + "/s%d.bin");
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless_equals_int(read.clouds.size(), 4);
  check_has(read.caps, "point-step=(int)12");
  check_has(read.warnings, "s0.bin: the file is empty");
  fail_unless(read.warnings.find("s3") == std::string::npos &&
                  read.warnings.find("point-floats") == std::string::npos,
              "%s", read.warnings.c_str());
}

// Dropped fields are named once; a pose, if any, is in the caps.
CHECK_TEST(test_other_fields) {
  Folder folder;
  const Points points = some_points(12);
  const std::string pcd = pcd_binary(points);
  const auto with_viewpoint = [&](const std::string& numbers) {
    std::string file = pcd;
    const std::size_t at = file.find("VIEWPOINT") + 10;
    return file.replace(at, file.find('\n', at) - at, numbers);
  };
  for (int i = 0; i < 2; ++i) folder.write("m" + std::to_string(i), pcd_mixed(points));
  ReadClouds read = read_clouds("location=" + folder.path() + "/m%d");
  fail_unless(read.error.empty() && read.clouds.size() == 2);
  check_has(read.warnings, "not read: normal.");
  fail_unless(read.warnings.find("normal") == read.warnings.rfind("normal"));
  read = read_clouds("location=" + folder.write("a.pcd", pcd));
  fail_unless(read.warnings.empty() && read.caps.find("pose") == std::string::npos);
  read = read_clouds("location=" + folder.write("a.pcd", with_viewpoint("1 2 3 0 1 0 0")));
  fail_unless(read.warnings.empty(), "%s", read.warnings.c_str());
  check_has(read.caps, "pose=(string)\"1\\ 2\\ 3\\ 0\\ 1\\ 0\\ 0\"");
  read = read_clouds("location=" + folder.write("a.pcd", with_viewpoint("1 2 3 0 0 0 0")));
  fail_unless(read.error.empty());
  check_has(read.warnings, "a.pcd: VIEWPOINT has a quaternion of zeros");
  check_has(read.caps, "pose=(string)\"1\\ 2\\ 3\\ 1\\ 0\\ 0\\ 0\"");
}

// Clouds of different sizes, from 3 on; 7 is missing.
CHECK_TEST(test_sequences) {
  Folder folder;
  for (const int number : {3, 4, 5, 6, 8}) {
    folder.write("scan-00" + std::to_string(number) + ".bin",
                 kitti(some_points(static_cast<std::size_t>(number == 5 ? 0 : number * 700))));
  }
  const std::string location = "location=" + folder.path() + "/scan-%03d.bin ";
  ReadClouds read = read_clouds(location + "start-index=3");
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless_equals_int(read.clouds.size(), 4);
  check_has(read.warnings, "scan-007.bin\", which is missing, but \"");
  check_has(read.caps, "framerate=(fraction)10/1");
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t count = i == 2 ? 0 : (i + 3) * 700;
    fail_unless(read.clouds[i].bytes == kitti(some_points(count)), "cloud %zu", i);
    fail_unless_equals_uint64(read.clouds[i].pts, i * GST_SECOND / 10);
    fail_unless_equals_uint64(read.clouds[i].duration, GST_SECOND / 10);
  }
  // The rate that downstream requests; a last number; repetition.
  read = read_clouds(location +
                     "start-index=4 stop-index=5 loop=true num-buffers=5 ! "
                     "application/x-points,framerate=4/1");
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  check_has(read.warnings, "scan-005.bin: the file is empty, a cloud without points.");
  fail_unless_equals_int(read.clouds.size(), 5);
  fail_unless(read.clouds[4].bytes == read.clouds[0].bytes && !read.clouds[0].bytes.empty());
  fail_unless_equals_uint64(read.clouds[4].pts, GST_SECOND);
  // A missing file of a requested range is an error, after the files before it.
  read = read_clouds(location + "start-index=6 stop-index=8");
  check_has(read.error, "scan-007.bin\": No such file");
  fail_unless_equals_int(read.clouds.size(), 1);
  // A single file can be repeated, too.
  read = read_clouds("location=" + folder.path() + "/scan-003.bin loop=true num-buffers=3");
  fail_unless_equals_int(read.clouds.size(), 3);
}

// Caps change with the files.
CHECK_TEST(test_new_caps) {
  Folder folder;
  const Points points = some_points(12);
  folder.write("c0.pcd", pcd_binary(points));
  folder.write("c1.pcd", pcd_binary(points, 3));
  folder.write("c2.pcd", ply_binary(points, false, false));
  const ReadClouds read = read_clouds("location=" + folder.path() + "/c%d.pcd");
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless_equals_int(read.clouds.size(), 3);
  check_has(read.caps, "point-step=(int)21");
  for (std::size_t i = 0; i < 3; ++i) {
    fail_unless_equals_uint64(read.clouds[i].pts, i * GST_SECOND / 10);
  }
}

// A new rate while the stream runs: numbers and times continue without a gap.
CHECK_TEST(test_new_rate) {
  struct Watched {
    GstElement* filter;
    guint64 clouds = 0, at_new_rate = 0;
    GstClockTime next = 0;
  };
  Folder folder;
  PipelineRig rig("pointcloudsrc name=src loop=true num-buffers=12 location=" +
                  folder.write("c.pcd", pcd_binary(some_points(5))) +
                  " ! capsfilter name=filter caps=application/x-points,framerate=10/1 ! fakesink");
  Watched watched = {rig.get("filter")};
  g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.get("src"), "src");
  const auto look = [](GstPad* from, GstPadProbeInfo* info, gpointer data) {
    auto& seen = *static_cast<Watched*>(data);
    GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(from);
    gint n = 0, d = 1;
    gst_structure_get_fraction(gst_caps_get_structure(caps, 0), "framerate", &n, &d);
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), seen.clouds++);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), seen.next);
    fail_unless_equals_clocktime(GST_BUFFER_DURATION(buffer), GST_SECOND / static_cast<guint>(n));
    seen.next += GST_BUFFER_DURATION(buffer);
    seen.at_new_rate += n == 50;
    if (seen.clouds == 3) {
      gst_util_set_object_arg(G_OBJECT(seen.filter), "caps", "application/x-points,framerate=50/1");
    }
    return GST_PAD_PROBE_OK;
  };
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, look, &watched, nullptr);
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_uint64(watched.clouds, 12);
  fail_unless(watched.at_new_rate >= 5);
}

CHECK_TEST(test_errors) {
  Folder folder;
  const Points points = some_points(10);
  const std::string pcd = pcd_binary(points);
  const std::string good = folder.write("good.pcd", pcd);
  const std::string fifo = folder.path() + "/fifo.pcd";
  fail_unless(mkfifo(fifo.c_str(), 0600) == 0);
  const struct {
    std::string words;
    const char* text;
  } cases[] = {
      {"", "Property location is not set"},
      {"location=" + folder.path() + "/nothing.pcd", "nothing.pcd\": No such file"},
      {"location=" + folder.path() + "/nothing-%d.pcd", "nothing-0.pcd\": No such file"},
      {"location=" + folder.path(), "it is no regular file"},
      {"location=" + fifo, "it is no regular file"},
      {"location=" + folder.write("cut.pcd", pcd.substr(0, pcd.size() - 1)), "cut.pcd: offset 2"},
      {"location=" + folder.write("text.pcd", "# hello\nworld\n"),
       "text.pcd:2: the header: found \"world\""},
      {"location=" +
           folder.write("row.pcd", pcd_header(kXyzFields, 2, 1, "ascii") + "1 2 3\n4 x 6\n"),
       "row.pcd:13: y: found \"x\""},
      {"location=" +
           folder.write("more.pcd", pcd_header(kXyzFields, 1, 1, "ascii") + "1 2 3\n4 5 6\n"),
       "more.pcd:13: the end: found more lines"},
      {"location=" + folder.write("any", "????"), "any: offset 0: the file: found \"????\""},
      {"location=" + good + " start-index=5 stop-index=4", "stop-index is 4"},
      {"location=" + good + " unit=1e-10", "unit is 1e-10 m, expected 1e-9 to 1e9, or 0"},
      {"location=" + good + " ! application/x-points,axes=camera",
       "are application/x-points, format=(string)XYZ32F, point-step=(int)12"},
  };
  for (const auto& c : cases) {
    const std::string line = "pointcloudsrc " + c.words + " ! fakesink";
    PipelineRig rig(line);
    gst_element_set_state(rig.pipeline(), GST_STATE_PLAYING);  // may fail at once
    check_has(rig.wait(), c.text);
    // Errors known before the stream begins are posted then.
    if (c.words.find('!') != std::string::npos) continue;
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
    fail_unless(gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE,
                "%s", line.c_str());
  }
  g_remove(fifo.c_str());
}

CHECK_CASE(pointcloudsrc)
