// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo's engine on the CPU.
#include <algorithm>
#include <cstring>

#include "common/rdp/overlay.h"
#include "gst/elements/depthstereo/stereo_method.h"

namespace rdp::gst {
namespace {

// Rows and columns of one work item, enough to be worth a thread.
constexpr int kRowsOfItem = 16;
constexpr int kColumnsOfItem = 64;

void copy_rows(const DepthView& from, int first_row, int end_row, const MutableDepthView& to) {
  for (int r = first_row; r < end_row; ++r) {
    std::memcpy(to.row(r), from.row(r), static_cast<std::size_t>(from.width));
  }
}

}  // namespace

void StereoMethod::CpuWorker::use_threads() {
  threads_wanted_.use(
      GST_ELEMENT(method_.element_), method_.settings_.threads,
      [this](guint wanted) {
        threads_.resize(wanted == 0 ? std::min(usable_processors(), ThreadPool::kMaxThreads)
                                    : wanted);
        engine_.set_threads(threads_.size());
      },
      [this] { return threads_.size(); });
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

// Prepares the views for matching, and writes the left one to its output if that is wanted.
stereo::Pair StereoMethod::CpuWorker::prepare(const Task& task) {
  const DepthView left = task.inputs[0].host;
  const DepthView right = task.inputs[1].host;
  stereo::Pair pair{left, right, {}, {}};
  const MutableDepthView& rectified = task.outputs[kRectified].host;
  const bool copies = rectified.data != nullptr;
  if (method_.maps() == nullptr) {
    if (copies) {
      spread(left.height, kRowsOfItem,
             [&](int first, int end) { copy_rows(left, first, end, rectified); });
    }
    return pair;
  }
  const StereoMaps& maps = *method_.maps();
  const MutableDepthView to_left = copies ? rectified : scratch(left, &left_);
  const MutableDepthView to_right = scratch(right, &right_);
  spread(2 * left.height, kRowsOfItem, [&](int first, int end) {
    // The left view's rows come first.
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
  const stereo::Parameters& parameters = method_.parameters();
  const MutableDepthView& disparity = task.outputs[kDisparity].host;
  const stereo::Pair pair = prepare(task);
  try {
    method_.note(engine_.match(pair, parameters, {disparity, task.outputs[kConfidence].host}),
                 disparity.width, disparity.height);
  } catch (const std::bad_alloc&) {
    throw NoMemoryToMatch(
        disparity.width, disparity.height, parameters,
        stereo::Engine::memory_for(disparity.width, disparity.height, parameters));
  }
  if (method_.wants_diagnosis()) method_.diagnose(pair, &engine_);
  if (method_.depth_table().empty()) return;
  spread(disparity.height, kRowsOfItem, [&](int first, int end) {
    stereo::to_depth(disparity, method_.depth_table(), first, end);
  });
}

void StereoMethod::CpuWorker::paint(const Task& task) {
  const DepthView frame = task.outputs[kDisparity].host;
  if (no_segments_.columns() < 0) no_segments_.resize_columns(0)[0] = 0;
  const Parameters samples;
  const OverlayLook look = overlay_look(frame, no_segments_, samples, method_.picture());
  spread(frame.width, kColumnsOfItem, [&](int first, int end) {
    paint_overlay(frame, no_segments_, samples, look, first, end, task.picture);
  });
}

}  // namespace rdp::gst
