// SPDX-License-Identifier: LGPL-2.1-or-later
// pngfoldersrc: samples, caps and times of folders, seeks, and each error. png_reader tests file
// contents, picture_names tests names.
#include <sys/stat.h>

#include "gst/rdpsegment/rdpfilemeta.h"
#include "tests/pngfolder/png_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

using namespace rdp::test;

namespace {

// The numbers of received numbered() pictures, in order; `count` is the number of different ones.
std::vector<unsigned> numbers_of(const ReadPictures& read, unsigned count) {
  std::vector<unsigned> numbers;
  for (const ReadPicture& picture : read.pictures) {
    unsigned number = 0;
    while (number < count && picture.samples != numbered(number).samples()) ++number;
    numbers.push_back(number);
  }
  return numbers;
}

// Fills a folder with `count` numbered pictures.
void write_numbered(Folder* folder, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    folder->write("depth " + std::to_string(i) + ".png", numbered(i).file());
  }
}

using Numbers = std::vector<unsigned>;

// Seeks while the first picture waits in the sink; that picture is dropped.
auto seeking(double rate, GstFormat format, gint64 start, gint64 stop) {
  return [=](const PipelineRig& rig, ReadPictures* read) {
    gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED);
    fail_unless_equals_int(gst_element_get_state(rig.pipeline(), nullptr, nullptr, 20 * GST_SECOND),
                           GST_STATE_CHANGE_SUCCESS);
    GstPad* pad = gst_element_get_static_pad(rig.get("source"), "src");
    // Pictures in flight arrive before the flush ends.
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
        [](GstPad*, GstPadProbeInfo* info, gpointer data) {
          if (GST_EVENT_TYPE(GST_PAD_PROBE_INFO_EVENT(info)) == GST_EVENT_FLUSH_STOP) {
            static_cast<ReadPictures*>(data)->pictures.clear();
          }
          return GST_PAD_PROBE_OK;
        },
        read, nullptr);
    gst_object_unref(pad);
    fail_unless(gst_element_seek(rig.get("source"), rate, format, GST_SEEK_FLAG_FLUSH,
                                 GST_SEEK_TYPE_SET, start,
                                 stop < 0 ? GST_SEEK_TYPE_NONE : GST_SEEK_TYPE_SET, stop));
  };
}

}  // namespace

// Each class has its caps, and samples as in the files.
CHECK_TEST(test_classes) {
  const struct {
    int colour, bits;
    const char* format;
  } cases[] = {{PNG_COLOR_TYPE_GRAY, 16, "GRAY16_LE"}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16, "GRAY16_LE"},
               {PNG_COLOR_TYPE_GRAY, 8, "GRAY8"},      {PNG_COLOR_TYPE_GRAY, 1, "GRAY8"},
               {PNG_COLOR_TYPE_RGB, 8, "RGB"},         {PNG_COLOR_TYPE_RGBA, 8, "RGB"},
               {PNG_COLOR_TYPE_PALETTE, 4, "RGB"}};
  for (const auto& c : cases) {
    Folder folder;
    const PngPicture picture = {
        .width = 7, .height = 3, .bits = c.bits, .colour = c.colour, .decorated = true};
    folder.write("a.png", picture.file());
    const ReadPictures read = read_pictures("location=" + folder.path());
    fail_unless(read.error.empty() && read.warnings.empty(), "%s", read.error.c_str());
    fail_unless_equals_int(read.pictures.size(), 1);
    check_has(read.pictures[0].caps, (std::string("format=(string)") + c.format).c_str());
    check_has(read.pictures[0].caps,
              "width=(int)7, height=(int)3, framerate=(fraction)10/1, "
              "pixel-aspect-ratio=(fraction)1/1, interlace-mode=(string)progressive");
    fail_unless(read.pictures[0].samples == picture.samples(), "%s", c.format);
  }
}

// 1 to 4 bits and alpha may be mixed with 8 bits; one class has one format.
CHECK_TEST(test_one_class) {
  Folder folder;
  std::vector<PngPicture> pictures;
  for (const int bits : {8, 1, 2, 4}) pictures.push_back({.bits = bits});
  pictures.push_back({.bits = 8, .colour = PNG_COLOR_TYPE_GRAY_ALPHA, .interlaced = true});
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    folder.write(std::to_string(i) + ".png", pictures[i].file());
  }
  const ReadPictures read = read_pictures("location=" + folder.path());
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless_equals_int(read.pictures.size(), pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    fail_unless(read.pictures[i].samples == pictures[i].samples(), "picture %zu", i);
  }
}

