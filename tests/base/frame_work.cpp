// SPDX-License-Identifier: LGPL-2.1-or-later
// FrameWork with several inputs and outputs, in system memory.
#include <new>
#include <stdexcept>

#include "tests/base/work_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/check_test.h"

using frames::Shape;
using namespace rdp::gst;
using namespace rdp::test;

namespace {

constexpr Shape kShapes[] = {{GST_VIDEO_FORMAT_GRAY8, 31, 9},
                             {GST_VIDEO_FORMAT_GRAY16_LE, 64, 4},
                             {GST_VIDEO_FORMAT_GRAY8, 1, 1}};

// A pair and its outputs.
struct Pair {
  explicit Pair(const Shape& of, unsigned seed = 1)
      : shape(of),
        info(frames::video_info(of)),
        left(frames::make(of, seed)),
        right(frames::make(of, seed + 1)),
        out{empty(), empty()} {}
  ~Pair() {
    for (GstBuffer* buffer : {left, right, out[0], out[1]}) gst_buffer_unref(buffer);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  GstBuffer* empty() const {
    return gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  }
  GstFlowReturn run(WorkRig& rig) const {
    const FrameBuffer inputs[] = {{left, &info, MemoryKind::kSystem, "left"},
                                  {right, &info, MemoryKind::kSystem, "right"}};
    const FrameBuffer outputs[] = {{out[0], &info, MemoryKind::kSystem},
                                   {out[1], &info, MemoryKind::kSystem}};
    return rig.run(inputs, outputs);
  }
  void check() const {
    fail_unless(samples(out[0], shape) ==
                difference(samples(left, shape), samples(right, shape), shape));
    fail_unless(samples(out[1], shape) == samples(right, shape));
  }

  Shape shape;
  GstVideoInfo info;
  GstBuffer* left;
  GstBuffer* right;
  GstBuffer* out[2];
};

}  // namespace

CHECK_TEST(test_pairs) {
  for (const Shape& shape : kShapes) {
    WorkRig rig;
    rig.script.attaches = true;
    for (unsigned seed = 1; seed < 4; ++seed) {
      const Pair pair(shape, seed);
      fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
      pair.check();
      // The statistics count one frame per pair; the results are on the first output.
      fail_unless_equals_uint64(GST_BUFFER_OFFSET(pair.out[0]), seed);
      fail_unless_equals_uint64(rig.stats.frames, seed);
      fail_unless_equals_uint64(rig.stats.pixels,
                                seed * static_cast<guint64>(shape.width * shape.height));
    }
    fail_if(rig.stats.on_gpu);
  }
}

// One frame of two halves is a pair, too, and counts half of its pixels.
CHECK_TEST(test_packed) {
  const Shape packed{GST_VIDEO_FORMAT_GRAY8, 20, 6};
  const Shape half{GST_VIDEO_FORMAT_GRAY8, 10, 6};
  WorkRig rig;
  const Pair views(half);
  const GstVideoInfo info = frames::video_info(packed);
  g_autoptr(GstBuffer) frame = frames::make(packed, 7);
  const FrameBuffer input{frame, &info, MemoryKind::kSystem};
  const FrameBuffer outputs[] = {{views.out[0], &views.info, MemoryKind::kSystem},
                                 {views.out[1], &views.info, MemoryKind::kSystem}};
  fail_unless_equals_int(rig.run({&input, 1}, outputs), GST_FLOW_OK);
  const std::vector<int> all = samples(frame, packed);
  std::vector<int> left, right;
  for (std::size_t i = 0; i < all.size(); ++i) (i % 20 < 10 ? left : right).push_back(all[i]);
  fail_unless(samples(views.out[0], half) == difference(left, right, half));
  fail_unless(samples(views.out[1], half) == right);
  fail_unless_equals_uint64(rig.stats.frames, 1);
  fail_unless_equals_uint64(rig.stats.pixels, 60);
}

CHECK_TEST(test_writes) {
  const Pair pair(kShapes[0]);
  const std::vector<int> left = samples(pair.left, pair.shape);
  const std::vector<int> right = samples(pair.right, pair.shape);
  WorkRig rig;
  rig.script.writes = true;
  fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
  fail_unless_equals_int(samples(pair.left, pair.shape)[0], right[0]);
  fail_unless_equals_int(samples(pair.right, pair.shape)[0], left[0]);
  fail_unless(left[0] != right[0]);
}

CHECK_TEST(test_errors) {
  WorkRig rig;
  const Pair pair(kShapes[0]);
  // The error names the faulty input.
  g_autoptr(GstBuffer) right = gst_buffer_new_allocate(nullptr, 5, nullptr);
  const FrameBuffer inputs[] = {{pair.left, &pair.info, MemoryKind::kSystem, "left"},
                                {right, &pair.info, MemoryKind::kSystem, "right"}};
  const FrameBuffer output{pair.out[0], &pair.info, MemoryKind::kSystem};
  fail_unless_equals_int(rig.run(inputs, {&output, 1}), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "A frame of right cannot be read: ");
  // An output that is too small, behind a valid one.
  const FrameBuffer both[] = {inputs[0], {pair.right, &pair.info, MemoryKind::kSystem, "right"}};
  const FrameBuffer outputs[] = {output, {right, &pair.info, MemoryKind::kSystem}};
  fail_unless_equals_int(rig.run(both, outputs), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
                      "Cannot write an output frame.");
  // An exception of the worker.
  rig.script.at = [](const std::string&) { throw std::bad_alloc(); };
  fail_unless_equals_int(pair.run(rig), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                      "Not enough memory to pair a frame.");
  struct NeedsMuch : rdp::gst::NoMemoryForWork {
    const char* what() const noexcept override { return "9 MiB are needed: make it smaller"; }
  };
  rig.script.at = [](const std::string&) { throw NeedsMuch(); };
  fail_unless_equals_int(pair.run(rig), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                      "Not enough memory to pair a frame: 9 MiB are needed: make it smaller.");
  rig.script.at = [](const std::string&) { throw std::runtime_error("for once"); };
  fail_unless_equals_int(pair.run(rig), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
                      "A frame could not be paired: for once.");
  fail_unless_equals_uint64(rig.stats.frames, 0);
  // The errors have no after-effect.
  rig.script.at = nullptr;
  fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
  pair.check();
}

// Outputs acquired during the work: once each, and a failure of their source ends the work.
CHECK_TEST(test_acquired_outputs) {
  struct Maker final : rdp::gst::OutputSource {
    explicit Maker(const Pair& of) : pair(of) {}
    GstFlowReturn acquire(Frame* frame) override {
      fail_if(frame->on_gpu);
      ++calls;
      frame->outputs.push_back({pair.out[0], &pair.info, MemoryKind::kSystem});
      return answer;
    }
    const Pair& pair;
    int calls = 0;
    GstFlowReturn answer = GST_FLOW_OK;
  };
  WorkRig rig;
  const Pair pair(kShapes[0]);
  Maker maker(pair);
  const FrameBuffer inputs[] = {{pair.left, &pair.info, MemoryKind::kSystem, "left"},
                                {pair.right, &pair.info, MemoryKind::kSystem, "right"}};
  for (int i = 1; i < 3; ++i) {
    fail_unless_equals_int(rig.run(inputs, &maker), GST_FLOW_OK);
    fail_unless_equals_int(maker.calls, i);
  }
  fail_unless(samples(pair.out[0], pair.shape) == difference(samples(pair.left, pair.shape),
                                                             samples(pair.right, pair.shape),
                                                             pair.shape));
  maker.answer = GST_FLOW_FLUSHING;
  fail_unless_equals_int(rig.run(inputs, &maker), GST_FLOW_FLUSHING);
  fail_unless_equals_uint64(rig.stats.frames, 2);
  fail_if(gst_bus_have_pending(rig.bus));
}

CHECK_TEST(test_allocates_nothing, RDP_COUNTS_ALLOCATIONS) {
  WorkRig rig;
  const Pair pair(kShapes[1]);
  for (int i = 0; i < 3; ++i) fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
  const std::uint64_t before = allocation_count::count;
  for (int i = 0; i < 20; ++i) pair.run(rig);
  const std::uint64_t after = allocation_count::count;
  fail_unless_equals_uint64(after - before, 0);
  pair.check();
}

CHECK_CASE(frame_work)
