// SPDX-License-Identifier: LGPL-2.1-or-later
// depthupload and depthdownload with faults: each CUDA driver call fails once, in turn; C++ memory
// runs out; downstream returns any flow. At most one error names the cause; every frame leaves
// once, in order, intact; then a fresh start works. Needs the stand-in driver. See fault_rig.h for
// RDPSEGMENT_FAULTS.
#include <atomic>
#include <thread>

#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/failing_new.h"
#include "tests/support/fault_rig.h"

using faults::Rig;
using faults::Said;

namespace {

constexpr unsigned kFrames = 4;
const frames::Shape kShape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 24};

// An element between two test pads, and the frames that it copies.
class Transfer {
 public:
  explicit Transfer(const char* factory)
      : rig(factory), uploads_(g_str_equal(factory, "depthupload")) {
    // Downstream accepts the other memory.
    rig.main.query = [this](GstQuery* query) {
      if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return false;
      GstCaps* caps = uploads_ ? cuda_frames::caps(kShape) : frames::caps(kShape);
      gst_query_set_caps_result(query, caps);
      gst_caps_unref(caps);
      return true;
    };
    rig.main.look = [this](GstBuffer* buffer, guint64 nth) { return look(buffer, nth); };
    make_frames();
  }
  ~Transfer() { drop_frames(); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Pushes until a frame is refused; returns the number of accepted frames.
  guint64 play() {
    guint64 taken = 0;
    if (rig.start() && rig.begin(uploads_ ? frames::caps(kShape) : cuda_frames::caps(kShape))) {
      while (taken < kFrames && rig.push(std::exchange(frames_[taken], nullptr)) == GST_FLOW_OK) {
        ++taken;
      }
    }
    rig.stop();
    return taken;
  }

  // At most one error, and at least one unless all frames were accepted. GstBaseTransform retries
  // failed caps with the first frame, so all frames may be accepted after an error.
  void check(guint64 taken, const std::string& fault) {
    const Said said = faults::listen(rig.bus);
    fail_unless(said.errors.size() <= 1 && (taken == kFrames || !said.errors.empty()),
                "%s: %d taken, and %s", fault.c_str(), static_cast<int>(taken),
                said.text().c_str());
    fail_unless(rig.main.complaint().empty(), "%s: %s", fault.c_str(),
                rig.main.complaint().c_str());
    fail_unless_equals_uint64(rig.main.count(), taken);
    check_fresh_start(fault);
  }

  void check_fresh_start(const std::string& fault) {
    make_frames();
    rig.check_fresh_start(
        fault, uploads_ ? frames::caps(kShape) : cuda_frames::caps(kShape),
        [this](guint64 number) { return std::exchange(frames_[number], nullptr); });
  }

  Rig rig;

 private:
  std::string look(GstBuffer* buffer, guint64 nth) {
    const int left = standin::inject_any(0, 0);
    // Samples in a lost context cannot be read any more.
    const bool lost =
        left == 0 && (answer == CUDA_ERROR_LAUNCH_FAILED || answer == CUDA_ERROR_ILLEGAL_ADDRESS);
    if (lost && uploads_) return std::string();
    const bool same = cuda_frames::samples(buffer, kShape) == samples_[nth] &&
                      GST_BUFFER_PTS(buffer) == nth * GST_SECOND / 30;
    standin::inject_any(left, answer);
    return same ? "" : "frame " + std::to_string(nth) + " is another";
  }

  void make_frames() {
    drop_frames();
    const cuda_frames::ContextRef context = uploads_ ? nullptr : cuda_frames::new_context();
    samples_.clear();
    for (unsigned number = 0; number < kFrames; ++number) {
      GstBuffer* plain = frames::make(kShape, number, number);
      samples_.push_back(cuda_frames::samples(plain, kShape));
      if (!uploads_) {
        gst_buffer_unref(plain);
        plain = cuda_frames::make(context.get(), kShape, number, number);
      }
      frames_.push_back(plain);
    }
  }

  void drop_frames() {
    for (GstBuffer* frame : frames_) {
      if (frame != nullptr) gst_buffer_unref(frame);
    }
    frames_.clear();
  }

  bool uploads_;
  std::vector<GstBuffer*> frames_;
  std::vector<std::vector<std::uint8_t>> samples_;

 public:
  CUresult answer = CUDA_SUCCESS;
};

const char* const kElements[] = {"depthupload", "depthdownload"};

}  // namespace

