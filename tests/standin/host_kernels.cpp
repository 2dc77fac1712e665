// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/host_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "common/rdp/overlay.h"
#include "common/rdp/painted_texts.h"
#include "common/rdp/reference.h"
#include "common/stereo/rectification.h"
#include "kernels/filters/filter_arguments.h"
#include "kernels/rdp/fit_arguments.h"
#include "kernels/rdp/fit_layout.h"
#include "kernels/rdp/overlay_arguments.h"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/stereo/stereo_arguments.h"
#include "tests/base/count_known_arguments.h"
#include "tests/standin/align_kernels.h"
#include "tests/standin/blend_kernels.h"
#include "tests/standin/filter_kernels.h"
#include "tests/standin/frame_plane_kernels.h"
#include "tests/standin/ground_kernels.h"
#include "tests/standin/height_kernels.h"
#include "tests/standin/height_picture_kernels.h"
#include "tests/standin/klt_kernels.h"
#include "tests/standin/obstacle_kernels.h"
#include "tests/standin/plane_kernels.h"
#include "tests/standin/point_kernels.h"
#include "tests/standin/stereo_kernels.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;

constexpr SampleType type_of(std::uint32_t sample_bytes) {
  return sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16;
}

DepthView view_of(const unsigned char* data, std::int64_t pitch, int width, int height,
                  SampleType type) {
  return {reinterpret_cast<const std::byte*>(data), pitch, width, height, type};
}
MutableDepthView view_of(unsigned char* data, std::int64_t pitch, int width, int height,
                         SampleType type) {
  return {reinterpret_cast<std::byte*>(data), pitch, width, height, type};
}

void write(const reference::Frame& frame, const MutableDepthView& to) {
  for (int row = 0; row < to.height; ++row) {
    for (int column = 0; column < to.width; ++column) to.set(row, column, frame.at(row, column));
  }
}

// True if any frame's list is truncated.
bool is_truncated(const SegmentListView& list) {
  for (std::uint32_t f = 0; f < list.frames; ++f) {
    if (list.of_frame(f).offsets[list.columns] > list.capacity) return true;
  }
  return false;
}

SegmentList segments_of(const SegmentListView& list) {
  SegmentList result;
  std::copy_n(list.offsets, list.columns + 1,
              result.resize_columns(static_cast<int>(list.columns)));
  Segment* segments = result.resize_segments();
  static_assert(sizeof(Segment) == sizeof(DeviceSegment));
  if (result.segment_count() > 0) {
    std::memcpy(segments, list.segments, result.segment_count() * sizeof(Segment));
  }
  return result;
}

// Writes a result as the kernels do: all offsets, as many segments as fit, and the number of
// segments for the host.
void write(const SegmentList& list, const SegmentListView& to) {
  const auto offsets = list.offsets();
  std::copy(offsets.begin(), offsets.end(), to.offsets);
  const std::size_t fit = std::min<std::size_t>(list.segment_count(), to.capacity);
  if (fit > 0) std::memcpy(to.segments, list.segments().data(), fit * sizeof(Segment));
  *to.report = offsets.back();
}

DepthView view_of(const FrameArguments& a, std::uint32_t frame) {
  return view_of(a.frames.data[frame], a.frames.pitch[frame], a.width, a.height,
                 type_of(a.sample_bytes));
}

// Statistics of a list before merging.
SegmentWork work_of(const SegmentList& list) {
  SegmentWork work{0, static_cast<std::uint32_t>(list.segment_count())};
  for (int c = 0; c < list.columns(); ++c) {
    work.most = std::max(work.most, static_cast<std::uint32_t>(list.column(c).size()));
  }
  return work;
}

SegmentList segment_frame(const SegmentArguments& a, std::uint32_t frame, bool merge,
                          Fit fit = Fit::kSquares) {
  SegmentRules rules;
  rules.epsilon256 = a.eps256;
  rules.max_gap = a.max_gap;
  rules.refine = a.refine != 0;
  rules.merge = merge;
  rules.truncation2 = a.truncation2;
  rules.price = a.price;
  rules.margin = a.margin;
  rules.fit = fit;
  rules.near = a.near;
  SegmentList list;
  reference::segment(view_of(a, frame), {a.known_first, a.known_last}, rules, &list);
  return list;
}

