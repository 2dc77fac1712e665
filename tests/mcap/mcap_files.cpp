// SPDX-License-Identifier: LGPL-2.1-or-later
// Files of mcapsink: complete at end of stream and when the pipeline stops, each of several, and on
// a full disk. A killed process loses only its last chunks.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/mcap/mcap_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

using namespace rdp::test;

namespace {

constexpr const char* kCaps = "video/x-raw,format=GRAY16_LE,width=64,height=48,framerate=100/1";

std::vector<GstBuffer*> depth_frames(unsigned count) {
  g_autoptr(GstRdpCamera) camera = new_camera(sized_camera(depth_camera_info(), 64, 48));
  std::vector<GstBuffer*> sent;
  for (unsigned i = 0; i < count; ++i) {
    sent.push_back(buffer_of(some_frame(kCaps, i), i * 10 * GST_MSECOND));
    gst_buffer_add_rdp_camera_meta(sent.back(), camera);
  }
  return sent;
}

// Attaches a pose to all frames from `first` on.
void pose(const std::vector<GstBuffer*>& sent, std::size_t first = 0) {
  GstRdpCameraInfo info = sized_camera(depth_camera_info(), 64, 48);
  info.has_pose = TRUE;
  info.pose[0] = info.pose[5] = info.pose[10] = 1.0;
  g_autoptr(GstRdpCamera) camera = new_camera(info);
  for (std::size_t i = first; i < sent.size(); ++i) {
    gst_buffer_remove_meta(sent[i], &gst_buffer_get_rdp_camera_meta(sent[i])->meta);
    gst_buffer_add_rdp_camera_meta(sent[i], camera);
  }
}

// A source pad without an element, linked to a new json pad of `sink`.
class JsonFeed {
 public:
  explicit JsonFeed(GstElement* sink) : pad_(gst_pad_new(nullptr, GST_PAD_SRC)) {
    g_autoptr(GstPad) to = gst_element_request_pad_simple(sink, "json_%u");
    gst_pad_set_active(pad_, TRUE);
    fail_unless_equals_int(gst_pad_link(pad_, to), GST_PAD_LINK_OK);
    g_autoptr(GstCaps) caps = gst_caps_new_empty_simple("application/x-json");
    send(gst_event_new_stream_start("a"));
    send(gst_event_new_caps(caps));
    start(0);
  }
  ~JsonFeed() { gst_object_unref(pad_); }
  JsonFeed(const JsonFeed&) = delete;
  JsonFeed& operator=(const JsonFeed&) = delete;
  void send(GstEvent* event) { gst_pad_push_event(pad_, event); }
  void start(GstClockTime time) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.start = time;
    send(gst_event_new_segment(&segment));
  }
  void push(GstClockTime pts) {
    GstBuffer* buffer = buffer_of("{}\n", pts);
    GST_BUFFER_DURATION(buffer) = 20 * GST_MSECOND;
    fail_unless_equals_int(gst_pad_push(pad_, buffer), GST_FLOW_OK);
  }

 private:
  GstPad* pad_;
};

void drop(const std::vector<GstBuffer*>& sent) {
  for (GstBuffer* buffer : sent) gst_buffer_unref(buffer);
}

}  // namespace

CHECK_TEST(test_stopping_finishes_the_file) {
  McapFolder folder;
  const auto sent = depth_frames(7);
  {
    PipelineRig rig("appsrc name=in format=time ! mcapsink name=s location=" + folder.file());
    rig.set_caps("in", kCaps);
    rig.play();
    for (GstBuffer* buffer : sent) rig.push("in", gst_buffer_ref(buffer));
    fail_unless(await([&] {
      g_autoptr(GstStructure) stats = nullptr;
      g_object_get(rig.get("s"), "stats", &stats, nullptr);
      guint64 messages = 0;
      gst_structure_get_uint64(stats, "messages", &messages);
      return messages == 21;
    }));
  }
  const ReadFile file = read_file(folder.file());
  fail_unless(file.complete);
  fail_unless_equals_int(file.count("/depth_0/image_raw"), 7);
  drop(sent);
}

