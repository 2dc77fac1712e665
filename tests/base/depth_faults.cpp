// SPDX-License-Identifier: LGPL-2.1-or-later
// What goes wrong around rdpmetaconvert and depthtestsrc: downstream's answers at every position,
// memory that is not to be had, pools that fail. One error that names the cause, or none, nothing
// twice and nothing out of order, and a fresh start works. See fault_rig.h for RDPSEGMENT_FAULTS.
#include "tests/support/failing_new.h"
#include "tests/support/fault_pool.h"
#include "tests/support/fault_rig.h"

using faults::Rig;
using faults::Said;

namespace {

constexpr guint64 kFrames = 5;
const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 24, 16};

// The frames that rdpsegment makes of frames::make(), for rdpmetaconvert.
std::vector<GstBuffer*> segmented() {
  GstHarness* harness = gst_harness_new_parse("rdpsegment backend=cpu threads=1");
  gst_harness_set_src_caps(harness, frames::caps(kShape));
  std::vector<GstBuffer*> all;
  for (unsigned number = 0; number < kFrames; ++number) {
    GstBuffer* buffer = frames::make(kShape, number, number);
    GST_BUFFER_OFFSET(buffer) = number;
    all.push_back(gst_harness_push_and_pull(harness, buffer));
  }
  gst_harness_teardown(harness);
  return all;
}

std::string text_of(GstBuffer* buffer) {
  const std::vector<std::uint8_t> bytes = frames::bytes(buffer);
  return std::string(bytes.begin(), bytes.end());
}

// rdpmetaconvert between pads, the frames it gets and the lines it has to make of them.
class Convert {
 public:
  Convert() : frames_(segmented()) {
    Rig rig("rdpmetaconvert");
    rig.main.look = [this](GstBuffer* buffer, guint64) {
      lines_.push_back(text_of(buffer));
      return std::string();
    };
    fail_unless(play(rig) == kFrames);
    fail_unless_equals_int(lines_.size(), kFrames);
    fail_unless(lines_[0].find("\"columns\":[[[") != std::string::npos, "%s", lines_[0].c_str());
  }
  ~Convert() {
    for (GstBuffer* frame : frames_) gst_buffer_unref(frame);
  }
  Convert(const Convert&) = delete;
  Convert& operator=(const Convert&) = delete;

  // Pushes until something is refused. How many frames were taken.
  guint64 play(Rig& rig) const {
    if (!rig.start() || !rig.begin(frames::caps(kShape))) return 0;
    guint64 taken = 0;
    while (taken < kFrames && rig.push(gst_buffer_ref(frames_[taken])) == GST_FLOW_OK) ++taken;
    return taken;
  }

  // What comes out is to be these lines, in order.
  void expect(Rig& rig) const {
    rig.main.look = [this](GstBuffer* buffer, guint64 nth) {
      return text_of(buffer) == lines_[nth] ? "" : "line " + std::to_string(nth) + " is another";
    };
  }

  void check_fresh_start(Rig& rig, const std::string& after) const {
    rig.check_fresh_start(after, frames::caps(kShape),
                          [this](guint64 number) { return gst_buffer_ref(frames_[number]); });
  }

 private:
  std::vector<GstBuffer*> frames_;
  std::vector<std::string> lines_;
};

void check(Rig& rig, guint64 taken, guint64 wanted, const std::string& what) {
  const Said said = faults::listen(rig.bus);
  fail_unless(rig.main.complaint().empty(), "%s: %s", what.c_str(), rig.main.complaint().c_str());
  fail_unless(said.errors.size() == (taken == wanted ? 0 : 1), "%s: %d taken, and %s", what.c_str(),
              static_cast<int>(taken), said.text().c_str());
  fail_unless_equals_uint64(rig.main.count(), taken);
}

}  // namespace