// Kernels that fit a column in the warp that split it skip frames in which a column has more pieces
// than a warp can hold.
void fit_frames(const void* arguments, Fit fit) {
  const auto& a = *static_cast<const SegmentArguments*>(arguments);
  const std::uint32_t room = a.refine != 0 ? kFitWarpPieces : kFitWarpSegments;
  for (std::uint32_t f = 0; f < static_cast<std::uint32_t>(a.frame_count); ++f) {
    a.work[f] = work_of(segment_frame(a, f, false));
    if (a.work[f].most <= room) {
      write(segment_frame(a, f, a.merge != 0, fit), a.list.of_frame(f));
      continue;
    }
    a.work[f].most = SegmentWork::kTooMuch;
    const SegmentListView list = a.list.of_frame(f);
    list.offsets[list.columns] = kRetryWithQueues;
    *list.report = kRetryWithQueues;
  }
}
void run_segment_fit(const void* arguments) { fit_frames(arguments, Fit::kSquares); }
void run_segment_absolute(const void* arguments) { fit_frames(arguments, Fit::kAbsolute); }

// Writes segments, or for the line fitter vertices, which are the ends of the split's segments.
void split_frame(const SegmentArguments& a, std::uint32_t frame) {
  const SegmentList list = segment_frame(a, frame, false);
  if (a.vertices == nullptr) {
    write(list, a.list.of_frame(frame));
    a.work[frame] = work_of(list);
    return;
  }
  const std::size_t words = (static_cast<std::size_t>(a.height) + 31) / 32;
  const std::size_t frame_words = words * static_cast<std::size_t>(a.width);
  std::uint32_t* const vertices = a.vertices + frame * frame_words;
  std::fill_n(vertices, frame_words, 0U);
  for (int column = 0; column < a.width; ++column) {
    std::uint32_t* const bits = vertices + words * static_cast<std::size_t>(column);
    for (const Segment& segment : list.column(column)) {
      for (const int row : {segment.first_row, segment.last_row}) bits[row / 32] |= 1U << row % 32;
    }
  }
}

void run_segment(const void* arguments) {
  const auto& a = *static_cast<const SegmentArguments*>(arguments);
  for (std::uint32_t f = 0; f < static_cast<std::uint32_t>(a.frame_count); ++f) split_frame(a, f);
}

// Vertices of a run of samples, in the form that the line fitter's kernels read.
std::vector<int> vertices_of(const std::vector<reference::Sample>& run, const std::uint32_t* bits) {
  std::vector<int> vertices;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if ((bits[run[i].row / 32] >> run[i].row % 32 & 1) != 0)
      vertices.push_back(static_cast<int>(i));
  }
  return vertices;
}

void fit_frame(const FitArguments& a, std::uint32_t index) {
  const DepthView frame = view_of(a, index);
  const KnownRange known{a.known_first, a.known_last};
  SegmentRules rules;
  rules.max_gap = a.max_gap;
  rules.refine = a.refine != 0;
  rules.merge = a.merge != 0;
  rules.truncation2 = a.truncation2;
  rules.price = a.price;
  rules.margin = a.margin;
  const std::size_t words = (static_cast<std::size_t>(a.height) + 31) / 32;
  std::vector<Segment> segments;
  SegmentList list;
  std::uint32_t most = 0;  // segments of a column before the merge
  std::uint32_t* const offsets = list.resize_columns(a.width);
  offsets[0] = 0;
  for (int column = 0; column < a.width; ++column) {
    const std::uint32_t* const bits =
        a.vertices +
        words * (index * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(column));
    std::vector<reference::Sample> run;
    std::size_t pieces = 0;
    const auto end_run = [&] {
      if (run.empty()) return;
      const std::vector<int> vertices = vertices_of(run, bits);
      if (rules.refine) {
        const auto fitted = reference::fit_pieces(run, vertices, rules);
        segments.insert(segments.end(), fitted.begin(), fitted.end());
        SegmentRules apart = rules;
        apart.merge = false;
        pieces += reference::fit_pieces(run, vertices, apart).size();
      } else {
        for (std::size_t v = vertices.size() > 1 ? 1 : 0; v < vertices.size(); ++v) {
          const reference::Sample first =
              run[static_cast<std::size_t>(vertices[v > 0 ? v - 1 : 0])];
          const reference::Sample last = run[static_cast<std::size_t>(vertices[v])];
          segments.push_back({static_cast<std::uint16_t>(first.row),
                              static_cast<std::uint16_t>(last.row), static_cast<float>(first.value),
                              static_cast<float>(last.value)});
        }
      }
      run.clear();
    };
    for (int row = 0; row < a.height; ++row) {
      const std::uint16_t value = frame.at(row, column);
      if (!known.contains(value)) continue;
      if (!run.empty() && rules.max_gap > 0 && row - run.back().row - 1 > rules.max_gap) end_run();
      run.push_back({row, value});
    }
    end_run();
    most = std::max(most, static_cast<std::uint32_t>(pieces));
    offsets[column + 1] = static_cast<std::uint32_t>(segments.size());
  }
  std::copy(segments.begin(), segments.end(), list.resize_segments());
  write(list, a.list.of_frame(index));
  a.work[index] = work_of(list);
  a.work[index].most = std::max(a.work[index].most, most);
}

