// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/pair_method.h"

#include <cstring>
#include <vector>

#ifdef RDP_HAVE_CUDA
#include "gst/cuda/gpu_session.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#endif

using namespace rdp;
using namespace rdp::gst;

namespace pairs {
namespace {

void step(const Script& script, const char* name) {
  if (script.at) script.at(name);
}

// A half of a packed frame in any memory: a view of its columns.
FrameSurface half_of(const FrameSurface& packed, bool right) {
  FrameSurface half = packed;
  const int width = packed.width() / 2;
  const int bytes =
      bytes_per_sample(packed.device.data != 0 ? packed.device.type : packed.host.type);
  const int skip = right ? width * bytes : 0;
  if (packed.host.data != nullptr) {
    half.host.data += skip;
    half.host.width = width;
  }
  if (packed.device.data != 0) {
    half.device.data += static_cast<cuda::DevicePointer>(skip);
    half.device.width = width;
  }
  return half;
}

class CpuWorker final : public Worker {
 public:
  explicit CpuWorker(const Script& script) : script_(script) {}

  void analyze(const Task& task) override {
    step(script_, "analyze");
    const DepthView left = task.inputs[0].host;
    const DepthView right = task.inputs[1].host;
    for (std::size_t which = 0; which < task.outputs.size(); ++which) {
      const MutableDepthView& to = task.outputs[which].host;
      const int mask = bytes_per_sample(to.type) == 1 ? 0xFF : 0xFFFF;
      for (int row = 0; row < to.height; ++row) {
        for (int column = 0; column < to.width; ++column) {
          const int value = right.at(row, column);
          to.set(row, column, (which == 0 ? left.at(row, column) - value : value) & mask);
        }
      }
    }
  }
  void paint(const Task& task) override {
    step(script_, "paint");
    const RgbaView& to = task.picture;
    for (int row = 0; row < to.height; ++row) {
      std::memset(to.data + row * to.stride, 0x5A, 4 * static_cast<std::size_t>(to.width));
    }
  }
  void write_back(const Task& task) override {
    const int first = DepthView(task.inputs[0].host).at(0, 0);
    task.inputs[0].host.set(0, 0, DepthView(task.inputs[1].host).at(0, 0));
    task.inputs[1].host.set(0, 0, first);
  }
  bool finish(const Task&) override {
    step(script_, "finish");
    return true;
  }

 private:
  const Script& script_;
};

#ifdef RDP_HAVE_CUDA
// Copies everything to the host, runs the CPU code there, and copies the result back.
class GpuWorker final : public Worker {
 public:
  GpuWorker(const Script& script, GpuSession& session)
      : script_(script), session_(session), worker_(none_) {}

  void analyze(const Task& task) override {
    step(script_, "gpu:analyze");
    fetch(task);
    worker_.analyze(on_host(task));
    store(inputs_, outputs_);
  }
  void paint(const Task& task) override {
    const cuda::DeviceRgbaView& to = task.device_picture;
    const std::vector<unsigned char> row(4 * static_cast<std::size_t>(to.width), 0x5A);
    for (int y = 0; y < to.height; ++y) {
      upload(to.data + static_cast<cuda::DevicePointer>(y * to.pitch), row.data(), row.size());
    }
    session_.synchronize();
  }
  void write_back(const Task& task) override {
    worker_.write_back(on_host(task));
    store(0, inputs_);
  }
  bool finish(const Task& task) override {
    step(script_, "gpu:finish");
    if (script_.loses_results) task.results[0] = GST_MINI_OBJECT_CAST(gst_buffer_new());
    return true;
  }