CHECK_TEST(test_every_call, standin::available()) {
  // libgstcuda makes some driver calls once per process and does not survive their failure: make
  // them now.
  cuda_frames::new_context();
  for (const char* element : kElements) {
    unsigned errors = 0;
    unsigned calls = 0;
    for (const CUresult answer : {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_FAILED,
                                  CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_NOT_READY}) {
      int nth = 0;
      for (bool reached = true; reached;) {
        Transfer transfer(element);
        transfer.answer = answer;
        standin::inject_any(++nth, answer);
        const guint64 taken = transfer.play();
        reached = standin::inject_any(0, 0) == 0;
        errors += taken == kFrames ? 0 : 1;
        calls += reached ? 1 : 0;
        transfer.check(taken, std::string(element) + ", call " + std::to_string(nth) +
                                  " answered " + std::to_string(answer));
      }
    }
    std::printf("%s: %u calls failed, %u errors\n", element, calls, errors);
    fail_unless(errors > 20, "only %u errors were seen", errors);
  }
}

CHECK_TEST(test_every_new, standin::available()) {
  failing_new::not_counted = [] {
    return faults::is_at_work() && standin::inside() != nullptr && standin::inside()() == 0 ? 0 : 1;
  };
  for (const char* element : kElements) {
    int nth = 0;
    for (bool reached = true; reached;) {
      Transfer transfer(element);
      failing_new::fail_at(++nth);
      const guint64 taken = transfer.play();
      reached = failing_new::reached();
      transfer.check(taken, std::string(element) + ", operator new no. " + std::to_string(nth));
    }
    fail_unless(nth > 1, "operator new was never called");
  }
}

CHECK_TEST(test_answers, standin::available()) {
  for (const char* element : kElements) {
    for (const GstFlowReturn answer : {GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING, GST_FLOW_EOS,
                                       GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED}) {
      for (guint64 at = 0; at < kFrames; ++at) {
        Transfer transfer(element);
        transfer.rig.main.answer = [=](guint64 nth) { return nth == at ? answer : GST_FLOW_OK; };
        fail_unless_equals_uint64(transfer.play(), at);
        fail_unless_equals_uint64(transfer.rig.main.count(), at + 1);
        fail_unless(faults::listen(transfer.rig.bus).errors.empty());
        fail_unless(transfer.rig.main.complaint().empty(), "%s",
                    transfer.rig.main.complaint().c_str());
        transfer.check_fresh_start(gst_flow_get_name(answer));
      }
    }
  }
}

// Upstream sends allocation queries while the element starts and stops. Downstream stops first, and
// a query does not check whether the pad is still active.
CHECK_TEST(test_queries_while_stopping, standin::available()) {
  for (const char* element : kElements) {
    Transfer transfer(element);
    GstCaps* caps =
        g_str_equal(element, "depthupload") ? frames::caps(kShape) : cuda_frames::caps(kShape);
    std::atomic<bool> done = false;
    std::atomic<unsigned> asked = 0;
    // Query the element's own pad: a source pad sends pending events before a query, which only the
    // streaming thread may do.
    GstPad* sink = gst_element_get_static_pad(transfer.rig.element, "sink");
    std::thread asks([&] {
      while (!done) {
        GstQuery* query = gst_query_new_allocation(caps, TRUE);
        gst_pad_query(sink, query);
        gst_query_unref(query);
        asked++;
      }
    });
    const unsigned rounds = 40 * faults::factor();
    for (unsigned round = 0; round < rounds; ++round) {
      transfer.check_fresh_start(std::string(element) + ", stopped while asked for memory");
      // The second query from now on certainly starts after the stop.
      const unsigned before = asked;
      while (asked < before + 2) std::this_thread::yield();
    }
    done = true;
    asks.join();
    gst_object_unref(sink);
    gst_caps_unref(caps);
    fail_unless(faults::listen(transfer.rig.bus).errors.empty());
  }
}

// Downstream requests several preallocated frames, but memory suffices only for the first.
CHECK_TEST(test_no_memory_in_advance, standin::available()) {
  constexpr guint kWanted = 3;
  for (const char* element : kElements) {
    const char* call =
        g_str_equal(element, "depthupload") ? "cuMemAllocPitch_v2" : "cuMemHostAlloc";
    const int before = standin::live("all");
    for (int nth = 1; nth <= 4; ++nth) {
      Transfer transfer(element);
      auto caps_query = transfer.rig.main.query;
      transfer.rig.main.query = [&](GstQuery* query) {
        if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return caps_query(query);
        gst_query_add_allocation_pool(query, nullptr, 1024, kWanted, 0);
        return true;
      };
      standin::inject(call, nth, CUDA_ERROR_OUT_OF_MEMORY);
      const guint64 taken = transfer.play();
      standin::inject(call, 0, 0);
      transfer.check(taken, std::string(element) + ", " + call + " no. " + std::to_string(nth));
    }
    fail_unless_equals_int(standin::live("all"), before);
  }
}

CHECK_CASE(depthtransfer_faults, .missing = cuda_frames::missing)
