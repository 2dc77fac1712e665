// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/engine.h"

#include "common/reference.h"

namespace rdp {

struct Engine::Impl {
  unsigned threads = 1;
  reference::Frame filtered;
};

Engine::Engine(unsigned threads) : impl_(std::make_unique<Impl>()) { set_threads(threads); }
Engine::~Engine() = default;
void Engine::set_threads(unsigned threads) { impl_->threads = threads == 0 ? 1 : threads; }
unsigned Engine::threads() const { return impl_->threads; }

void Engine::segment(const DepthView& frame, const Parameters& parameters, SegmentList* result) {
  impl_->filtered = reference::filter(frame, parameters);
  reference::segment(impl_->filtered.view(), segmented_known_range(parameters, frame.type),
                     epsilon256(parameters), result);
}

void Engine::reconstruct(const MutableDepthView& frame, const Parameters& parameters,
                         const SegmentList& segments) {
  reference::reconstruct(impl_->filtered, segments, parameters, frame);
}

void Engine::paint(const DepthView& frame, const SegmentList& segments,
                   const Parameters& parameters, const OverlayOptions& options,
                   const RgbaView& picture) {
  paint_overlay(frame, segments, parameters, options.style,
                palette_range(frame, parameters, options), 0, frame.width, picture);
}

std::vector<std::string> simd_targets() { return {"scalar"}; }
bool use_simd_target(const std::string& name) { return name.empty() || name == "scalar"; }
std::string current_simd_target() { return "scalar"; }

}  // namespace rdp