void run_fit(const void* arguments) {
  const auto& a = *static_cast<const FitArguments*>(arguments);
  for (std::uint32_t f = 0; f < static_cast<std::uint32_t>(a.frame_count); ++f) fit_frame(a, f);
}

// Calls filter(in, out) for each frame; `out` has the given width and type.
template <typename Filter>
void filter_frames(const FilterArguments& a, SampleType from, int width, SampleType to,
                   Filter filter) {
  for (int f = 0; f < a.frame_count; ++f) {
    const DepthView in = view_of(a.in.data[f], a.in.pitch[f], a.width, a.height, from);
    filter(in, view_of(a.out.data[f], a.out.pitch[f], width, a.height, to));
  }
}

// Uses only the table, as the kernel does.
template <SampleType kType>
void run_inverse_depth(const void* arguments) {
  const auto& a = *static_cast<const InverseDepthArguments*>(arguments);
  filter_frames(a, kType, a.width, SampleType::kU16,
                [&a](const DepthView& in, const MutableDepthView& out) {
                  for (int row = 0; row < in.height; ++row) {
                    for (int column = 0; column < in.width; ++column) {
                      out.set(row, column, a.table[in.at(row, column)]);
                    }
                  }
                });
}

template <int kSide, SampleType kType>
void run_median(const void* arguments) {
  const auto& a = *static_cast<const MedianArguments*>(arguments);
  filter_frames(a, kType, a.width, kType, [](const DepthView& in, const MutableDepthView& out) {
    write(reference::median(in, kSide), out);
  });
}

template <SampleType kType>
void run_join_columns(const void* arguments) {
  const auto& a = *static_cast<const JoinColumnsArguments*>(arguments);
  const int columns = (a.width + a.column_width - 1) / a.column_width;
  filter_frames(a, kType, columns, kType, [&a](const DepthView& in, const MutableDepthView& out) {
    write(reference::join_columns(in, {a.known_first, a.known_last}, a.column_width), out);
  });
}

// Parameters that define the interpretation of a frame's samples.
Parameters parameters_of(std::uint32_t inverse, double inverse_scale, int column_width,
                         std::uint32_t first, std::uint32_t last) {
  Parameters parameters;
  parameters.domain = inverse != 0 ? Domain::kInverse : Domain::kLinear;
  parameters.inverse_scale = inverse_scale;
  parameters.column_width = column_width;
  parameters.min_value = first;
  parameters.max_value = last;
  return parameters;
}

void run_reconstruct(const void* arguments) {
  const auto& a = *static_cast<const ReconstructArguments*>(arguments);
  if (is_truncated(a.list)) return;
  const SampleType type = type_of(a.sample_bytes);
  const Parameters parameters =
      a.inverse != 0
          ? parameters_of(a.inverse, a.inverse_scale, a.column_width,
                          static_cast<std::uint32_t>(a.depth_first),
                          static_cast<std::uint32_t>(a.depth_last))
          : parameters_of(a.inverse, a.inverse_scale, a.column_width, a.known_first, a.known_last);
  for (std::uint32_t f = 0; f < a.list.frames; ++f) {
    const DepthView source =
        view_of(a.filtered.data[f], a.filtered.pitch[f], static_cast<int>(a.list.columns), a.height,
                a.inverse != 0 ? SampleType::kU16 : type);
    // Copies the samples, because input and output may be the same frame.
    const reference::Frame filtered = reference::join_columns(source, {0, 65535}, 1);
    reference::reconstruct(filtered, segments_of(a.list.of_frame(f)), parameters,
                           view_of(a.frames.data[f], a.frames.pitch[f], a.width, a.height, type));
  }
}

