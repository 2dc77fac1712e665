// SPDX-License-Identifier: LGPL-2.1-or-later
// Data pads, which never drop buffers: see data_pad.h. In CUDA memory: frame_work_cuda.cpp.
#include "gst/elements/base/data_pad.h"

#include <atomic>
#include <thread>

#include "tests/base/extra_pad_rig.h"
#include "tests/support/check_test.h"

using rdp::test::await;
using rdp::test::ExtraPadRig;

namespace {

struct DataRig : ExtraPadRig {
  explicit DataRig(const char* caps = "ANY") : ExtraPadRig(GST_TYPE_RDP_DATA_PAD) {
    takes = caps;
    begin();
  }

  // Frame `number` as an element sends it.
  GstFlowReturn send(unsigned number) {
    GstFlowReturn flow;
    GstBuffer* buffer = gst_rdp_extra_pad_acquire(pad, &flow);
    if (buffer == nullptr) return flow;
    const GstVideoInfo* info = gst_rdp_data_pad_get_info(GST_RDP_DATA_PAD(pad));
    fail_unless_equals_int(GST_VIDEO_INFO_FORMAT(info), GST_VIDEO_FORMAT_GRAY8);
    fail_unless_equals_uint64(gst_buffer_get_size(buffer), GST_VIDEO_INFO_SIZE(info));
    GST_BUFFER_PTS(buffer) = number * GST_SECOND / 30;
    return gst_rdp_extra_pad_push(pad, buffer);
  }
};

// Sends frames from its own thread.
class Sender {
 public:
  Sender(DataRig& rig, unsigned first, unsigned end)
      : thread_([this, &rig, first, end] {
          for (unsigned number = first; number < end; ++number) {
            last_ = rig.send(number);
            sent_ = number + 1;
          }
        }) {}
  ~Sender() { join(); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  unsigned sent() const { return sent_; }
  GstFlowReturn last() const { return last_; }
  // True if the sender stays blocked after this frame.
  bool stays_at(unsigned number) const {
    if (!await([&] { return sent_ == number; })) return false;
    g_usleep(30000);
    return sent_ == number;
  }

 private:
  std::atomic<unsigned> sent_{0};
  std::atomic<GstFlowReturn> last_{GST_FLOW_OK};
  std::thread thread_;
};

}  // namespace

// One buffer is being pushed and two wait; the fourth blocks the main path. None is dropped, live
// or not.
CHECK_TEST(test_never_drops) {
  for (const int live : {0, 1}) {
    DataRig rig;
    rig.live = live;
    rig.close();
    Sender sender(rig, 0, 20);
    fail_unless(rig.holds());
    fail_unless(sender.stays_at(3), "%u", sender.sent());
    rig.open();
    sender.join();
    fail_unless_equals_int(sender.last(), GST_FLOW_OK);
    fail_unless(rig.says(" stream-start caps segment tag 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 "
                         "17 18 19"),
                "%s", rig.log().c_str());
    fail_unless_equals_uint64(gst_rdp_extra_pad_get_dropped(rig.pad), 0);
  }
}

// The stream has the given caps, in system memory, before the first buffer.
CHECK_TEST(test_caps) {
  for (const char* takes : {"ANY", "video/x-raw", "video/x-raw, format=GRAY8"}) {
    DataRig rig(takes);
    fail_unless_equals_int(rig.send(0), GST_FLOW_OK);
    fail_unless(rig.says(" stream-start caps segment tag 0"), "%s", rig.log().c_str());
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(rig.sink);
    g_autoptr(GstCaps) expected = frames::caps({GST_VIDEO_FORMAT_GRAY8, 8, 4});
    fail_unless(gst_caps_can_intersect(caps, expected));
    fail_unless(gst_caps_features_is_equal(gst_caps_get_features(caps, 0),
                                           GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
    fail_unless_equals_int(rig.allocation_queries, 1);
  }
}

// A flush releases the waiting thread without the main path noticing; then data flows as before.
CHECK_TEST(test_flush) {
  DataRig rig;
  rig.close();
  Sender sender(rig, 0, 4);
  fail_unless(rig.holds());
  fail_unless(sender.stays_at(3));
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_flush_start());
  sender.join();
  fail_unless_equals_int(sender.last(), GST_FLOW_NOT_LINKED);
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_flush_stop(TRUE));
  rig.open();
  rig.segment();
  fail_unless_equals_int(rig.send(7), GST_FLOW_OK);
  fail_unless(await([&] {
                return rig.log().ends_with(" segment 7!") || rig.log().ends_with(" segment 7");
              }),
              "%s", rig.log().c_str());
  fail_unless(rig.log().find(" 1") == std::string::npos, "%s", rig.log().c_str());
}

// Releases the pad while the streaming thread waits and the sink holds a buffer until it is
// flushed.
CHECK_TEST(test_release_while_blocked) {
  DataRig rig;
  rig.close();
  Sender sender(rig, 0, 4);
  fail_unless(rig.holds());
  fail_unless(sender.stays_at(3));
  gst_rdp_extra_pad_release(rig.pad, rig.element);
  sender.join();
  fail_unless_equals_int(sender.last(), GST_FLOW_NOT_LINKED);
}

CHECK_CASE(data_pad)