CHECK_TEST(test_order_and_times) {
  Folder folder;
  write_numbered(&folder, 12);
  folder.write("notes.txt", "no picture");
  ReadPictures read = read_pictures("location=" + folder.path() + " framerate=30000/1001");
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless(numbers_of(read, 12) == Numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  check_has(read.pictures[0].caps, "framerate=(fraction)30000/1001");
  for (guint64 i = 0; i < 12; ++i) {
    const ReadPicture& picture = read.pictures[i];
    fail_unless_equals_uint64(picture.pts, gst_util_uint64_scale(i, 1001 * GST_SECOND, 30000));
    fail_unless_equals_uint64(picture.pts + picture.duration,
                              gst_util_uint64_scale(i + 1, 1001 * GST_SECOND, 30000));
    fail_unless_equals_uint64(picture.offset, i);
  }
  read = read_pictures("location=\"" + folder.path() + "/depth ?.png\" start=7");
  fail_unless(numbers_of(read, 12) == Numbers({7, 8, 9}));
  fail_unless_equals_uint64(read.pictures[1].pts, GST_SECOND / 10);
  read = read_pictures("location=\"" + folder.path() + "/depth 3.png\"");
  fail_unless(numbers_of(read, 12) == Numbers({3}));
}

// Each frame carries its file name, through any element.
CHECK_TEST(test_file_names) {
  const char* const ways[] = {"",
                              "videoconvert ! video/x-raw,format=RGBA ! ",
                              "videoscale ! video/x-raw,width=9 ! ",
                              "rdpsegment ! ",
                              "rdpsegment output=reconstruct ! queue ! ",
                              "depthpoints focal-length=9 depth-unit=0.001 ! ",
                              "videoconvert ! pngenc ! pngdec ! "};
  Folder folder;
  write_numbered(&folder, 3);
  for (const char* way : ways) {
    for (const char* location : {"", "/*.png"}) {
      PipelineRig rig("pngfoldersrc location=\"" + folder.path() + location + "\" loop=true " +
                      "num-buffers=5 ! " + way + "fakesink name=sink");
      Received received(rig.get("sink"));
      rig.play();
      fail_unless_equals_text(rig.wait(), "");
      gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
      fail_unless_equals_int(received.buffers.size(), 5);
      for (std::size_t i = 0; i < 5; ++i) {
        const GstRdpFileMeta* meta = gst_buffer_get_rdp_file_meta(received.buffers[i]);
        fail_unless(meta != nullptr, "%s: no name", way);
        fail_unless_equals_text(meta->name, "depth " + std::to_string(i % 3) + ".png");
      }
    }
  }
}

CHECK_TEST(test_loop) {
  Folder folder;
  write_numbered(&folder, 4);
  ReadPictures read =
      read_pictures("location=" + folder.path() + " loop=true start=1 num-buffers=8");
  fail_unless(numbers_of(read, 4) == Numbers({1, 2, 3, 1, 2, 3, 1, 2}));
  for (guint64 i = 0; i < 8; ++i) {
    fail_unless_equals_uint64(read.pictures[i].pts, i * GST_SECOND / 10);
  }
  // Times in file names continue as well.
  Folder timed;
  for (const unsigned i : {0U, 1U}) {
    timed.write(std::to_string(100 + 2 * i) + ".png", numbered(i).file());
  }
  read = read_pictures("location=" + timed.path() + " loop=true timestamps=names num-buffers=5");
  fail_unless(numbers_of(read, 2) == Numbers({0, 1, 0, 1, 0}));
  for (guint64 i = 0; i < 5; ++i)
    fail_unless_equals_uint64(read.pictures[i].pts, 2 * i * GST_SECOND);
}

CHECK_TEST(test_times_in_names) {
  Folder folder;
  const char* const names[] = {"1305031102.175304.png", "1305031102.211214.png",
                               "1305031102.25.png", "1305031103.png"};
  for (unsigned i = 0; i < 4; ++i) folder.write(names[i], numbered(i).file());
  const GstClockTime offsets[] = {0, 35910000, 74696000, 824696000};
  const std::string words = "location=" + folder.path() + " timestamps=names";
  ReadPictures read = read_pictures(words);
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless(numbers_of(read, 4) == Numbers({0, 1, 2, 3}));
  for (guint64 i = 0; i < 4; ++i) {
    const ReadPicture& picture = read.pictures[i];
    fail_unless_equals_uint64(picture.pts, offsets[i]);
    fail_unless_equals_uint64(picture.duration,
                              i < 3 ? offsets[i + 1] - offsets[i] : offsets[3] - offsets[2]);
    check_has(picture.caps, "framerate=(fraction)0/1");
  }
  // time-origin: another source's, before or at the first name. Default: the first name from start.
  read = read_pictures(words + " time-origin=1305031102");
  for (guint64 i = 0; i < 4; ++i) {
    fail_unless_equals_uint64(read.pictures[i].pts, offsets[i] + 175304000);
  }
  read = read_pictures(words + " start=2");
  fail_unless_equals_uint64(read.pictures[1].pts, offsets[3] - offsets[2]);
  read = read_pictures(words + " time-origin=0");
  fail_unless_equals_uint64(read.pictures[0].pts, G_GUINT64_CONSTANT(1305031102175304000));
  read = read_pictures(words + " time-origin=1305031102.2");
  check_has(read.error, "1305031102.175304.png\" is from before time-origin (1305031102.200000 s)");
  check_has(read.error, "Set time-origin to no more than");
}

CHECK_TEST(test_seeks) {
  Folder folder;
  write_numbered(&folder, 10);
  const std::string words = "location=" + folder.path();
  const auto sought = [&](const std::string& more, double rate, GstFormat format, gint64 start,
                          gint64 stop) {
    const ReadPictures read = read_pictures(words + more, seeking(rate, format, start, stop));
    fail_unless(read.error.empty(), "%s", read.error.c_str());
    return numbers_of(read, 10);
  };
  const gint64 frame = GST_SECOND / 10;
  fail_unless(sought("", 1, GST_FORMAT_TIME, 7 * frame, -1) == Numbers({7, 8, 9}));
  fail_unless(sought("", 1, GST_FORMAT_TIME, 8 * frame - 1, -1) == Numbers({7, 8, 9}));
  fail_unless(sought("", 1, GST_FORMAT_TIME, 0, 2 * frame) == Numbers({0, 1}));
  fail_unless(sought("", 1, GST_FORMAT_TIME, 10 * frame, -1).empty());
  fail_unless(sought("", 1, GST_FORMAT_DEFAULT, 8, -1) == Numbers({8, 9}));
  fail_unless(sought(" start=4", 1, GST_FORMAT_TIME, 4 * frame, -1) == Numbers({8, 9}));
  fail_unless(sought(" loop=true", 1, GST_FORMAT_TIME, 19 * frame, 22 * frame) ==
              Numbers({9, 0, 1}));
  fail_unless(sought("", -1, GST_FORMAT_TIME, 0, 3 * frame) == Numbers({2, 1, 0}));
  fail_unless(sought("", -1, GST_FORMAT_TIME, 7 * frame, -1) == Numbers({9, 8, 7}));
  Folder timed;
  for (const unsigned i : {0U, 1U, 2U}) {
    timed.write("1" + std::to_string(i * i) + ".png", numbered(i).file());
  }
  const ReadPictures read =
      read_pictures("timestamps=names location=" + timed.path(),
                    seeking(1, GST_FORMAT_TIME, 3 * GST_SECOND + 999999999, -1));
  fail_unless(numbers_of(read, 3) == Numbers({1, 2}));
  fail_unless_equals_uint64(read.pictures.at(1).pts, 4 * GST_SECOND);
}

CHECK_TEST(test_duration) {
  Folder folder;
  write_numbered(&folder, 6);
  const struct {
    const char* words;
    gint64 time, frames;
  } cases[] = {{"", 6 * GST_SECOND / 10, 6},
               {"start=2 framerate=2/1", 2 * GST_SECOND, 4},
               {"num-buffers=3", 3 * GST_SECOND / 10, 3},
               {"num-buffers=9", 6 * GST_SECOND / 10, 6},
               {"loop=true num-buffers=9", 9 * GST_SECOND / 10, 9},
               {"timestamps=names", 6 * GST_SECOND, 6},
               {"loop=true", -1, -1}};
  for (const auto& c : cases) {
    const PipelineRig rig("pngfoldersrc name=source " + std::string(c.words) +
                          " location=" + folder.path() + " ! fakesink");
    gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED);
    gst_element_get_state(rig.pipeline(), nullptr, nullptr, 20 * GST_SECOND);
    gint64 time = -1, frames = -1;
    gst_element_query_duration(rig.get("source"), GST_FORMAT_TIME, &time);
    gst_element_query_duration(rig.get("source"), GST_FORMAT_DEFAULT, &frames);
    fail_unless(time == c.time && frames == c.frames, "%s: %d ms, %d frames", c.words,
                static_cast<int>(time / GST_MSECOND), static_cast<int>(frames));
  }
}