CHECK_TEST(test_pads_wait_for_none) {
  McapFolder folder;
  const auto sent = depth_frames(7);
  PipelineRig rig("appsrc name=a format=time ! mcapsink name=s location=" + folder.file() +
                  " appsrc name=b format=time ! s.depth_1");
  rig.set_caps("a", kCaps);
  rig.set_caps("b", kCaps);
  rig.play();
  for (GstBuffer* buffer : sent) rig.push("a", gst_buffer_ref(buffer));
  rig.end({"a"});
  for (GstBuffer* buffer : sent) rig.push("b", gst_buffer_ref(buffer));
  rig.end({"b"});
  fail_unless_equals_text(rig.wait(), "");
  const ReadFile file = read_file(folder.file());
  fail_unless(file.complete);
  fail_unless_equals_int(file.count("/depth_0/image_raw"), 7);
  fail_unless_equals_int(file.count("/depth_1/image_raw"), 7);
  const auto of_second = play(folder.file(), "topic=/depth_1/image_raw");
  fail_unless_equals_int(of_second->buffers.size(), 7);
  drop(sent);
}

// A flush cancels EOS on a pad.
CHECK_TEST(test_flush_behind_an_end) {
  McapFolder folder;
  PipelineRig rig("pipeline.( mcapsink name=s start-time=0 location=" + folder.file() + " )");
  JsonFeed a(rig.get("s")), b(rig.get("s"));
  rig.play();
  a.send(gst_event_new_eos());
  for (JsonFeed* feed : {&a, &b}) {
    feed->send(gst_event_new_flush_start());
    feed->send(gst_event_new_flush_stop(TRUE));
    feed->start(0);
  }
  b.send(gst_event_new_eos());
  a.push(0);
  a.send(gst_event_new_eos());
  fail_unless_equals_text(rig.wait(), "");
  fail_unless_equals_int(read_file(folder.file()).count("/json_0"), 1);
}

// A frame before the start of its segment, and one beyond the times of ROS.
CHECK_TEST(test_stamps) {
  const struct {
    guint64 start;
    GstClockTime segment;
    guint64 stamp;
    std::size_t warnings;
  } rows[] = {{kStart, 100 * GST_MSECOND, kStart - 10 * GST_MSECOND, 0},
              {0, 100 * GST_MSECOND, 0, 0},
              {4 * kStart, 0, 4 * kStart + 90 * GST_MSECOND, 1}};
  for (const auto& row : rows) {
    McapFolder folder;
    PipelineRig rig("pipeline.( mcapsink name=s location=" + folder.file() +
                    " start-time=" + std::to_string(row.start) + " )");
    JsonFeed feed(rig.get("s"));
    rig.play();
    feed.start(row.segment);
    for (int i = 0; i < 2; ++i) feed.push(90 * GST_MSECOND);
    feed.send(gst_event_new_eos());
    fail_unless_equals_text(rig.wait(), "");
    fail_unless_equals_uint64(read_file(folder.file()).messages.at(1).second, row.stamp);
    fail_unless_equals_int(rig.warnings.size(), row.warnings);
  }
}

CHECK_TEST(test_splits) {
  for (const char* words :
       {"max-size=60000 compression=none chunk-size=20000", "max-duration=80000000"}) {
    McapFolder folder;
    auto sent = depth_frames(40);
    pose(sent);  // which every file must contain once
    PipelineRig rig("appsrc name=in format=time ! mcapsink start-time=0 location=" +
                    folder.file("%03d.mcap ") + words);
    rig.play();
    for (std::size_t i = 0; i < sent.size(); ++i) {
      g_autoptr(GstCaps) caps = gst_caps_from_string(kCaps);
      gst_caps_set_simple(caps, "framerate", GST_TYPE_FRACTION, i / 2 % 2 == 0 ? 100 : 99, 1,
                          nullptr);
      g_autoptr(GstSample) sample = gst_sample_new(sent[i], caps, nullptr, nullptr);
      GstFlowReturn flow;
      g_signal_emit_by_name(rig.get("in"), "push-sample", sample, &flow);
    }
    rig.end({"in"});
    fail_unless_equals_text(rig.wait(), "");
    const auto names = folder.names();
    fail_unless(names.size() >= 5, "%zu", names.size());
    std::size_t total = 0;
    for (const std::string& name : names) {
      const ReadFile file = read_file(folder.file(name));
      fail_unless(file.complete, "%s", name.c_str());
      fail_unless_equals_int(file.count("/tf_static"), 1);
      fail_unless_equals_int(file.count("/depth_0/camera_info"), file.count("/depth_0/image_raw"));
      total += file.count("/depth_0/image_raw");
      const auto played = play(folder.file(name));
      fail_unless(played->error.empty(), "%s", played->error.c_str());
      fail_unless_equals_int(played->buffers.size(), file.count("/depth_0/image_raw"));
    }
    fail_unless_equals_int(total, 40);
    drop(sent);
  }
}