// Downstream's answers are passed on as they are, and are no error of the element's.
GST_START_TEST(test_convert_answers) {
  const Convert convert;
  for (const GstFlowReturn answer : {GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING, GST_FLOW_EOS,
                                     GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED}) {
    for (guint64 at = 0; at < kFrames; ++at) {
      Rig rig("rdpmetaconvert");
      convert.expect(rig);
      rig.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
      fail_unless_equals_uint64(convert.play(rig), at);
      fail_unless_equals_uint64(rig.main.count(), at + 1);
      fail_unless(faults::listen(rig.bus).errors.empty());
      fail_unless(rig.main.complaint().empty(), "%s", rig.main.complaint().c_str());
      convert.check_fresh_start(rig, gst_flow_get_name(answer));
    }
  }
}
GST_END_TEST

GST_START_TEST(test_convert_every_new) {
  failing_new::not_counted = [] { return faults::is_at_work() ? 0 : 1; };
  const Convert convert;
  int nth = 0;
  for (bool reached = true; reached;) {
    Rig rig("rdpmetaconvert");
    convert.expect(rig);
    failing_new::fail_at(++nth);
    const guint64 taken = convert.play(rig);
    rig.stop();
    reached = failing_new::reached();
    const std::string what = "operator new no. " + std::to_string(nth);
    check(rig, taken, kFrames, what);
    fail_unless(reached || taken == kFrames);
    convert.check_fresh_start(rig, what);
  }
}
GST_END_TEST

// Downstream's allocator has no memory for a line.
GST_START_TEST(test_convert_allocator) {
  const Convert convert;
  for (int nth = 1; nth <= static_cast<int>(kFrames) + 1; ++nth) {
    Rig rig("rdpmetaconvert");
    GstAllocator* allocator = fault_allocator_new(nth);
    rig.main.query = [=](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return false;
      gst_query_add_allocation_param(query, allocator, nullptr);
      return true;
    };
    convert.expect(rig);
    const guint64 taken = convert.play(rig);
    fail_unless_equals_uint64(taken, static_cast<guint64>(nth - 1));
    check(rig, taken, kFrames, "allocation " + std::to_string(nth));
    rig.stop();
    rig.main.query = nullptr;
    convert.check_fresh_start(rig, "an allocator without memory");
    gst_object_unref(allocator);
  }
}
GST_END_TEST