// Sizes and caps may change between pictures; time continues.
CHECK_TEST(test_new_sizes) {
  Folder folder;
  std::vector<PngPicture> pictures;
  for (const auto& [width, height] : {std::pair{5, 4}, {5, 4}, {90, 70}, {1, 1}, {5, 4}}) {
    pictures.push_back({.width = width, .height = height});
    folder.write(std::to_string(pictures.size()) + ".png", pictures.back().file());
  }
  const ReadPictures read = read_pictures("location=" + folder.path());
  fail_unless(read.error.empty(), "%s", read.error.c_str());
  fail_unless_equals_int(read.pictures.size(), pictures.size());
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    check_has(read.pictures[i].caps, ("width=(int)" + std::to_string(pictures[i].width)).c_str());
    fail_unless(read.pictures[i].samples == pictures[i].samples(), "picture %zu", i);
    fail_unless_equals_uint64(read.pictures[i].pts, i * GST_SECOND / 10);
  }
}

// Errors after the valid pictures.
CHECK_TEST(test_errors_on_the_way) {
  const std::string deep = PngPicture().file();
  const std::string bytes = PngPicture{.bits = 8}.file();
  const std::string colour = PngPicture{.bits = 8, .colour = PNG_COLOR_TYPE_PALETTE}.file();
  std::string damaged = deep;
  damaged[60] = static_cast<char>(damaged[60] ^ 1);
  const struct {
    std::string first, second;
    std::vector<const char*> texts;
  } cases[] = {
      {deep,
       bytes,
       {"2.png\" is gray with up to 8 bits, but \"", "1.png\", the first, is gray with 16 bits",
        "expected pictures of one format", "Put the others into a folder of their own"}},
      {bytes, deep, {"2.png\" is gray with 16 bits, but \"", "is gray with up to 8 bits"}},
      {deep, colour, {"2.png\" is in colour, but \""}},
      {colour, deep, {"2.png\" is gray with 16 bits, but \"", "the first, is in colour"}},
      {deep, damaged, {"2.png\" is damaged in the chunk IDAT at byte ", "expected the checksum "}},
      {deep,
       deep.substr(0, 70),
       {"2.png\" is cut off: expected ", "got 70. Copy or write it again"}},
      {deep,
       PngPicture{.colour = PNG_COLOR_TYPE_RGB}.file(),
       {"2.png\" has 16 bits for each of red"}},
  };
  for (const auto& c : cases) {
    Folder folder;
    folder.write("1.png", c.first);
    folder.write("2.png", c.second);
    folder.write("3.png", c.first);
    const ReadPictures read = read_pictures("location=" + folder.path());
    for (const char* text : c.texts) check_has(read.error, text);
    fail_unless_equals_int(read.pictures.size(), 1);
  }
}