// One process loads both plugins in any order: neither registers the other's types.
static void load(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    g_autoptr(GstPlugin) plugin = gst_plugin_load_by_name(name);
    fail_unless(plugin != nullptr, "%s", name);
  }
  McapFolder folder;
  const std::string file = folder.file();
  PipelineRig rig(
      "depthtestsrc num-buffers=2 ! rdpsegment epsilon=2 sample-scale=0.00390625 ! "
      "mcapsink location=" +
      file);
  rig.play();
  fail_unless_equals_text(rig.wait(), "");
  PipelineRig back("mcapsrc location=" + file + " ! rdpmetaconvert ! fakesink");
  back.play();
  fail_unless_equals_text(back.wait(), "");
}

CHECK_TEST(test_plugins_in_one_process) { load({"rdpsegment", "rdpmcap"}); }

CHECK_TEST(test_plugins_in_the_other_order) { load({"rdpmcap", "rdpsegment"}); }

// A full queue drops and counts frames, or blocks; messages of a frame stay together.
CHECK_TEST(test_full_queue) {
  const auto sent = depth_frames(60);
  pose(sent, 30);  // among dropped frames
  for (const char* words : {"when-full=drop", "when-full=block"}) {
    McapFolder folder;
    PipelineRig rig(
        "appsrc name=in format=time ! mcapsink name=s compression-level=19 max-queue=1 "
        "chunk-size=1000 start-time=" +
        std::to_string(kStart) + " location=" + folder.file() + " " + words);
    rig.set_caps("in", kCaps);
    rig.play();
    for (std::size_t i = 0; i < sent.size(); ++i) {
      rig.push("in", gst_buffer_ref(sent[i]));
      if (i > 30) g_usleep(2000);
    }
    rig.end({"in"});
    fail_unless_equals_text(rig.wait(), "");
    g_autoptr(GstStructure) stats = nullptr;
    g_object_get(rig.get("s"), "stats", &stats, nullptr);
    guint64 messages = 0, dropped = 0;
    gst_structure_get(stats, "messages", G_TYPE_UINT64, &messages, "dropped", G_TYPE_UINT64,
                      &dropped, nullptr);
    const bool drops = std::string(words) == "when-full=drop";
    fail_unless(messages + dropped >= 181);
    fail_unless(drops || messages == 181);
    fail_unless(drops || dropped == 0);
    fail_unless_equals_int(rig.warnings.size(), dropped > 0 ? 1 : 0);
    const ReadFile file = read_file(folder.file());
    fail_unless_equals_int(file.messages.size(), messages);
    // The pose of a dropped frame goes to the next frame.
    const bool posed = file.messages.back().second >= kStart + 300 * GST_MSECOND;
    fail_unless_equals_int(file.count("/tf_static"), posed ? 1 : 0);
    fail_unless_equals_int(file.count("/depth_0/rdp"), file.count("/depth_0/image_raw"));
  }
  drop(sent);
}

// Runs body() under a file size limit, which simulates a full disk.
template <typename Body>
static std::string with_limit(rlim_t size, Body&& body) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{size, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string result = body();
  setrlimit(RLIMIT_FSIZE, &limit);
  return result;
}

CHECK_TEST(test_full_disk) {
  signal(SIGXFSZ, SIG_IGN);
  const auto sent = depth_frames(100);
  std::mt19937 random(1);
  int completed = 0;
  for (int i = 0; i < 20; ++i) {
    McapFolder folder;
    const std::string error = with_limit(8000 + random() % 500000, [&] {
      return record(folder.file(), "depth_0", kCaps, sent, "compression=none chunk-size=30000");
    });
    check_has(error, "Cannot write");
    check_has(error, "File too large");
    const ReadFile file = read_file(folder.file());
    check_has(error, ("The " + std::to_string(file.messages.size()) + " messages").c_str());
    check_has(error, "are lost");
    // The summary may not fit.
    check_has(error, file.complete ? "it is complete" : "it has no summary");
    completed += file.complete ? 1 : 0;
    const auto played = play(folder.file());
    if (file.count("/depth_0/image_raw") > 0) {
      fail_unless(played->error.empty(), "%s", played->error.c_str());
      fail_unless_equals_int(played->buffers.size(), file.count("/depth_0/image_raw"));
    }
  }
  fail_unless(completed >= 15, "%d of 20", completed);
  drop(sent);
}