// Refits run by run, as reference::segment() does.
void refit_frame(const RefitArguments& a, std::uint32_t index) {
  const SegmentListView to = a.list.of_frame(index);
  if (is_truncated(to)) return;
  const DepthView frame = view_of(a, index);
  const KnownRange known{a.known_first, a.known_last};
  SegmentRules rules;
  rules.near = a.near;
  for (int column = 0; column < a.width; ++column) {
    auto* segment = reinterpret_cast<Segment*>(to.segments + to.offsets[column]);
    std::vector<reference::Sample> run;
    const auto end_run = [&] {
      if (run.empty()) return;
      const Segment* end = segment;
      while (end++->last_row < run.back().row) {
      }
      const std::vector<Segment> fitted =
          reference::refit(run, {static_cast<const Segment*>(segment), end}, rules);
      segment = std::copy(fitted.begin(), fitted.end(), segment);
      run.clear();
    };
    for (int row = 0; row < a.height; ++row) {
      const std::uint16_t value = frame.at(row, column);
      if (!known.contains(value)) continue;
      if (!run.empty() && a.max_gap > 0 && row - run.back().row - 1 > a.max_gap) end_run();
      run.push_back({row, value});
    }
    end_run();
  }
}

void run_refit(const void* arguments) {
  const auto& a = *static_cast<const RefitArguments*>(arguments);
  for (std::uint32_t f = 0; f < static_cast<std::uint32_t>(a.frame_count); ++f) refit_frame(a, f);
}

void run_copy_segments(const void* arguments) {
  const auto& a = *static_cast<const CopySegmentsArguments*>(arguments);
  for (std::uint32_t frame = 0; frame < a.list.frames; ++frame) {
    const SegmentListView list = a.list.of_frame(frame);
    const std::uint32_t count = list.offsets[list.columns];
    if (count > a.room || is_truncated(list)) continue;
    unsigned char* const to = a.host + frame * a.stride;
    std::memcpy(to, list.offsets, copied_offset_bytes(list.columns));
    std::memcpy(to + copied_offset_bytes(list.columns), list.segments,
                count * sizeof(DeviceSegment));
    count_copied_to_host(copied_offset_bytes(list.columns) + count * sizeof(DeviceSegment));
  }
}

void run_palette_range(const void* arguments) {
  const auto& a = *static_cast<const PaletteRangeArguments*>(arguments);
  *a.range = palette_range(
      view_of(a.frame, a.pitch, a.width, a.height, type_of(a.sample_bytes)),
      parameters_of(a.inverse, a.inverse_scale, 1, a.known_first, a.known_last), OverlayOptions());
}

template <OverlayStyle kStyle>
void run_paint(const void* arguments) {
  const auto& a = *static_cast<const PaintArguments*>(arguments);
  if (is_truncated(a.list)) return;
  const RgbaView picture{reinterpret_cast<std::byte*>(a.picture), a.picture_pitch, a.width,
                         a.height};
  OverlayLook look;
  look.style = kStyle;
  look.range = a.range.get();
  if (kStyle == OverlayStyle::kClasses) {
    look.rules = a.rules;
    look.plane = a.plane;
    if (!has_ground(a.plane)) look.ground = *a.ground;
  }
  paint_overlay(
      view_of(a.frame, a.pitch, a.width, a.height, type_of(a.sample_bytes)),
      segments_of(a.list.of_frame(a.slice)),
      parameters_of(a.inverse, a.inverse_scale, a.column_width, a.known_first, a.known_last), look,
      0, a.width, picture);
}

void run_birdseye_scale(const void* arguments) {
  const auto& a = *static_cast<const BirdseyeArguments*>(arguments);
  *a.scale_of_frame =
      birdseye_scale(range_of_frame(*a.range_of_frame, a.camera.depth), a.height, a.zoom);
}

