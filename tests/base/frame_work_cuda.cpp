// SPDX-License-Identifier: LGPL-2.1-or-later
// FrameWork with several inputs and outputs in CUDA and NVMM memory, also mixed. On the stand-in
// driver or a real one.
#include "common/gpu_error.h"
#include "gst/elements/base/data_pad.h"
#include "gst/elements/base/frame_output.h"
#include "tests/base/extra_pad_rig.h"
#include "tests/base/work_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/nvmm_cuda_frames.h"

using frames::Shape;
using namespace rdp::gst;
using namespace rdp::test;

namespace {

constexpr Shape kShapes[] = {{GST_VIDEO_FORMAT_GRAY8, 31, 9}, {GST_VIDEO_FORMAT_GRAY16_LE, 64, 4}};

// Two inputs and two outputs, each in system memory or in a context.
struct Pair {
  Pair(const Shape& of, GstCudaContext* left, GstCudaContext* right, GstCudaContext* first,
       GstCudaContext* second)
      : shape(of), info(frames::video_info(of)), contexts{left, right, first, second} {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned seed = i < 2 ? i + 1 : 9;
      buffers[i] = contexts[i] == nullptr ? frames::make(shape, seed)
                                          : cuda_frames::make(contexts[i], shape, seed);
    }
  }
  ~Pair() {
    for (GstBuffer* buffer : buffers) gst_buffer_unref(buffer);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  MemoryKind memory(int i) const {
    return contexts[i] == nullptr ? MemoryKind::kSystem : MemoryKind::kCuda;
  }
  bool choose(WorkRig& rig) const {
    GstCaps* caps[4];
    for (int i = 0; i < 4; ++i) {
      caps[i] = memory(i) == MemoryKind::kCuda ? cuda_frames::caps(shape) : frames::caps(shape);
    }
    const bool chosen = rig.work->choose_backend(caps);
    for (GstCaps* of : caps) gst_caps_unref(of);
    return chosen;
  }
  GstFlowReturn run(WorkRig& rig) const {
    const FrameBuffer inputs[] = {{buffers[0], &info, memory(0), "left"},
                                  {buffers[1], &info, memory(1), "right"}};
    const FrameBuffer outputs[] = {{buffers[2], &info, memory(2)}, {buffers[3], &info, memory(3)}};
    return rig.run(inputs, outputs);
  }
  void check() const {
    fail_unless(samples(buffers[2], shape) ==
                difference(samples(buffers[0], shape), samples(buffers[1], shape), shape));
    fail_unless(samples(buffers[3], shape) == samples(buffers[1], shape));
  }

  Shape shape;
  GstVideoInfo info;
  GstCudaContext* contexts[4];
  GstBuffer* buffers[4];
};

}  // namespace

// Each of the inputs and outputs in each memory.
CHECK_TEST(test_memories) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const Shape& shape : kShapes) {
    for (unsigned which = 0; which < 16; ++which) {
      const auto in = [&](unsigned bit) {
        return (which & (1U << bit)) != 0 ? context.get() : nullptr;
      };
      const Pair pair(shape, in(0), in(1), in(2), in(3));
      WorkRig rig(GST_RDP_BACKEND_CUDA);
      fail_unless(pair.choose(rig));
      for (int i = 0; i < 3; ++i) {
        fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
        pair.check();
      }
      fail_unless(rig.stats.on_gpu);
      fail_unless_equals_uint64(rig.stats.frames, 3);
    }
  }
}

CHECK_TEST(test_different_contexts) {
  const cuda_frames::ContextRef one = cuda_frames::new_context();
  const cuda_frames::ContextRef other = cuda_frames::new_context();
  WorkRig rig(GST_RDP_BACKEND_AUTO);
  {
    const Pair pair(kShapes[0], one.get(), other.get(), nullptr, nullptr);
    fail_unless(pair.choose(rig));
    fail_unless_equals_int(pair.run(rig), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                        "depthdownload ! depthupload");
  }
  {
    const Pair pair(kShapes[0], one.get(), one.get(), other.get(), nullptr);
    fail_unless(pair.choose(rig));
    fail_unless_equals_int(pair.run(rig), GST_FLOW_ERROR);
    frames::check_error(rig.bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
                        "Cannot write an output frame.");
  }
  const Pair pair(kShapes[0], other.get(), nullptr, other.get(), other.get());
  fail_unless(pair.choose(rig));
  fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
  pair.check();
}