// The first error with several pads is that of the disk, not a flow error caused by it.
CHECK_TEST(test_full_disk_of_two_pads) {
  signal(SIGXFSZ, SIG_IGN);
  McapFolder folder;
  const std::string error = with_limit(200000, [&] {
    const std::string source =
        "videotestsrc pattern=snow ! video/x-raw,format=RGB,width=32,height=32 ! ";
    PipelineRig rig("mcapsink name=s compression=none chunk-size=20000 location=" + folder.file() +
                    " " + source + "s.video_0 " + source + "s.video_1");
    rig.play();
    return rig.wait();
  });
  check_has(error, "Cannot write");
}

// The error counts only the messages of the file that it names, the second one.
CHECK_TEST(test_full_disk_behind_a_split) {
  signal(SIGXFSZ, SIG_IGN);
  McapFolder folder;
  const auto sent = depth_frames(100);
  for (std::size_t i = 5; i < sent.size(); ++i) GST_BUFFER_PTS(sent[i]) += 10 * GST_SECOND;
  const std::string error = with_limit(100000, [&] {
    return record(folder.file("%d.mcap"), "depth_0", kCaps, sent,
                  "compression=none chunk-size=30000 max-duration=5000000000");
  });
  const std::string second = folder.file("1.mcap");
  check_has(error, second.c_str());
  const std::size_t there = read_file(second).messages.size();
  check_has(error, ("The " + std::to_string(there) + " messages").c_str());
  drop(sent);
}

namespace {

// The number of complete chunks, by record heads alone.
std::size_t whole_chunks(const std::string& bytes) {
  std::size_t chunks = 0;
  guint64 length = 0;
  for (std::size_t at = 8; at + 9 <= bytes.size(); at += 9 + length) {
    std::memcpy(&length, bytes.data() + at + 1, sizeof length);
    if (length > bytes.size() - at - 9) break;
    chunks += bytes[at] == 6 ? 1 : 0;
  }
  return chunks;
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

// A process killed at a random moment: all frames of complete chunks are readable, without gaps.
// KILLS=N in the environment kills N processes; SEED=N repeats their moments.
CHECK_TEST(test_kill) {
  const char* often = g_getenv("KILLS");
  const char* seed = g_getenv("SEED");
  const unsigned start =
      seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : std::random_device()();
  std::printf("SEED=%u\n", start);
  std::fflush(stdout);
  std::mt19937 random(start);
  std::size_t frames = 0;
  std::size_t cut = 0;
  const int kills = often != nullptr ? std::atoi(often) : 20;
  for (int i = 0; i < kills; ++i) {
    McapFolder folder;
    const pid_t child = fork();
    fail_unless(child >= 0);
    if (child == 0) {
      const std::string file = "location=" + folder.file();
      // The plugin is instrumented, gst-launch-1.0 is not: see tests/sanitize.sh.
      if (const char* runtime = g_getenv("SANITIZER_RUNTIME")) {
        g_setenv("LD_PRELOAD", runtime, TRUE);
      }
      execlp("gst-launch-1.0", "gst-launch-1.0", "-q", "videotestsrc", "is-live=true", "!",
             "video/x-raw,format=GRAY16_LE,width=64,height=48,framerate=500/1", "!", "mcapsink",
             file.c_str(), "chunk-size=20000", "chunk-time=60000000000",
             i % 2 == 0 ? "compression=none" : "compression=auto", static_cast<char*>(nullptr));
      _exit(1);
    }
    // Compressed files grow more slowly.
    const std::size_t size = random() % (i % 2 == 0 ? 300000 : 20000);
    const bool grew = await([&] {
      GStatBuf of;
      return g_stat(folder.file().c_str(), &of) == 0 &&
             static_cast<std::size_t>(of.st_size) >= size;
    });
    g_usleep(random() % 5000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    fail_unless(grew && WIFSIGNALED(status), "kill %d: no %zu bytes came", i, size);
    const std::size_t chunks = whole_chunks(content_of(folder.file()));
    const auto played = play(folder.file());
    const std::size_t count = played->buffers.size();
    // A chunk has four frames.
    fail_unless(count >= 4 * chunks && count <= 4 * chunks + 4, "kill %d: %zu frames of %zu chunks",
                i, count, chunks);
    for (std::size_t k = 0; k < count; ++k) {
      fail_unless_equals_uint64(GST_BUFFER_OFFSET(played->buffers[k]), k);
    }
    frames += count;
    if (chunks == 0) continue;
    ++cut;
    fail_unless(played->error.empty(), "kill %d: %s", i, played->error.c_str());
    fail_unless_equals_int(played->warnings.size(), 1);
    fail_unless(!read_file(folder.file()).complete);
  }
  std::printf("%d kills: %zu files with chunks, %zu frames\n", kills, cut, frames);
  std::fflush(stdout);
}

CHECK_CASE(mcap_files, .seconds = 120)