namespace {

// depthtestsrc before a pad, until it ends in one way or another. Its frames have numbers.
class Source {
 public:
  Source() : rig("depthtestsrc") {
    g_object_set(rig.element, "num-buffers", static_cast<int>(kFrames), nullptr);
    rig.main.look = [](GstBuffer* buffer, guint64 nth) {
      return GST_BUFFER_OFFSET(buffer) == nth ? "" : "frame " + std::to_string(nth) + " is another";
    };
    rig.main.query = [this](GstQuery* query) { return answer(query); };
  }
  ~Source() { gst_clear_caps(&caps_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // What it said.
  Said play() {
    Said said;
    if (rig.start()) {
      // The end comes downstream, or as an error.
      for (int i = 0; i < 10000 && said.errors.empty() && rig.main.ends() == 0; ++i) {
        g_usleep(500);
        said = faults::listen(rig.bus);
      }
    }
    {
      const faults::AtWork now(true);
      gst_element_set_state(rig.element, GST_STATE_READY);
    }
    const Said more = faults::listen(rig.bus);
    said.errors.insert(said.errors.end(), more.errors.begin(), more.errors.end());
    return said;
  }

  Rig rig;
  std::function<bool(GstQuery*)> allocation;

 private:
  bool answer(GstQuery* query) {
    if (GST_QUERY_TYPE(query) == GST_QUERY_CAPS) {
      gst_query_set_caps_result(query, caps_);
      return true;
    }
    return GST_QUERY_TYPE(query) == GST_QUERY_ALLOCATION && allocation != nullptr &&
           allocation(query);
  }

  GstCaps* caps_ = frames::caps(kShape);
};

}  // namespace

// The source stops at what is fatal, says so once, and starts again from its first frame.
GST_START_TEST(test_source_answers) {
  for (const GstFlowReturn answer :
       {GST_FLOW_OK, GST_FLOW_NOT_LINKED, GST_FLOW_EOS, GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED}) {
    for (guint64 at = 0; at < kFrames; ++at) {
      Source source;
      source.rig.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
      const Said said = source.play();
      const bool fatal = answer < GST_FLOW_EOS || answer == GST_FLOW_NOT_LINKED;
      const bool ends = fatal || answer == GST_FLOW_EOS;
      fail_unless(said.errors.size() == (fatal ? 1 : 0), "%s: %s", gst_flow_get_name(answer),
                  said.text().c_str());
      fail_unless_equals_uint64(source.rig.main.count(), ends ? at + 1 : kFrames);
      source.rig.main.answer = nullptr;
      source.rig.main.forget();
      fail_unless(source.play().errors.empty());
      fail_unless_equals_uint64(source.rig.main.count(), kFrames);
      fail_unless(source.rig.main.complaint().empty(), "%s", source.rig.main.complaint().c_str());
    }
  }
}
GST_END_TEST

// In the streaming thread, which is at work but while the pad behind it is.
GST_START_TEST(test_source_every_new) {
  static GThread* const test = g_thread_self();
  failing_new::not_counted = [] { return g_thread_self() != test && faults::is_at_work() ? 0 : 1; };
  int nth = 0;
  for (bool reached = true; reached;) {
    Source source;
    faults::at_work = true;
    failing_new::fail_at(++nth);
    const Said said = source.play();
    reached = failing_new::reached();
    faults::at_work = false;
    const bool all = source.rig.main.count() == kFrames;
    // The first says what is missing; GstBaseSrc adds that the stream has ended, as it always does.
    fail_unless(said.errors.empty() == all, "operator new no. %d: %d frames, %s", nth,
                static_cast<int>(source.rig.main.count()), said.text().c_str());
    fail_unless(said.errors.size() <= 2);
    fail_unless(all || said.errors[0].find("Not enough memory") != std::string::npos, "%s",
                said.text().c_str());
    fail_unless(source.rig.main.complaint().empty(), "%s", source.rig.main.complaint().c_str());
    source.rig.main.forget();
    fail_unless(source.play().errors.empty());
    fail_unless_equals_uint64(source.rig.main.count(), kFrames);
  }
  fail_unless(nth > 2, "only %d calls of operator new were seen", nth);
}
GST_END_TEST

// Pools of downstream's that refuse or fail.
GST_START_TEST(test_source_pools) {
  for (const PoolFault fault : {PoolFault::kNone, PoolFault::kConfigure, PoolFault::kStart,
                                PoolFault::kAllocate, PoolFault::kAcquire}) {
    for (int nth = 1; nth <= 3; ++nth) {
      Source source;
      GstBufferPool* pool = fault_pool_new(fault, nth);
      source.allocation = [=](GstQuery* query) {
        gst_query_add_allocation_pool(query, pool, 24 * 16 * 2, 0, 0);
        return true;
      };
      const Said said = source.play();
      const bool harmless = fault == PoolFault::kNone || fault == PoolFault::kConfigure ||
                            // The first buffer comes back and is used again.
                            (fault == PoolFault::kAllocate && nth > 1);
      fail_unless(said.errors.size() == (harmless ? 0 : 1), "pool fault %d at %d: %s",
                  static_cast<int>(fault), nth, said.text().c_str());
      if (harmless) fail_unless_equals_uint64(source.rig.main.count(), kFrames);
      fail_unless(source.rig.main.complaint().empty(), "%s", source.rig.main.complaint().c_str());
      source.allocation = nullptr;
      source.rig.main.forget();
      fail_unless(source.play().errors.empty());
      fail_unless_equals_uint64(source.rig.main.count(), kFrames);
      gst_object_unref(pool);
    }
  }
}
GST_END_TEST

static Suite* depth_faults_suite(void) {
  Suite* suite = suite_create("depth_faults");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_convert_answers);
  tcase_add_test(tcase, test_convert_every_new);
  tcase_add_test(tcase, test_convert_allocator);
  tcase_add_test(tcase, test_source_answers);
  tcase_add_test(tcase, test_source_every_new);
  tcase_add_test(tcase, test_source_pools);
  return suite;
}

GST_CHECK_MAIN(depth_faults)
