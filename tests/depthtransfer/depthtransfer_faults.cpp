// SPDX-License-Identifier: LGPL-2.1-or-later
// depthupload and depthdownload with faults that tests/conformance does not have: queries while
// they stop, and no memory for frames that are allocated in advance. Needs the stand-in driver. See
// fault_rig.h for RDPSEGMENT_FAULTS.
#include <atomic>
#include <thread>

#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"
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
    const bool same = cuda_frames::samples(buffer, kShape) == samples_[nth] &&
                      GST_BUFFER_PTS(buffer) == nth * GST_SECOND / 30;
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
};

const char* const kElements[] = {"depthupload", "depthdownload"};

}  // namespace

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
