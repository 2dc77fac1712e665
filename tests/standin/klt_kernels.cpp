// SPDX-License-Identifier: LGPL-2.1-or-later
// Feature tracking by its reference. The first kernel keeps the frame, the last one does all the
// work; the kernels between them do nothing.
#include "tests/standin/klt_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "common/image/depth_view.h"
#include "common/klt/reference.h"
#include "kernels/klt/klt_arguments.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;

template <typename Byte>
auto* row_of(Byte* picture, const LevelLayout& level, int row) {
  using Pixel = std::conditional_t<std::is_const_v<Byte>, const std::uint16_t, std::uint16_t>;
  return reinterpret_cast<Pixel*>(picture + level.pixels) +
         static_cast<std::ptrdiff_t>(row) * level.pitch;
}

void run_picture(const void* arguments) {
  const auto& a = *static_cast<const KltPictureArguments*>(arguments);
  if (!a.of_frame) return;
  const LevelLayout& level = a.layout.levels[0];
  for (unsigned frame = 0; frame < current_launch().grid[2]; ++frame) {
    std::memset(a.zeros + frame * a.zero_stride, 0, static_cast<std::size_t>(a.zero_bytes));
    for (int row = 0; row < level.height; ++row) {
      std::uint16_t* const to = row_of(a.pictures[frame], level, row);
      for (int x = 0; x < level.width; ++x) {
        to[x] = a.frames.data[frame][row * a.frames.pitch[frame] + x];
      }
    }
  }
}

void run_nothing(const void*) {}

std::vector<std::byte> pixels_of(const unsigned char* picture, const LevelLayout& level) {
  std::vector<std::byte> pixels;
  for (int row = 0; row < level.height; ++row) {
    const std::uint16_t* const from = row_of(picture, level, row);
    for (int x = 0; x < level.width; ++x) pixels.push_back(static_cast<std::byte>(from[x]));
  }
  return pixels;
}

klt::Parameters parameters_of(const KltArguments& a) {
  klt::Parameters p;
  p.levels = a.coarsest / a.level_stride + 1;
  p.pyramid_step = 2 * a.level_stride;
  p.window = a.rules.window;
  p.max_iterations = a.rules.max_iterations;
  p.epsilon = a.rules.epsilon / 1024.0;
  p.light = a.rules.light;
  p.min_eigenvalue = a.rules.min_eigenvalue;
  p.max_residual = a.rules.max_residual;
  p.check = a.rules.check / 1024.0;
  p.predict = a.predict;
  p.detector = a.detects ? klt::Detector::kShiTomasi : klt::Detector::kNone;
  p.cell = a.cell;
  p.quality = static_cast<double>(a.quality);
  p.max_features = a.max_features;
  p.warp = a.rules.warp;
  p.max_correction = a.rules.max_correction / 1024.0;
  p.template_residual = a.rules.template_residual;
  return p;
}

std::uint32_t slot_before(const KltFrame& frame, std::uint32_t place) {
  return frame.keeps_patches ? frame.shapes.slot_of(place) : place;
}

// Reads the shapes of the existing tracks; without patches if they are not needed.
void read_shapes(const KltArguments& a, const KltFrame& frame, klt::reference::State* before) {
  if (frame.shapes.memory == nullptr) return;
  before->window = frame.keeps_patches ? a.rules.window : 0;
  before->light = a.rules.light;
  const int samples = a.rules.pixels();
  for (std::uint32_t i = 0; i < frame.live; ++i) {
    klt::reference::Shape shape{frame.shapes.shapes()[i], {}};
    if (shape.track.has_patch && frame.keeps_patches) {
      const KltPatch patch = KltPatch::at(frame.patches, slot_before(frame, i), a.rules.window);
      for (int n = 0; n < samples; ++n) {
        shape.patch.intensity.push_back(patch.intensities[n]);
        shape.patch.gx.push_back(static_cast<std::int16_t>(patch.gradients[n]));
        shape.patch.gy.push_back(static_cast<std::int16_t>(patch.gradients[n] >> 16));
      }
    }
    before->shapes.push_back(std::move(shape));
  }
}

// Writes the shapes of the frame's tracks. Surviving slots follow their tracks.
void write_shapes(const KltArguments& a, const KltFrame& frame, const klt::reference::State& before,
                  const klt::reference::State& after) {
  std::uint32_t* const slots = frame.next_shapes.slots();
  std::vector<std::uint32_t> lost;
  std::uint32_t stayed = 0;
  for (std::uint32_t i = 0; i < frame.next_shapes.count; ++i) {
    const bool stays = i < frame.live && stayed < after.tracks.size() &&
                       after.tracks[stayed].id == before.tracks[i].id;
    if (stays) {
      slots[stayed++] = slot_before(frame, i);
    } else {
      lost.push_back(slot_before(frame, i));
    }
  }
  for (const std::uint32_t slot : lost) slots[stayed++] = slot;
  for (std::size_t i = 0; i < after.shapes.size(); ++i) {
    const klt::reference::Shape& shape = after.shapes[i];
    frame.next_shapes.shapes()[i] = shape.track;
    if (!shape.track.has_patch) continue;
    const KltPatch patch = KltPatch::at(frame.patches, slots[i], a.rules.window);
    for (std::size_t n = 0; n < shape.patch.intensity.size(); ++n) {
      patch.intensities[n] = static_cast<std::uint16_t>(shape.patch.intensity[n]);
      patch.gradients[n] = static_cast<std::uint32_t>(shape.patch.gy[n]) << 16 |
                           (static_cast<std::uint32_t>(shape.patch.gx[n]) & 0xFFFFU);
    }
  }
}

