// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_DRAWING_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_DRAWING_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <functional>
#include <string>

#include "common/image/rgba_view.h"
#include "common/image/row_bands.h"
#include "common/image/thread_pool.h"
#include "common/klt/overlay.h"
#include "common/motion/overlay.h"
#include "common/obstacles/overlay.h"
#include "common/planes/pictures/marks.h"
#include "common/rdp/birdseye_inset.h"
#include "common/rdp/placed_segments.h"
#include "gst/elements/base/worker_threads.h"
#include "gst/elements/rdpoverlay/overlay_settings.h"

namespace rdp::gst {

// The things that a style shows.
struct DrawnThings {
  const char* name;
  const char* maker;      // the element that finds them
  const char* meta;       // on frames
  const char* needed_by;  // the one style that shows them; null: several
};
DrawnThings drawn_things(DrawnStyle style);

// The drawing on the pictures: finds the places of a frame's segments, tracks, obstacles or planes
// on a picture, and paints them. It is transparent elsewhere. Knows no pads and no memory of
// pictures. Streaming thread only. Throws std::bad_alloc.
class Drawing {
 public:
  // The warnings that were posted, by all drawings of a stream.
  struct WarnedOnce {
    bool lost = false;
    bool camera = false;
    bool no_motion = false;
  };
  // `element` posts the warnings; *said outlives the drawing.
  Drawing(GstElement* element, WarnedOnce* said) : element_(element), said_(said) {}
  ~Drawing() {
    forget_drawn();
    if (of_trails_ != nullptr) gst_rdp_tracks_unref(of_trails_);
  }
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  // Sets the number of threads that paint; 0: one for each processor.
  void set_threads(guint threads);

  enum class Look {
    kNothing,  // there is nothing to be drawn
    kTheSame,  // what was drawn last
    kNew,      // paint() it
    kRefused,  // it cannot be drawn: reason() says why
  };
  // True if the frame has the metadata that the style shows.
  static bool has_drawn(GstBuffer* frame, DrawnStyle style);
  // Finds the segments, tracks, obstacles or planes of frame `of_batch` of a batch, and their
  // places on the picture. `frame_info` and `picture_info` are the caps. Posts each warning once a
  // stream.
  Look look(GstBuffer* frame, guint of_batch, const GstVideoInfo& frame_info, GstBuffer* picture,
            const GstVideoInfo& picture_info, const DrawingSettings& settings, PixelOrder order);
  const std::string& reason() const { return reason_; }
  // Rows [first, end) of the picture, the first of which is even.
  using Rows = std::function<void(int first, int end)>;
  // Paints all of `view`, which has the size of the picture. The painting threads call `then`,
  // unless empty, for all rows, band by band after painting them.
  void paint(const RgbaView& view, const Rows& then = {});
  // The painted segments, for painters on other devices, until the next look(); null: this style is
  // painted here alone.
  const PlacedSegments* segments() const {
    const DrawnStyle style = how_.settings.style;
    return style == DrawnStyle::kSegments || style == DrawnStyle::kClasses ? &segments_ : nullptr;
  }
  // Calls call(first, end) for all rows as Rows, in the threads that paint.
  template <typename Call>
  void for_rows(int height, const Call& call) {
    for_bands(&threads_, height, kBand, call);
  }

 private:
  static constexpr int kBand = 64;

  // The last drawing, and its settings.
  struct Drawn {
    FramePlacement placement;
    DrawingSettings settings;
    PixelOrder order = PixelOrder::kRgba;
    int width = 0;
    int height = 0;

    bool operator==(const Drawn&) const = default;
  };

  void paint_rows(const RgbaView& view, int first, int end) const;
  void forget_drawn();
  bool is_drawn(gpointer object, const Drawn& how) const;
  void note_drawn(gpointer object, const Drawn& how);
  Look look_at_tracks(GstBuffer* frame, guint of_batch, double wider, double higher, Drawn how);
  Look look_at_obstacles(GstBuffer* frame, guint of_batch, double wider, double higher, Drawn how);
  Look look_at_planes(GstBuffer* frame, guint of_batch, GstBuffer* picture, const Drawn& how);
  bool find_metric(GstBuffer* frame, const GstRdpSegmentMeta* meta, MetricCamera* metric,
                   std::string* reason) const;
  bool read_motion(GstBuffer* frame, const GstRdpSegmentMeta* meta);
  bool look_for_motion(GstBuffer* frame, const GstRdpSegmentMeta* meta);
  bool find_projection(GstBuffer* frame, const GstRdpSegmentMeta* meta, GstBuffer* picture,
                       const GstVideoInfo& picture_info, FrameProjection* projection);
  bool look_from_above(GstBuffer* frame, const GstRdpSegmentMeta* meta,
                       const DrawingSettings& settings, int width, int height);
  void warn(bool* said, const char* what, const char* why);

  GstElement* const element_;
  WarnedOnce* const said_;
  ThreadPool threads_;
  WorkerThreads threads_wanted_;
  PlacedSegments segments_;
  klt::Trails trails_;
  GstRdpTracks* of_trails_ = nullptr;  // last added to trails_
  klt::Marks marks_;
  obstacles::ObjectMarks boxes_;
  planes::PlaneMarks planes_;
  planes::PlaneSet plane_set_;
  BirdseyeInset above_;
  InsetPlace inset_;
  // The drawn frame's motion, and the scene that it refers to.
  motion::MotionMarks moving_;
  motion::OverlayScene scene_;
  Parameters scene_parameters_;
  MetricCamera scene_camera_;
  std::string reason_;
  GstMiniObject* drawn_ = nullptr;
  Drawn how_;
  bool had_motion_ = false;
  unsigned without_motion_ = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_DRAWING_H_