// Acquired outputs get the context of the inputs, which changes from pair to pair.
CHECK_TEST(test_outputs_follow) {
  struct Maker final : rdp::gst::OutputSource {
    GstFlowReturn acquire(Frame* frame) override {
      fail_unless(frame->on_gpu);
      auto* context = reinterpret_cast<GstCudaContext*>(rig->gpu.context());
      fail_unless(context == wanted);
      output = cuda_frames::make(context, kShapes[0], 5);
      frame->outputs.push_back({output, info, MemoryKind::kCuda});
      return GST_FLOW_OK;
    }
    WorkRig* rig = nullptr;
    GstCudaContext* wanted = nullptr;
    const GstVideoInfo* info = nullptr;
    GstBuffer* output = nullptr;
  };
  const cuda_frames::ContextRef contexts[] = {cuda_frames::new_context(),
                                              cuda_frames::new_context()};
  WorkRig rig(GST_RDP_BACKEND_AUTO);
  for (const int which : {0, 1, 0, 0, 1}) {
    GstCudaContext* context = contexts[which].get();
    const Pair pair(kShapes[0], context, nullptr, nullptr, nullptr);
    fail_unless(pair.choose(rig));
    Maker maker;
    maker.rig = &rig;
    maker.wanted = context;
    maker.info = &pair.info;
    const FrameBuffer inputs[] = {{pair.buffers[0], &pair.info, MemoryKind::kCuda, "left"},
                                  {pair.buffers[1], &pair.info, MemoryKind::kSystem, "right"}};
    fail_unless_equals_int(rig.run(inputs, &maker), GST_FLOW_OK);
    fail_unless(samples(maker.output, pair.shape) ==
                difference(samples(pair.buffers[0], pair.shape),
                           samples(pair.buffers[1], pair.shape), pair.shape));
    gst_buffer_unref(maker.output);
  }
}

// The halves of one frame in CUDA memory, or of a system-memory frame that is uploaded.
CHECK_TEST(test_packed) {
  const Shape packed{GST_VIDEO_FORMAT_GRAY16_LE, 20, 6};
  const Shape half{GST_VIDEO_FORMAT_GRAY16_LE, 10, 6};
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const bool in_cuda : {false, true}) {
    const Pair views(half, nullptr, nullptr, nullptr, context.get());
    WorkRig rig(GST_RDP_BACKEND_CUDA);
    fail_unless(views.choose(rig));
    const GstVideoInfo info = frames::video_info(packed);
    g_autoptr(GstBuffer) frame =
        in_cuda ? cuda_frames::make(context.get(), packed, 7) : frames::make(packed, 7);
    const FrameBuffer input{frame, &info, in_cuda ? MemoryKind::kCuda : MemoryKind::kSystem};
    const FrameBuffer outputs[] = {{views.buffers[2], &views.info, MemoryKind::kSystem},
                                   {views.buffers[3], &views.info, MemoryKind::kCuda}};
    fail_unless_equals_int(rig.run({&input, 1}, outputs), GST_FLOW_OK);
    const std::vector<int> all = samples(frame, packed);
    std::vector<int> left, right;
    for (std::size_t i = 0; i < all.size(); ++i) (i % 20 < 10 ? left : right).push_back(all[i]);
    fail_unless(samples(views.buffers[2], half) == difference(left, right, half));
    fail_unless(samples(views.buffers[3], half) == right);
  }
}

// A frame in NVMM memory paired with one in system memory; pairing with another context is refused.
CHECK_TEST(test_nvmm) {
  const auto device = std::make_shared<nvmm_cuda_frames::Device>();
  const Shape shape = kShapes[0];
  for (const int type : {nvmm_frames::kDevice, nvmm_frames::kPinned, nvmm_frames::kSystem}) {
    const Pair pair(shape, nullptr, nullptr, nullptr, nullptr);
    GstBuffer* frame = nvmm_frames::make(shape, nvmm_cuda_frames::batch_in(device, type), 1);
    WorkRig rig(GST_RDP_BACKEND_AUTO);
    // Both engines reach it; the stand-in copies none of it.
    const bool both = type == nvmm_frames::kPinned;
    std::string engine;
    if (both) {
      rig.script.at = [&](const std::string& step) {
        engine = step;
        throw rdp::GpuError("enough");
      };
    }
    g_autoptr(GstCaps) nvmm_caps = gst_caps_from_string(nvmm_frames::caps_string(shape).c_str());
    g_autoptr(GstCaps) caps = frames::caps(shape);
    const GstCaps* const all[] = {nvmm_caps, caps};
    fail_unless(rig.work->choose_backend(all));
    const FrameBuffer inputs[] = {{frame, &pair.info, MemoryKind::kNvmm, "left"},
                                  {pair.buffers[1], &pair.info, MemoryKind::kSystem, "right"}};
    const FrameBuffer output{pair.buffers[2], &pair.info, MemoryKind::kSystem};
    fail_unless_equals_int(rig.run(inputs, {&output, 1}), both ? GST_FLOW_ERROR : GST_FLOW_OK);
    if (both) {
      fail_unless_equals_text(engine, "gpu:analyze");
      gst_buffer_unref(frame);
      continue;
    }
    fail_unless(rig.stats.on_gpu == (type != nvmm_frames::kSystem));
    fail_unless(samples(pair.buffers[2], shape) == difference(samples(pair.buffers[0], shape),
                                                              samples(pair.buffers[1], shape),
                                                              shape));
    gst_buffer_unref(frame);
  }
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const Pair pair(shape, nullptr, context.get(), nullptr, nullptr);
  g_autoptr(GstBuffer) frame =
      nvmm_frames::make(shape, nvmm_cuda_frames::batch_in(device, nvmm_frames::kDevice), 1);
  WorkRig rig(GST_RDP_BACKEND_AUTO);
  fail_unless(pair.choose(rig));
  const FrameBuffer inputs[] = {{frame, &pair.info, MemoryKind::kNvmm, "left"},
                                {pair.buffers[1], &pair.info, MemoryKind::kCuda, "right"}};
  const FrameBuffer output{pair.buffers[2], &pair.info, MemoryKind::kSystem};
  fail_unless_equals_int(rig.run(inputs, {&output, 1}), GST_FLOW_ERROR);
  frames::check_error(rig.bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
                      "depthdownload ! depthupload");
}