void track(const KltArguments& a, const KltFrame& frame, const TrackListView& list) {
  const LevelLayout& level = a.layout.levels[0];
  const auto view = [&](const std::vector<std::byte>& pixels) -> DepthView {
    return {pixels.data(), level.width, level.width, level.height, SampleType::kU8};
  };
  klt::reference::State before;
  before.next_id = frame.next_id;
  if (frame.live > 0) {
    before.picture = klt::reference::pyramid_of(view(pixels_of(frame.before, level)));
  }
  for (std::uint32_t i = 0; i < frame.live; ++i) {
    const KltRecord& record = frame.records[i];
    before.tracks.push_back({record.id, record.age, klt::to_pixels(record.place.x),
                             klt::to_pixels(record.place.y), 0.0F, 0.0F, 0.0F, 0.0F});
    before.starts.push_back(frame.predicts ? record.start : klt::Place{});
  }
  read_shapes(a, frame, &before);
  const std::vector<std::byte> pixels = pixels_of(frame.after, level);
  DepthView mask;
  if (a.mask != nullptr) {
    mask = {reinterpret_cast<const std::byte*>(a.mask), a.mask_pitch, level.width, level.height,
            SampleType::kU8};
  }
  klt::reference::Result result;
  const klt::reference::State after = klt::reference::advance(
      before, {view(pixels), mask, {frame.points, frame.point_count}}, parameters_of(a), &result);
  for (std::size_t i = 0; i < result.tracks.size(); ++i) {
    const klt::Track& track = result.tracks[i];
    list.tracks[i] = track;
    frame.next_records[i] = {track.id,
                             track.age,
                             {klt::exact_fixed(track.x), klt::exact_fixed(track.y)},
                             after.starts[i]};
  }
  for (std::size_t i = 0; i < result.lost.size(); ++i) list.lost[i] = result.lost[i];
  *list.counts = {static_cast<std::uint32_t>(result.tracks.size()),
                  static_cast<std::uint32_t>(result.lost.size()), 0,
                  static_cast<std::uint32_t>(result.templates)};
  if (a.rules.warp == klt::Warp::kAffine) {
    write_shapes(a, frame, before, after);
    std::copy(result.warps.begin(), result.warps.end(), list.warps);
  }
  *list.report = *list.counts;
  frame.state_report[0] = list.counts->tracks;
  frame.state_report[1] = after.next_id;
}

void run_list(const void* arguments) {
  const auto& a = *static_cast<const KltArguments*>(arguments);
  for (unsigned frame = 0; frame < current_launch().grid[1]; ++frame) {
    track(a, a.frames[frame], a.list.of_frame(frame));
  }
}

void run_copy(const void* arguments) {
  const auto& a = *static_cast<const CopyTracksArguments*>(arguments);
  for (unsigned frame = 0; frame < a.list.frames; ++frame) {
    const TrackListView list = a.list.of_frame(frame);
    const TrackReport counts = *list.counts;
    if (counts.tracks > a.track_room || counts.lost > a.lost_room) continue;
    unsigned char* const to = a.host + frame * a.stride;
    const std::size_t track_bytes = counts.tracks * sizeof(klt::Track);
    const std::size_t lost_bytes = counts.lost * sizeof(klt::Lost);
    if (track_bytes > 0) std::memcpy(to, list.tracks, track_bytes);
    if (lost_bytes > 0) {
      std::memcpy(to + a.track_room * sizeof(klt::Track), list.lost, lost_bytes);
    }
    const std::size_t warp_bytes =
        list.warps == nullptr ? 0 : counts.tracks * sizeof(klt::TrackWarp);
    if (warp_bytes > 0) {
      std::memcpy(to + a.track_room * sizeof(klt::Track) + a.lost_room * sizeof(klt::Lost),
                  list.warps, warp_bytes);
    }
    count_copied_to_host(track_bytes + lost_bytes + warp_bytes);
  }
}

}  // namespace

HostKernel find_klt_kernel(std::string_view name) {
  if (name == "rdp_klt_picture") return run_picture;
  if (name == "rdp_klt_list") return run_list;
  if (name == "rdp_klt_copy") return run_copy;
  return name.starts_with("rdp_klt_") ? run_nothing : nullptr;
}