OverlayLook look_of(const BirdseyeArguments& a) {
  OverlayLook look;
  look.style = OverlayStyle::kBirdsEye;
  look.rules = a.rules;
  look.ground = *a.ground;
  look.birdseye = {a.camera, a.scale_of_frame == nullptr ? a.scale : *a.scale_of_frame, a.zoom,
                   a.column_width, a.width};
  return look;
}

void run_birdseye_columns(const void* arguments) {
  const auto& a = *static_cast<const BirdseyeArguments*>(arguments);
  if (is_truncated(a.list)) return;
  see_columns(segments_of(a.list.of_frame(a.slice)), look_of(a), a.height, 0,
              static_cast<int>(a.list.columns), a.seen);
}

void run_birdseye_picture(const void* arguments) {
  const auto& a = *static_cast<const BirdseyeArguments*>(arguments);
  if (is_truncated(a.list)) return;
  paint_birdseye(look_of(a).birdseye, a.seen, 0, a.width,
                 {reinterpret_cast<std::byte*>(a.picture), a.picture_pitch, a.width, a.height});
  const BirdseyeScale scale = look_of(a).birdseye.scale;
  for (int i = 0; i < most_labels(a.width, a.height, a.zoom); ++i) {
    find_label(scale, a.width, a.height, a.zoom, i, a.labels + i);
  }
}

template <typename Arguments>
RgbaView picture_of(const Arguments& a, const Box& box) {
  return {reinterpret_cast<std::byte*>(a.picture), a.picture_pitch, box.right, box.bottom};
}

void run_paint_texts(const void* arguments) {
  const auto& a = *static_cast<const TextArguments*>(arguments);
  if (is_truncated(a.list)) return;
  for (int i = 0; i < a.count; ++i) {
    paint_text(a.texts[i], a.texts[i].box, picture_of(a, a.texts[i].box));
  }
}

void run_paint_legend(const void* arguments) {
  const auto& a = *static_cast<const LegendArguments*>(arguments);
  if (is_truncated(a.list)) return;
  const RgbaView picture = picture_of(a, legend_box(a.legend));
  Ticks ticks{};
  find_ticks(a.range.get(), a.legend.scale, &ticks);
  paint_legend(a.legend, ticks, palettes_of(a.legend.palettes), 0, picture.width, picture);
}

void run_find_ground(const void* arguments) {
  const auto& a = *static_cast<const FindGroundArguments*>(arguments);
  *a.ground = is_truncated(a.list)
                  ? Ground{}
                  : find_ground(segments_of(a.list.of_frame(a.slice)), a.height, a.rules);
}

// --- the kernels of tests/base/count_known.cu ---

template <SampleType kType>
void run_count_known(const void* arguments) {
  const auto& a = *static_cast<const test::CountKnownArguments*>(arguments);
  const DepthView frame = view_of(a.frame, a.pitch, a.width, a.height, kType);
  for (int column = 0; column < a.width; ++column) {
    std::uint32_t count = 0;
    for (int row = 0; row < a.height; ++row) {
      if (KnownRange{a.first, a.last}.contains(frame.at(row, column))) ++count;
    }
    a.counts[column] = count;
  }
}

void run_rectify(const void* arguments) {
  const auto& a = *static_cast<const RectifyArguments*>(arguments);
  stereo::RectificationMap map;
  map.width = a.width;
  map.height = a.height;
  const auto* const points = reinterpret_cast<const stereo::MapPoint*>(a.points);
  map.points.assign(points, points + static_cast<std::ptrdiff_t>(a.width) * a.height);
  stereo::reference::rectify(
      view_of(a.picture, a.picture_pitch, a.width, a.height, SampleType::kU8), map,
      view_of(a.out, a.out_pitch, a.width, a.height, SampleType::kU8));
}

void run_disparity_to_depth(const void* arguments) {
  const auto& a = *static_cast<const DepthTableArguments*>(arguments);
  const MutableDepthView frame = view_of(a.samples, a.pitch, a.width, a.height, SampleType::kU16);
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      frame.set(row, column, a.table[frame.at(row, column)]);
    }
  }
}

