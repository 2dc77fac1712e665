// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo's engine on the GPU.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "common/image/float_environment.h"
#include "gst/cuda/gpu_session.h"
#include "gst/elements/depthstereo/stereo_method.h"
#include "kernels/rdp/overlay.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/copy_rows.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/stereo/engine.h"
#include "kernels/stereo/maps.h"

namespace rdp::gst {
namespace {

using cuda::DeviceDepthView;

// A host picture that owns its bytes.
struct HostPicture {
  std::vector<std::byte> bytes;
  MutableDepthView view;

  void resize(int width, int height) {
    bytes.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    view = {bytes.data(), width, width, height, SampleType::kU8};
  }
};

class StereoGpuWorker final : public Worker {
 public:
  StereoGpuWorker(StereoMethod& method, GpuSession& session) : method_(method), session_(session) {}

  void analyze(const Task& task) override {
    const DeviceDepthView& disparity = task.outputs[StereoMethod::kDisparity].device;
    const DeviceDepthView& confidence = task.outputs[StereoMethod::kConfidence].device;
    const stereo::Parameters& parameters = method_.parameters();
    try {
      pair_ = prepare(task);
      engine_.match(pair_, parameters, {disparity, confidence}, session_.stream());
    } catch (const cuda::CudaError& error) {
      if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
      const NoMemoryToMatch reason(
          disparity.width, disparity.height, parameters,
          cuda::StereoEngine::memory_for(disparity.width, disparity.height, parameters));
      throw GpuError(std::string(error.what()) + ": " + reason.what());
    }
    to_depth(disparity);
  }

  void paint(const Task& task) override {
    if (painter_ == nullptr) {
      painter_ = std::make_unique<cuda::OverlayPainter>();
      no_offsets_.ensure_zeros(sizeof(std::uint32_t));
    }
    // One frame without columns, which is never truncated.
    const cuda::SegmentListView no_segments{
        no_offsets_.as<std::uint32_t>(), nullptr, nullptr, 0, 0, 1};
    with_standard_floats([&] {
      painter_->run(task.outputs[StereoMethod::kDisparity].device, no_segments, 0, Parameters(),
                    method_.picture(), task.device_picture, session_.stream());
    });
  }

  bool finish(const Task& task) override {
    session_.synchronize();
    const DeviceDepthView& disparity = task.outputs[StereoMethod::kDisparity].device;
    method_.note(engine_.counts(), disparity.width, disparity.height);
    if (method_.wants_diagnosis()) diagnose();
    return true;
  }

 private:
  // Prepares the views for matching, and writes the left one to its output if that is wanted.
  cuda::DevicePair prepare(const Task& task) {
    const DeviceDepthView& left = task.inputs[0].device;
    const DeviceDepthView& right = task.inputs[1].device;
    const DeviceDepthView& rectified = task.outputs[StereoMethod::kRectified].device;
    const bool copies = rectified.data != 0;
    if (method_.maps() == nullptr) {
      if (copies) copy(left, rectified);
      return {left, right, {}, {}};
    }
    use_maps();
    const DeviceDepthView to_left = copies ? rectified : scratch(left, &left_);
    const DeviceDepthView to_right = scratch(right, &right_);
    left_rectifier_->rectify(left, to_left, session_.stream());
    right_rectifier_->rectify(right, to_right, session_.stream());
    return {to_left, to_right, left_rectifier_->mask(), right_rectifier_->mask()};
  }

  void use_maps() {
    const std::shared_ptr<const StereoMaps>& maps = method_.maps();
    if (maps == maps_) return;
    maps_.reset();
    if (left_rectifier_ == nullptr) left_rectifier_ = std::make_unique<cuda::Rectifier>();
    if (right_rectifier_ == nullptr) right_rectifier_ = std::make_unique<cuda::Rectifier>();
    left_rectifier_->set_map(maps->left);
    right_rectifier_->set_map(maps->right);
    maps_ = maps;
  }

  void to_depth(const DeviceDepthView& disparity) {
    const std::optional<stereo::DepthScale>& scale = method_.depth();
    if (!scale) return;
    if (depth_ == nullptr) depth_ = std::make_unique<cuda::DepthTable>();
    if (scale != depth_scale_) {
      depth_scale_.reset();
      depth_->set_table(method_.depth_table());
      depth_scale_ = scale;
    }
    depth_->to_depth(disparity, session_.stream());
  }

  static DeviceDepthView scratch(const DeviceDepthView& like, cuda::DeviceBuffer* memory) {
    const std::size_t pitch = (static_cast<std::size_t>(like.width) + 255) / 256 * 256;
    return {memory->ensure(pitch * static_cast<std::size_t>(like.height)),
            static_cast<std::int64_t>(pitch), like.width, like.height, SampleType::kU8};
  }

  void copy(const DeviceDepthView& from, const DeviceDepthView& to) {
    cuda::copy_rows(from, to, session_.stream(), "copying a view");
  }

  // Diagnoses a suspicious pair on the host. It is rare, so memory and engine are made for it.
  void diagnose() {
    HostPicture left;
    HostPicture right;
    cuda::BandTransfer transfer;
    const auto bring = [&](const DeviceDepthView& from, HostPicture* to) {
      to->resize(from.width, from.height);
      transfer.download(
          {from.data, static_cast<std::size_t>(from.pitch)},
          {to->view.data, to->view.stride, static_cast<std::size_t>(from.width), from.height},
          session_.stream());
    };
    bring(pair_.left, &left);
    bring(pair_.right, &right);
    stereo::Pair pair{left.view, right.view, {}, {}};
    if (maps_ != nullptr && method_.maps() != nullptr) {
      pair.left_mask = maps_->left.mask_view();
      pair.right_mask = maps_->right.mask_view();
    }
    stereo::Engine engine;
    method_.diagnose(pair, &engine);
  }

  StereoMethod& method_;
  GpuSession& session_;
  cuda::StereoEngine engine_;
  cuda::DevicePair pair_;  // of the last task
  // Made when they are needed.
  std::unique_ptr<cuda::Rectifier> left_rectifier_;
  std::unique_ptr<cuda::Rectifier> right_rectifier_;
  std::unique_ptr<cuda::DepthTable> depth_;
  std::unique_ptr<cuda::OverlayPainter> painter_;
  std::shared_ptr<const StereoMaps> maps_;  // those of the rectifiers
  std::optional<stereo::DepthScale> depth_scale_;
  cuda::DeviceBuffer left_;
  cuda::DeviceBuffer right_;
  cuda::DeviceBuffer no_offsets_;
};

}  // namespace

std::unique_ptr<Worker> StereoMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<StereoGpuWorker>(*this, session);
}

}  // namespace rdp::gst