// The GPU fails during its trial, before and after it wrote to the inputs: the CPU gets them
// unchanged.
CHECK_TEST(test_trial_fails) {
  for (const bool late : {false, true}) {
    const Pair pair(kShapes[0], nullptr, nullptr, nullptr, nullptr);
    const std::vector<int> left = samples(pair.buffers[0], pair.shape);
    const std::vector<int> right = samples(pair.buffers[1], pair.shape);
    WorkRig rig(GST_RDP_BACKEND_AUTO);
    rig.script.writes = true;
    rig.script.loses_results = late;
    bool failed = false;
    rig.script.at = [&](const std::string& step) {
      if (step != "gpu:finish") return;
      failed = true;
      if (!late) throw rdp::GpuError("for once");
    };
    fail_unless(pair.choose(rig));
    unsigned exchanged = 0;
    while (!failed) {
      fail_unless_equals_int(pair.run(rig), GST_FLOW_OK);
      fail_unless(++exchanged < 20);
    }
    gst_message_unref(frames::wait_message(rig.bus, GST_MESSAGE_WARNING));
    const bool odd = exchanged % 2 != 0;
    fail_unless_equals_int(samples(pair.buffers[0], pair.shape)[0], odd ? right[0] : left[0]);
    fail_unless_equals_int(samples(pair.buffers[1], pair.shape)[0], odd ? left[0] : right[0]);
    fail_if(rig.stats.on_gpu);
  }
}

// A data pad gives CUDA memory only if downstream's caps name it; the pool follows the context.
CHECK_TEST(test_data_pad) {
  const cuda_frames::ContextRef contexts[] = {cuda_frames::new_context(),
                                              cuda_frames::new_context()};
  const Shape shape{GST_VIDEO_FORMAT_GRAY8, 8, 4};
  for (const char* takes : {"video/x-raw(memory:CUDAMemory)", "video/x-raw", "ANY"}) {
    rdp::test::ExtraPadRig rig(GST_TYPE_RDP_DATA_PAD);
    rig.takes = takes;
    auto* pad = GST_RDP_DATA_PAD(rig.pad);
    const bool cuda = rig.takes.find("CUDA") != std::string::npos;
    gst_rdp_data_pad_set_context(pad, GST_OBJECT_CAST(contexts[0].get()));
    rig.begin();
    for (const int which : {0, 0, 1, 0}) {
      GstCudaContext* context = contexts[which].get();
      gst_rdp_data_pad_set_context(pad, GST_OBJECT_CAST(context));
      GstFlowReturn flow;
      GstBuffer* buffer = gst_rdp_extra_pad_acquire(rig.pad, &flow);
      fail_unless(buffer != nullptr);
      fail_unless(rdp::gst::is_cuda_buffer(buffer) == cuda);
      fail_unless(gst_rdp_data_pad_get_memory(pad) ==
                  (cuda ? MemoryKind::kCuda : MemoryKind::kSystem));
      if (cuda) {
        fail_unless(GST_CUDA_MEMORY_CAST(gst_buffer_peek_memory(buffer, 0))->context == context);
      }
      fail_unless_equals_int(GST_VIDEO_INFO_WIDTH(gst_rdp_data_pad_get_info(pad)), shape.width);
      fail_unless_equals_int(gst_rdp_extra_pad_push(rig.pad, buffer), GST_FLOW_OK);
    }
  }
}

CHECK_CASE(frame_work_cuda, .missing = cuda_frames::missing)