void run_count_known_paint(const void* arguments) {
  const auto& a = *static_cast<const test::PaintCountsArguments*>(arguments);
  for (int row = 0; row < a.height; ++row) {
    auto* const pixels = reinterpret_cast<std::uint32_t*>(a.picture + row * a.pitch);
    for (int column = 0; column < a.width; ++column) {
      pixels[column] = test::bar_pixel(a.counts[column], row, a.height);
    }
  }
}

struct Named {
  std::string_view name;
  HostKernel kernel;
};
constexpr Named kKernels[] = {
    {"rdp_inverse_depth_u8", run_inverse_depth<SampleType::kU8>},
    {"rdp_inverse_depth_u16", run_inverse_depth<SampleType::kU16>},
    {"rdp_median_3_u8", run_median<3, SampleType::kU8>},
    {"rdp_median_3_u16", run_median<3, SampleType::kU16>},
    {"rdp_median_5_u8", run_median<5, SampleType::kU8>},
    {"rdp_median_5_u16", run_median<5, SampleType::kU16>},
    {"rdp_join_columns_u8", run_join_columns<SampleType::kU8>},
    {"rdp_join_columns_u16", run_join_columns<SampleType::kU16>},
    {"rdp_reconstruct", run_reconstruct},
    {"rdp_refit_u8", run_refit},
    {"rdp_refit_u16", run_refit},
    {"rdp_copy_segments", run_copy_segments},
    {"rdp_palette_range", run_palette_range},
    {"rdp_find_ground", run_find_ground},
    {"rdp_paint_segments", run_paint<OverlayStyle::kSegments>},
    {"rdp_paint_depth", run_paint<OverlayStyle::kDepth>},
    {"rdp_paint_edges", run_paint<OverlayStyle::kEdges>},
    {"rdp_paint_classes", run_paint<OverlayStyle::kClasses>},
    {"rdp_paint_classes_on_plane", run_paint<OverlayStyle::kClasses>},
    {"rdp_birdseye_scale", run_birdseye_scale},
    {"rdp_birdseye_columns", run_birdseye_columns},
    {"rdp_birdseye_picture", run_birdseye_picture},
    {"rdp_paint_texts", run_paint_texts},
    {"rdp_paint_legend", run_paint_legend},
    {"rdp_rectify", run_rectify},
    {"rdp_disparity_to_depth", run_disparity_to_depth},
    {"count_known_u8", run_count_known<SampleType::kU8>},
    {"count_known_u16", run_count_known<SampleType::kU16>},
    {"count_known_paint", run_count_known_paint},
};

}  // namespace

HostKernel find_host_kernel(const char* name) {
  const std::string_view wanted = name;
  // Prefixes cover the variants of the segmenter's and line fitter's kernels for different column
  // sizes.
  if (wanted.starts_with("rdp_segment_fit")) return run_segment_fit;
  if (wanted.starts_with("rdp_segment_absolute")) return run_segment_absolute;
  if (wanted.starts_with("rdp_segment")) return run_segment;
  if (wanted.starts_with("rdp_fit")) return run_fit;
  if (const HostKernel blend = find_blend_kernel(wanted)) return blend;
  if (const HostKernel filter = find_filter_kernel(wanted)) return filter;
  if (const HostKernel stereo = find_stereo_kernel(wanted)) return stereo;
  if (const HostKernel planes = find_plane_kernel(wanted)) return planes;
  if (const HostKernel planes = find_frame_plane_kernel(wanted)) return planes;
  if (const HostKernel heights = find_height_kernel(wanted)) return heights;
  if (const HostKernel heights = find_height_picture_kernel(wanted)) return heights;
  if (const HostKernel points = find_point_kernel(wanted)) return points;
  if (const HostKernel alignment = find_align_kernel(wanted)) return alignment;
  if (const HostKernel tracks = find_klt_kernel(wanted)) return tracks;
  if (const HostKernel ground = find_ground_kernel(wanted)) return ground;
  if (const HostKernel obstacles = find_obstacle_kernel(wanted)) return obstacles;
  const auto* const found =
      std::find_if(std::begin(kKernels), std::end(kKernels),
                   [wanted](const Named& kernel) { return kernel.name == wanted; });
  return found == std::end(kKernels) ? nullptr : found->kernel;
}
