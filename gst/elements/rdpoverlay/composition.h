// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_COMPOSITION_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_COMPOSITION_H_

#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>

#include <functional>
#include <string>

#include "common/image/rgba_view.h"

namespace rdp::gst {

// The drawing for pictures in system memory, as libgstvideo's overlay composition: attached for
// whoever blends it downstream, or blended into pictures of formats that HostBlend does not
// take. Streaming thread only.
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
  // Blends it into the picture, whose caps are `info` and which is writable, or attaches it to it,
  // over what is attached already.
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
