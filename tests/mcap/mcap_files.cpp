// SPDX-License-Identifier: LGPL-2.1-or-later
// Files of mcapsink: they are complete at the end of a stream and when the pipeline stops, each of
// several, on a full disk; a process that is killed leaves all but its last chunks.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
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

CHECK_TEST(test_splits) {
  for (const char* words :
       {"max-size=60000 compression=none chunk-size=20000", "max-duration=80000000"}) {
    McapFolder folder;
    auto sent = depth_frames(40);
    // A pose, which every file has to have.
    GstRdpCameraInfo info = sized_camera(depth_camera_info(), 64, 48);
    info.has_pose = TRUE;
    info.pose[0] = info.pose[5] = info.pose[10] = 1.0;
    g_autoptr(GstRdpCamera) camera = new_camera(info);
    for (GstBuffer* buffer : sent) {
      gst_buffer_remove_meta(buffer, &gst_buffer_get_rdp_camera_meta(buffer)->meta);
      gst_buffer_add_rdp_camera_meta(buffer, camera);
    }
    fail_unless_equals_text(record(folder.file("%03d.mcap"), "depth_0", kCaps, sent, words), "");
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

// A process has both plugins, loaded in any order: neither registers a type of the other.
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

// A queue that is full: frames are dropped and counted, or wait; their messages stay together.
CHECK_TEST(test_full_queue) {
  const auto sent = depth_frames(60);
  for (const char* words : {"when-full=drop", "when-full=block"}) {
    McapFolder folder;
    PipelineRig rig(
        "appsrc name=in format=time ! mcapsink name=s compression-level=19 max-queue=1 "
        "chunk-size=1000 location=" +
        folder.file() + " " + words);
    rig.set_caps("in", kCaps);
    rig.play();
    for (GstBuffer* buffer : sent) rig.push("in", gst_buffer_ref(buffer));
    rig.end({"in"});
    fail_unless_equals_text(rig.wait(), "");
    g_autoptr(GstStructure) stats = nullptr;
    g_object_get(rig.get("s"), "stats", &stats, nullptr);
    guint64 messages = 0, dropped = 0;
    gst_structure_get(stats, "messages", G_TYPE_UINT64, &messages, "dropped", G_TYPE_UINT64,
                      &dropped, nullptr);
    const bool drops = std::string(words) == "when-full=drop";
    fail_unless_equals_uint64(messages + dropped, 180);
    fail_unless(drops || dropped == 0);
    fail_unless_equals_int(rig.warnings.size(), dropped > 0 ? 1 : 0);
    const ReadFile file = read_file(folder.file());
    fail_unless_equals_int(file.messages.size(), messages);
    fail_unless_equals_int(file.count("/depth_0/rdp"), file.count("/depth_0/image_raw"));
  }
  drop(sent);
}

// The limit of a file's size stands for a full disk.
CHECK_TEST(test_full_disk) {
  signal(SIGXFSZ, SIG_IGN);
  const auto sent = depth_frames(100);
  std::mt19937 random(1);
  int completed = 0;
  for (int i = 0; i < 20; ++i) {
    McapFolder folder;
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t most = limit.rlim_max;
    limit.rlim_cur = 8000 + random() % 500000;
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error =
        record(folder.file(), "depth_0", kCaps, sent, "compression=none chunk-size=30000");
    limit.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &limit);
    check_has(error, "Cannot write");
    check_has(error, "File too large");
    check_has(error, "are lost");
    const ReadFile file = read_file(folder.file());
    // The summary may find no room.
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

// A process that is killed at any moment: what it wrote can be read, up to the last chunk.
CHECK_TEST(test_kill) {
  std::random_device seeds;
  std::mt19937 random(seeds());
  for (int i = 0; i < 20; ++i) {
    McapFolder folder;
    const pid_t child = fork();
    if (child == 0) {
      const std::string file = "location=" + folder.file();
      execlp("gst-launch-1.0", "gst-launch-1.0", "-q", "videotestsrc", "is-live=true", "!",
             "video/x-raw,format=GRAY16_LE,width=64,height=48,framerate=500/1", "!", "mcapsink",
             file.c_str(), "chunk-size=20000", static_cast<char*>(nullptr));
      _exit(1);
    }
    const auto size = [&] {
      std::ifstream in(folder.file(), std::ios::ate | std::ios::binary);
      return in ? static_cast<long>(in.tellg()) : 0L;
    };
    fail_unless(await([&] { return size() > 50000; }));
    g_usleep(random() % 100000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    const ReadFile file = read_file(folder.file());
    fail_unless(!file.complete);
    fail_unless(!file.warnings.empty());
    const auto played = play(folder.file());
    fail_unless(played->error.empty(), "%s", played->error.c_str());
    fail_unless_equals_int(played->warnings.size(), 1);
    fail_unless(played->buffers.size() >= 5, "%zu", played->buffers.size());
  }
}

CHECK_CASE(mcap_files, .seconds = 120)
