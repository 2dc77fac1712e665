// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_COMPOSITION_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_COMPOSITION_H_

#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>

#include <functional>
#include <string>

#include "common/image/rgba_view.h"

namespace rdp::gst {

// The drawing for pictures in system memory, as libgstvideo's overlay composition. It is attached
// for downstream to blend, or blended into formats that HostBlend does not support. Streaming
// thread only.
class Composition {
 public:
  Composition() = default;
  ~Composition() { stop(); }
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;

  // Makes the drawing for pictures of this size: `paint` writes every pixel, in the order B, G, R,
  // A. False: *reason says what failed.
  bool draw(int width, int height, const std::function<void(const RgbaView&)>& paint,
            std::string* reason);
  bool drawn() const { return composition_ != nullptr; }
  // Blends the drawing into the writable picture with caps `info`, or attaches it over existing
  // compositions.
  bool blend(GstBuffer* picture, const GstVideoInfo& info, std::string* reason) const;
  void attach(GstBuffer* picture) const;
  // Forgets the drawing, and gives its memory back.
  void stop();

 private:
  bool use_pool(int width, int height, std::string* reason);

  GstBufferPool* pool_ = nullptr;
  GstVideoInfo info_{};
  GstVideoOverlayComposition* composition_ = nullptr;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_COMPOSITION_H_