// A file deleted while others are read.
CHECK_TEST(test_missing_file) {
  Folder folder;
  write_numbered(&folder, 3);
  const std::string path = folder.path() + "/depth 2.png";
  const ReadPictures read =
      read_pictures("location=" + folder.path(), [&](const PipelineRig& rig, ReadPictures*) {
        g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.get("source"), "src");
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER,
            [](GstPad*, GstPadProbeInfo*, gpointer name) {
              g_remove(static_cast<const char*>(name));
              return GST_PAD_PROBE_REMOVE;
            },
            const_cast<char*>(path.c_str()), nullptr);
      });
  fail_unless(numbers_of(read, 3) == Numbers({0, 1}));
  check_has(read.error, "depth 2.png\": No such file");
}

CHECK_TEST(test_errors) {
  Folder folder;
  const std::string good = folder.write("good.png", PngPicture().file());
  PngPicture colours;
  colours.colour = PNG_COLOR_TYPE_RGB;
  colours.bits = 8;
  const std::string colour = folder.write("colour.png", colours.file());
  const std::string fifo = folder.path() + "/fifo";
  fail_unless(mkfifo(fifo.c_str(), 0600) == 0);
  const struct {
    std::string words;
    const char* text;
  } cases[] = {
      {"", "Property location is not set: set it to a folder"},
      {"location=" + folder.path() + "/nothing",
       "nothing\": No such file or directory; expected a"},
      {"location=" + folder.path() + "/nothing*.png", "No file matches "},
      {"location=" + fifo, "it is no regular file, expected"},
      {"location=" + folder.write("any", "????"), "any\" is no PNG: expected it to start with"},
      {"location=" + folder.write("photo", "\xff\xd8\xff\xe0"),
       " JPEG is not read: put multifilesrc"},
      {"location=" + good + " start=1", "start is 1, but \""},
      {"location=" + good + " start=1", "good.png\" has 1 pictures: expected 0 to 0"},
      {"location=" + good + " timestamps=names", "good.png\" has no number in its name, expected"},
      {"location=" + good + " ! video/x-raw,format=GRAY8", "does not accept "},
      {"location=" + good + " ! video/x-raw,framerate=5/1",
       "Its frame rate differs: set framerate"},
      {"location=" + colour + " ! video/x-raw,format=GRAY8",
       "It is in colour (RGB), expected gray, as depth is: set location to "},
      {"location=" + colour + " ! video/x-raw,width=1", "Its size differs: put videoscale behind"},
  };
  for (const auto& c : cases) check_has(read_pictures(c.words).error, c.text);
  g_remove(fifo.c_str());
}

CHECK_CASE(pngfoldersrc)