 private:
  static std::size_t row_bytes(const cuda::DeviceDepthView& view) {
    return static_cast<std::size_t>(view.width * bytes_per_sample(view.type));
  }
  void fetch(const Task& task) {
    inputs_ = task.inputs.size();
    outputs_ = task.outputs.size();
    surfaces_.assign(task.inputs.begin(), task.inputs.end());
    surfaces_.insert(surfaces_.end(), task.outputs.begin(), task.outputs.end());
    bytes_.resize(surfaces_.size());
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      const cuda::DeviceDepthView& device = surfaces_[i].device;
      const std::size_t length = row_bytes(device);
      bytes_[i].resize(length * static_cast<std::size_t>(device.height));
      surfaces_[i].host = {bytes_[i].data(), static_cast<std::ptrdiff_t>(length), device.width,
                           device.height, device.type};
      if (i >= inputs_) continue;
      for (int y = 0; y < device.height; ++y) {
        cuda::check(cuda::driver().cuMemcpyDtoHAsync_v2(
                        bytes_[i].data() + static_cast<std::size_t>(y) * length,
                        device.data + static_cast<cuda::DevicePointer>(y * device.pitch), length,
                        session_.stream()),
                    "test");
      }
    }
    session_.synchronize();
  }
  void store(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      const cuda::DeviceDepthView& device = surfaces_[i].device;
      const std::size_t length = row_bytes(device);
      for (int y = 0; y < device.height; ++y) {
        upload(device.data + static_cast<cuda::DevicePointer>(y * device.pitch),
               bytes_[i].data() + static_cast<std::size_t>(y) * length, length);
      }
    }
    session_.synchronize();
  }
  void upload(cuda::DevicePointer to, const void* from, std::size_t bytes) {
    cuda::check(cuda::driver().cuMemcpyHtoDAsync_v2(to, from, bytes, session_.stream()), "test");
  }
  Task on_host(Task task) {
    task.inputs = std::span(surfaces_).first(inputs_);
    task.outputs = std::span(surfaces_).subspan(inputs_);
    return task;
  }

  const Script& script_;
  const Script none_;
  GpuSession& session_;
  CpuWorker worker_;
  std::size_t inputs_ = 0;
  std::size_t outputs_ = 0;
  std::vector<FrameSurface> surfaces_;
  std::vector<std::vector<std::byte>> bytes_;
};
#endif

class PairMethod final : public JoinedMethod {
 public:
  explicit PairMethod(const Script& script) : script_(script), cpu_(script) {}

  bool engines_interchangeable() const override { return script_.interchangeable; }
  bool arrange(std::span<const FrameSurface> surfaces,
               std::vector<FrameSurface>* arranged) override {
    if (surfaces.size() != 1) return false;
    arranged->push_back(half_of(surfaces[0], false));
    arranged->push_back(half_of(surfaces[0], true));
    return true;
  }
  Plan plan(const Frame&) override {
    Plan plan;
    plan.writes = script_.writes;
    plan.inputs_of_frame = 2;
    return plan;
  }
  GstCaps* possible_caps(std::span<const JoinedInput> inputs, bool cuda, bool) override {
    second_ = inputs[1].caps;
    GstCaps* caps = gst_caps_new_empty();
    GstStructure* fields = gst_caps_get_structure(inputs[0].caps, 0);
    gst_caps_append_structure(caps, gst_structure_copy(fields));
    if (cuda) {
      gst_caps_append_structure_full(caps, gst_structure_copy(fields),
                                     gst_caps_features_new(kCudaFeature, nullptr));
    }
    return caps;
  }
  GstCaps* data_caps(const JoinerPadRow&) override { return gst_caps_ref(second_); }
  Worker& cpu() override { return cpu_; }
#ifdef RDP_HAVE_CUDA
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override {
    return std::make_unique<GpuWorker>(script_, session);
  }
#endif
  bool fetch(GstMiniObject*, std::string* reason) override {
    *reason = "it is lost";
    return !script_.loses_results;
  }
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override {
    pairs_ += results.size();
    if (script_.attaches) GST_BUFFER_OFFSET(buffer) = pairs_;
  }

 private:
  const Script& script_;
  CpuWorker cpu_;
  guint64 pairs_ = 0;
  GstCaps* second_ = nullptr;  // of the input
};

}  // namespace

std::unique_ptr<JoinedMethod> new_method(const Script* script) {
  return std::make_unique<PairMethod>(*script);
}

}  // namespace pairs
