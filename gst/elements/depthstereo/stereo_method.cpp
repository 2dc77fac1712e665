// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthstereo/stereo_method.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "common/image/simd.h"
#include "common/rdp/overlay.h"
#include "gst/elements/depthstereo/gstdepthstereo.h"
#include "gst/elements/depthstereo/stereo_properties.h"

#define GST_CAT_DEFAULT gst_depth_stereo_debug

namespace rdp::gst {
namespace {

// Rows and columns that are worth a thread.
constexpr int kRowsOfItem = 16;
constexpr int kColumnsOfItem = 64;

void copy_rows(const DepthView& from, int first_row, int end_row, const MutableDepthView& to) {
  for (int r = first_row; r < end_row; ++r) {
    std::memcpy(to.row(r), from.row(r), static_cast<std::size_t>(from.width));
  }
}

}  // namespace

NoMemoryToMatch::NoMemoryToMatch(int width, int height, const stereo::Parameters& parameters,
                                 std::size_t bytes) noexcept {
  std::snprintf(text_, sizeof text_,
                "a pair of %dx%d with disparities=%d needs %zu MiB: fewer disparities, or smaller "
                "pictures (videoscale before the element), need less",
                width, height, parameters.disparities, (bytes >> 20) + 1);
}

// --- on the CPU ---------------------------------------------------------------------------------

// Where the system does not give so many, the element goes on with fewer.
void StereoMethod::CpuWorker::use_threads() {
  const guint wanted = method_.job_.settings.threads;
  if (wanted == wanted_threads_) return;
  wanted_threads_ = wanted;  // also where it fails: not once more for every pair
  try {
    threads_.resize(wanted == 0 ? std::min(usable_processors(), ThreadPool::kMaxThreads) : wanted);
    engine_.set_threads(threads_.size());
  } catch (const std::system_error& error) {
    GST_ELEMENT_WARNING(
        method_.element_, RESOURCE, FAILED,
        ("There are fewer threads than wanted; the work takes longer."),
        ("threads=%u, of which the system gave %u: %s", wanted, threads_.size(), error.what()));
  }
}

// Calls body (first, end) for parts of [0, items), of `least` each.
template <typename Body>
void StereoMethod::CpuWorker::spread(int items, int least, const Body& body) {
  const auto parts = static_cast<unsigned>((items + least - 1) / least);
  threads_.run(parts, std::min(threads_.size(), parts), [&](unsigned part, unsigned, unsigned) {
    const int first = static_cast<int>(part) * least;
    body(first, std::min(first + least, items));
  });
}

MutableDepthView StereoMethod::CpuWorker::scratch(const DepthView& like,
                                                  GrowBuffer<std::byte>* memory) {
  const auto width = static_cast<std::size_t>(like.width);
  return {memory->ensure(width * static_cast<std::size_t>(like.height)), like.width, like.width,
          like.height, SampleType::kU8};
}

// The views as they are matched, of which the left one is also written to where it is wanted.
stereo::Pair StereoMethod::CpuWorker::prepare(const Task& task,
                                              const Outputs<MutableDepthView>& outputs) {
  const DepthView left = task.inputs[0].host;
  const DepthView right = task.inputs[1].host;
  stereo::Pair pair{left, right, {}, {}};
  const bool copies = outputs.rectified.data != nullptr;
  if (method_.job_.maps == nullptr) {
    if (copies) {
      spread(left.height, kRowsOfItem,
             [&](int first, int end) { copy_rows(left, first, end, outputs.rectified); });
    }
    return pair;
  }
  const StereoMaps& maps = *method_.job_.maps;
  const MutableDepthView to_left = copies ? outputs.rectified : scratch(left, &left_);
  const MutableDepthView to_right = scratch(right, &right_);
  spread(2 * left.height, kRowsOfItem, [&](int first, int end) {
    // Those of the left view come first.
    const int rows = left.height;
    if (first < rows) {
      stereo::rectify_rows(left, maps.left, first, std::min(end, rows), to_left);
    }
    if (end > rows) {
      stereo::rectify_rows(right, maps.right, std::max(first - rows, 0), end - rows, to_right);
    }
  });
  pair = {to_left, to_right, maps.left.mask_view(), maps.right.mask_view()};
  return pair;
}

void StereoMethod::CpuWorker::analyze(const Task& task) {
  use_threads();
  const Outputs<MutableDepthView> outputs = method_.outputs_of(task, &FrameSurface::host);
  const stereo::Parameters& parameters = method_.job_.parameters;
  const MutableDepthView& disparity = outputs.disparity;
  const stereo::Pair pair = prepare(task, outputs);
  try {
    method_.note(engine_.match(pair, parameters, {disparity, outputs.confidence}), disparity.width,
                 disparity.height);
  } catch (const std::bad_alloc&) {
    throw NoMemoryToMatch(
        disparity.width, disparity.height, parameters,
        stereo::Engine::memory_for(disparity.width, disparity.height, parameters));
  }
  if (method_.wants_diagnosis()) method_.diagnose(pair, &engine_);
  if (method_.depth_table_.empty()) return;
  spread(disparity.height, kRowsOfItem, [&](int first, int end) {
    stereo::to_depth(disparity, method_.depth_table_, first, end);
  });
}

void StereoMethod::CpuWorker::paint(const Task& task) {
  const DepthView frame = task.outputs[0].host;
  if (no_segments_.columns() < 0) no_segments_.resize_columns(0)[0] = 0;
  const Parameters samples;
  const OverlayLook look = overlay_look(frame, no_segments_, samples, method_.picture());
  spread(frame.width, kColumnsOfItem, [&](int first, int end) {
    paint_overlay(frame, no_segments_, samples, look, first, end, task.picture);
  });
}

// --- the method ---------------------------------------------------------------------------------

StereoMethod::StereoMethod(GstElement* element) : element_(element), watch_(element) {
  const std::string& complaint = apply_simd_environment();
  if (!complaint.empty()) GST_WARNING_OBJECT(element_, "%s", complaint.c_str());
}

void StereoMethod::set_job(const StereoJob& job) {
  if (job.depth != depth_table_scale_) {
    depth_table_scale_.reset();
    depth_table_ = job.depth ? stereo::depth_table(*job.depth) : std::vector<std::uint16_t>();
    depth_table_scale_ = job.depth;
  }
  job_ = job;
}

void StereoMethod::set_outputs(bool rectified, bool confidence) {
  job_.rectified = rectified;
  job_.confidence = confidence;
}

bool StereoMethod::arrange(std::span<const FrameSurface> surfaces,
                           std::vector<FrameSurface>* arranged) {
  if (job_.layout.packing == Packing::kNone) {
    if (surfaces.size() == 2) return false;
    throw std::runtime_error(
        "expected one surface in each buffer of left and right, got " +
        std::to_string(surfaces.size()) +
        " in both: batches have to be taken apart (nvstreamdemux), or, with both views in one, "
        "to come to one pad alone with packing=batch");
  }
  arranged->resize(2);
  std::string reason;
  if (!split_views(surfaces, job_.layout, &(*arranged)[0], &(*arranged)[1], &reason)) {
    throw std::runtime_error(reason);
  }
  return true;
}

void StereoMethod::take_picture_settings(GstPad* pad) {
  picture_ = DisparityOverlayPad::get_settings(pad);
}

OverlayOptions StereoMethod::picture() const {
  OverlayOptions options = picture_;
  if (job_.depth) {
    options.depth_unit = 0.001;
  } else {
    options.disparity_unit = 1.0 / stereo::kDisparityOne;
  }
  return options;
}

void StereoMethod::note(const stereo::Counts& counts, int width, int height) {
  counts_ = counts;
  watch_.note(counts, width, height, job_.parameters);
}

void StereoMethod::diagnose(const stereo::Pair& pair, stereo::Engine* engine) {
  watch_.take(stereo::diagnose(pair, job_.parameters, engine));
}

}  // namespace rdp::gst
