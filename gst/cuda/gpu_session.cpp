// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/cuda/gpu_session.h"

#include <utility>

#include "kernels/runtime/driver.h"
#include "kernels/runtime/stream_wait.h"

namespace rdp::gst {
namespace {

std::size_t row_bytes(const MutableDepthView& frame) {
  return static_cast<std::size_t>(frame.width) *
         static_cast<std::size_t>(bytes_per_sample(frame.type));
}

// Returns the pitch of a host frame on the device. It is the host's stride, if that is little
// larger than a row and suits kernels, so that many rows are copied at once.
std::size_t pitch_for(const MutableDepthView& frame) {
  constexpr std::ptrdiff_t kSuits = 4;
  const std::size_t bytes = row_bytes(frame);
  const auto least = static_cast<std::ptrdiff_t>(bytes);
  const bool suits =
      frame.stride % kSuits == 0 && frame.stride >= least && frame.stride - least <= least / 16;
  return suits ? static_cast<std::size_t>(frame.stride) : cuda::device_pitch(bytes);
}

// Provides device memory for a host frame.
cuda::DeviceDepthView place_for(const MutableDepthView& frame, cuda::DeviceBuffer* memory) {
  const std::size_t pitch = pitch_for(frame);
  return {memory->ensure(pitch * static_cast<std::size_t>(frame.height)),
          static_cast<std::int64_t>(pitch), frame.width, frame.height, frame.type};
}

}  // namespace

// Resources of the context, made and freed while it is current.
struct GpuSession::Resources {
  explicit Resources(unsigned stream_flags) : stream(stream_flags) {}

  cuda::Stream stream;
  cuda::StreamWait wait;
  cuda::BandTransfer transfer;
  std::vector<cuda::DeviceBuffer> frames;  // for input surfaces in host memory
  std::vector<cuda::DeviceBuffer> rooms;   // for output surfaces in host memory
  cuda::DeviceBuffer chroma;               // for the one surface that has chroma
  cuda::DeviceBuffer picture;              // for a picture in host memory
};

GpuSession::GpuSession(std::shared_ptr<const GpuContext> context, unsigned stream_flags)
    : context_(std::move(context)) {
  const cuda::ContextScope scope(handle());
  resources_ = std::make_unique<Resources>(stream_flags);
}

GpuSession::~GpuSession() {
  const cuda::FreeingScope scope(handle());
  state_.reset();
  resources_.reset();
}

CUstream GpuSession::stream() const { return resources_->stream.get(); }

void GpuSession::drain_ignoring_errors() noexcept { cuda::driver().cuStreamSynchronize(stream()); }

void GpuSession::drop_state() {
  if (state_ == nullptr) return;
  const cuda::FreeingScope scope(handle());
  state_.reset();
}

std::span<const FrameSurface> GpuSession::bring(std::span<const FrameSurface> surfaces) {
  brought_.assign(surfaces.begin(), surfaces.end());
  if (resources_->frames.size() < surfaces.size()) resources_->frames.resize(surfaces.size());
  const auto upload = [this](const MutableDepthView& from, cuda::DeviceBuffer* memory) {
    const cuda::DeviceDepthView to = place_for(from, memory);
    resources_->transfer.upload({from.data, from.stride, row_bytes(from), from.height},
                                {to.data, static_cast<std::size_t>(to.pitch)}, stream());
    return to;
  };
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const MutableDepthView& from = surfaces[i].host;
    if (!surfaces[i].bytes.empty()) {
      const std::span<std::byte> blob = surfaces[i].bytes;
      const cuda::DeviceRows to{resources_->frames[i].ensure(blob.size()), blob.size()};
      resources_->transfer.upload(
          {blob.data(), static_cast<std::ptrdiff_t>(blob.size()), blob.size(), 1}, to, stream());
      brought_[i].device_bytes = to.data;
      continue;
    }
    if (from.data == nullptr) continue;
    brought_[i].device = upload(from, &resources_->frames[i]);
    const MutableDepthView& chroma = surfaces[i].host_chroma;
    if (chroma.data != nullptr) brought_[i].device_chroma = upload(chroma, &resources_->chroma);
  }
  return brought_;
}

std::span<const FrameSurface> GpuSession::place_outputs(std::span<const FrameSurface> surfaces) {
  rooms_.assign(surfaces.begin(), surfaces.end());
  if (resources_->rooms.size() < surfaces.size()) resources_->rooms.resize(surfaces.size());
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    if (const std::size_t bytes = surfaces[i].bytes.size(); bytes > 0) {
      rooms_[i].device_bytes = resources_->rooms[i].ensure(bytes);
    }
    if (surfaces[i].host.data == nullptr) continue;
    rooms_[i].device = place_for(surfaces[i].host, &resources_->rooms[i]);
  }
  return rooms_;
}

void GpuSession::copy_back(std::span<const FrameSurface> surfaces) {
  for (const FrameSurface& surface : surfaces) {
    if (!surface.bytes.empty()) {
      const std::span<std::byte> to = surface.bytes;
      resources_->transfer.download(
          {surface.device_bytes, to.size()},
          {to.data(), static_cast<std::ptrdiff_t>(to.size()), to.size(), 1}, stream());
    }
    const MutableDepthView& to = surface.host;
    if (to.data == nullptr) continue;
    resources_->transfer.download(
        {surface.device.data, static_cast<std::size_t>(surface.device.pitch)},
        {to.data, to.stride, row_bytes(to), to.height}, stream());
  }
}

cuda::DeviceRgbaView GpuSession::picture_for(const RgbaView& host) {
  const std::size_t pitch = cuda::device_pitch(4 * static_cast<std::size_t>(host.width));
  return {resources_->picture.ensure(pitch * static_cast<std::size_t>(host.height)),
          static_cast<std::int64_t>(pitch), host.width, host.height};
}

void GpuSession::deliver(const cuda::DeviceRgbaView& picture, const RgbaView& host) {
  resources_->transfer.download(
      {picture.data, static_cast<std::size_t>(picture.pitch)},
      {host.data, host.stride, 4 * static_cast<std::size_t>(host.width), host.height}, stream());
}

cuda::DeviceRgbaView GpuSession::bring_picture(const RgbaView& host) {
  const cuda::DeviceRgbaView place = picture_for(host);
  resources_->transfer.upload(
      {host.data, host.stride, 4 * static_cast<std::size_t>(host.width), host.height},
      {place.data, static_cast<std::size_t>(place.pitch)}, stream());
  return place;
}

void GpuSession::synchronize() { resources_->wait.wait(stream()); }

}  // namespace rdp::gst
