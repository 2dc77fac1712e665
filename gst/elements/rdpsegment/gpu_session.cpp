// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/gpu_session.h"

#include <utility>

#include "kernels/runtime/driver.h"

namespace rdp::gst {

// What belongs to the context, and is made and freed while it is current.
struct GpuSession::Resources {
  cuda::Stream stream;
  cuda::GpuEngine engine;
  cuda::BandTransfer transfer;
  cuda::DeviceBuffer frame;    // of a frame that came in system memory
  cuda::DeviceBuffer picture;  // of a picture that goes out in system memory
};

GpuSession::GpuSession(std::shared_ptr<const GpuContext> context) : context_(std::move(context)) {
  const cuda::ContextScope scope(context_->get());
  resources_ = std::make_unique<Resources>();
}

GpuSession::~GpuSession() {
  const cuda::FreeingScope scope(context_->get());
  resources_.reset();
}

template <typename Function>
void GpuSession::in_context(Function function) {
  const cuda::ContextScope scope(context_->get());
  try {
    function();
  } catch (...) {
    // The frame's memory goes back to its owner, so nobody may be reading or writing it.
    cuda::driver().cuStreamSynchronize(resources_->stream.get());
    throw;
  }
}

void GpuSession::process(const cuda::DeviceDepthView& frame, const GpuWork& work) {
  in_context([&] { run(frame, work); });
}

void GpuSession::process(const MutableDepthView& frame, const GpuWork& work) {
  in_context([&] {
    Resources& on_gpu = *resources_;
    const std::size_t row_bytes = static_cast<std::size_t>(frame.width) *
                                  static_cast<std::size_t>(bytes_per_sample(frame.type));
    const std::size_t pitch = cuda::device_pitch(row_bytes);
    const cuda::DeviceRows rows{on_gpu.frame.ensure(pitch * static_cast<std::size_t>(frame.height)),
                                pitch};
    on_gpu.transfer.upload({frame.data, frame.stride, row_bytes, frame.height}, rows,
                           on_gpu.stream.get());
    run({rows.data, static_cast<std::int64_t>(pitch), frame.width, frame.height, frame.type}, work);
    if (work.reconstruct) {
      on_gpu.transfer.download(rows, {frame.data, frame.stride, row_bytes, frame.height},
                               on_gpu.stream.get());
    }
  });
}

void GpuSession::run(const cuda::DeviceDepthView& frame, const GpuWork& work) {
  Resources& on_gpu = *resources_;
  const CUstream stream = on_gpu.stream.get();
  RemoteRef<GpuSegments> segments = GpuSegments::from(lists_, context_);
  cuda::DeviceSegmentList& list = segments->list();

  // A picture for the host is painted here as well: the samples and the segments are here.
  const RgbaView& host_picture = work.host_picture;
  const std::size_t picture_bytes = 4 * static_cast<std::size_t>(frame.width);
  cuda::DeviceRgbaView picture = work.device_picture;
  if (host_picture.data != nullptr) {
    const std::size_t pitch = cuda::device_pitch(picture_bytes);
    picture = {on_gpu.picture.ensure(pitch * static_cast<std::size_t>(frame.height)),
               static_cast<std::int64_t>(pitch), frame.width, frame.height};
  }

  do {
    on_gpu.engine.segment(frame, work.parameters, &list, stream);
    // Before the samples are overwritten: the picture shows the frame as it came.
    if (picture.data != 0) {
      on_gpu.engine.paint(frame, list, work.parameters, work.overlay, picture, stream);
    }
    if (work.reconstruct) on_gpu.engine.reconstruct(frame, work.parameters, list, stream);
    on_gpu.stream.synchronize();
  } while (list.grow_if_truncated());

  if (host_picture.data != nullptr) {
    on_gpu.transfer.download(
        {picture.data, static_cast<std::size_t>(picture.pitch)},
        {host_picture.data, host_picture.stride, picture_bytes, host_picture.height}, stream);
  }
  const int columns = list.columns();
  const std::size_t count = list.segment_count();
  work.segmentation->use_remote(std::move(segments), columns, count);
}

}  // namespace rdp::gst
