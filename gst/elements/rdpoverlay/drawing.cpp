// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/drawing.h"

#include <gst/rdpsegment/rdpcamerametric.h>
#include <gst/rdpsegment/rdpsegmentationparameters.h>

#include <cmath>
#include <cstring>
#include <span>

#include "gst/elements/base/segment_arrays.h"
#include "gst/elements/rdpoverlay/planes_look.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {
namespace {

// An inset is as opaque as if drawn twice, to be readable on a bright picture.
std::uint8_t alpha_of(const DrawingSettings& settings) {
  const auto alpha = static_cast<int>(std::lround(settings.opacity * 255.0));
  if (settings.style != DrawnStyle::kBirdseye) return static_cast<std::uint8_t>(alpha);
  const int bare = 255 - alpha;
  return static_cast<std::uint8_t>(255 - (bare * bare + 127) / 255);
}

FramePlacement scaled(FramePlacement placement, double wider, double higher) {
  placement.scale_x *= wider;
  placement.offset_x *= wider;
  placement.scale_y *= higher;
  placement.offset_y *= higher;
  return placement;
}

static_assert(sizeof(GstRdpTrack) == sizeof(klt::Track));
static_assert(sizeof(GstRdpObstacle) == sizeof(obstacles::ShownObject));

}  // namespace

DrawnThings drawn_things(DrawnStyle style) {
  if (style == DrawnStyle::kTrails) return {"tracks", "klttrack", "GstRdpTracksMeta", "trails"};
  if (style == DrawnStyle::kBoxes) {
    return {"obstacles", "depthobstacles", "GstRdpObstaclesMeta", "boxes"};
  }
  if (style == DrawnStyle::kPlanes) return {"planes", "depthplanes", "GstRdpPlanesMeta", "planes"};
  return {"segments", "rdpsegment", "GstRdpSegmentMeta", nullptr};
}

void Drawing::set_threads(guint threads) {
  threads_wanted_.use(
      element_, threads,
      [this](guint wanted) { threads_.resize(wanted == 0 ? usable_processors() : wanted); },
      [this] { return threads_.size(); });
}

void Drawing::forget_drawn() {
  if (drawn_ != nullptr) gst_mini_object_unref(drawn_);
  drawn_ = nullptr;
}

bool Drawing::is_drawn(gpointer object, const Drawn& how) const {
  return drawn_ == object && how == how_;
}

void Drawing::note_drawn(gpointer object, const Drawn& how) {
  forget_drawn();
  drawn_ = gst_mini_object_ref(GST_MINI_OBJECT_CAST(object));
  how_ = how;
}

bool Drawing::has_drawn(GstBuffer* frame, DrawnStyle style) {
  return style == DrawnStyle::kTrails   ? gst_buffer_get_rdp_tracks_meta(frame) != nullptr
         : style == DrawnStyle::kBoxes  ? gst_buffer_get_rdp_obstacles_meta(frame) != nullptr
         : style == DrawnStyle::kPlanes ? gst_buffer_get_rdp_planes_meta(frame) != nullptr
                                        : gst_buffer_get_rdp_segment_meta(frame) != nullptr;
}

void Drawing::warn(bool* said, const char* what, const char* why) {
  if (*said) return;
  *said = true;
  GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS, ("%s", what), ("%s", why));
}

// True if both cameras, and their relative pose, are known. If the picture has a camera, the user
// is told what else is missing.
bool Drawing::find_projection(GstBuffer* frame, const GstRdpSegmentMeta* meta, GstBuffer* picture,
                              const GstVideoInfo& picture_info, FrameProjection* projection) {
  constexpr const char* kScaled =
      "Segments are scaled to the picture of video, not projected: they may be beside their "
      "objects.";
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) to = gst_rdp_buffer_get_camera(picture, &error);
  if (to == nullptr) {
    if (error != nullptr) warn(&said_->camera, kScaled, error->message);
    return false;
  }
  const GstRdpCameraInfo& to_info = *gst_rdp_camera_get_info(to);
  const auto width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&picture_info));
  const auto height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&picture_info));
  if (to_info.width != 0 && (to_info.width != width || to_info.height != height)) {
    const std::string why = format_text(
        "the camera of video is for pictures of %ux%u, but these are %ux%u: an element scaled or "
        "cropped them without updating the camera; do that before the camera is attached",
        to_info.width, to_info.height, width, height);
    warn(&said_->camera, kScaled, why.c_str());
    return false;
  }
  g_autoptr(GstRdpCamera) from = gst_rdp_segment_meta_get_camera(frame, meta, &error);
  if (from == nullptr) {
    warn(&said_->camera, kScaled,
         error != nullptr
             ? error->message
             : "the frames on segments have no camera, expected one with a pose: set calibration, "
               "or focal-length, on the element that provides or segments them");
    return false;
  }
  const GstRdpCameraInfo& from_info = *gst_rdp_camera_get_info(from);
  // Two pictures of the same camera: there is nothing to project.
  if (from_info.has_pose == FALSE && to_info.has_pose == FALSE) return false;
  if (from_info.has_pose == FALSE || to_info.has_pose == FALSE) {
    warn(&said_->camera, kScaled,
         from_info.has_pose == FALSE ? "the camera of the frames on segments has no pose, but that "
                                       "of video has one: use a calibration with both poses"
                                     : "the camera of video has no pose, but that of the frames on "
                                       "segments has one: use a calibration with both poses");
    return false;
  }
  if (!meta::metric_camera(from, gst_rdp_segmentation_get_info(meta->segmentation),
                           &projection->frame, &error)) {
    warn(&said_->camera, kScaled, error->message);
    return false;
  }
  projection->between = pose_between(meta::camera_pose(from_info), meta::camera_pose(to_info));
  projection->picture = meta::camera_lens(to_info);
  return true;
}

// The camera of the frame, where it gives metres.
bool Drawing::find_metric(GstBuffer* frame, const GstRdpSegmentMeta* meta, MetricCamera* metric,
                          std::string* reason) const {
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) camera = gst_rdp_segment_meta_get_camera(frame, meta, &error);
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(meta->segmentation);
  if (camera != nullptr && meta::metric_camera(camera, &info, metric, &error)) return true;
  *reason = error != nullptr ? error->message
                             : "the frames on segments have no camera: set calibration, or "
                               "focal-length and what samples measure, on rdpsegment";
  return false;
}

// Fills `scene_` with the motion of the frame's segments. False: there is none, or it is of other
// segments.
bool Drawing::read_motion(GstBuffer* frame, const GstRdpSegmentMeta* meta) {
  const GstRdpMotionMeta* of = gst_buffer_get_rdp_motion_meta_of_batch(frame, meta->batch_index);
  if (of == nullptr) return false;
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(meta->segmentation);
  gsize n = 0;
  const auto* motions =
      reinterpret_cast<const motion::SegmentMotion*>(gst_rdp_motion_peek_segments(of->motion, &n));
  scene_.segments = segment_arrays_of(meta->segmentation);
  if (n != scene_.segments.segment_count()) return false;
  scene_parameters_ = meta::parameters_from_info(info);
  scene_.width = static_cast<int>(info.width);
  scene_.height = static_cast<int>(info.height);
  scene_.parameters = &scene_parameters_;
  scene_.motions = {motions, n};
  scene_.dt = gst_rdp_motion_get_info(of->motion)->dt;
  std::string reason;
  scene_.camera = find_metric(frame, meta, &scene_camera_, &reason) ? &scene_camera_ : nullptr;
  return true;
}

// Single frames may lack motion, as they met no tracks. If all lack it, rdpmotion is missing.
bool Drawing::look_for_motion(GstBuffer* frame, const GstRdpSegmentMeta* meta) {
  constexpr unsigned kPatience = 30;
  const bool found = read_motion(frame, meta);
  had_motion_ = had_motion_ || found;
  if (!had_motion_ && ++without_motion_ == kPatience) {
    warn(&said_->no_motion,
         "The frames on segments carry no motion, which style=motion needs: put rdpmotion before "
         "that pad.",
         "30 frames without GstRdpMotionMeta");
  }
  return found;
}

// A view from above needs metres. The camera of video has no part in it.
bool Drawing::look_from_above(GstBuffer* frame, const GstRdpSegmentMeta* meta,
                              const DrawingSettings& settings, int width, int height) {
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(meta->segmentation);
  MetricCamera metric;
  if (!find_metric(frame, meta, &metric, &reason_)) return false;
  const auto frame_width = static_cast<int>(info.width);
  const auto frame_height = static_cast<int>(info.height);
  const InsetCorner corner = settings.inset_position;
  inset_ = place_inset(metric, frame_width, width, height, settings.inset_size,
                       corner == InsetCorner::kTopRight || corner == InsetCorner::kBottomRight,
                       corner == InsetCorner::kBottomLeft || corner == InsetCorner::kBottomRight);
  above_.look(segment_arrays_of(meta->segmentation), meta::parameters_from_info(info), frame_width,
              frame_height, metric, settings.birdseye_range, inset_.view);
  if (read_motion(frame, meta)) {
    moving_.look_from_above(scene_, above_.scale(), inset_.view);
    moving_.paint(above_.picture(), 255, PixelOrder::kRgba, 0, inset_.view.height);
  }
  return true;
}

// Tracks are scaled to the picture, which is of their own camera, as a rule.
Drawing::Look Drawing::look_at_tracks(GstBuffer* frame, guint of_batch, double wider, double higher,
                                      Drawn how) {
  const GstRdpTracksMeta* meta = gst_buffer_get_rdp_tracks_meta_of_batch(frame, of_batch);
  if (meta == nullptr) return Look::kNothing;
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_tracks_fetch(meta->tracks, &error) == FALSE) {
    warn(&said_->lost, "The tracks of a frame are lost, and the picture goes on without them.",
         error->message);
    return Look::kNothing;
  }
  FramePlacement& placement = how.placement;
  gst_rdp_tracks_meta_get_placement(frame, meta, &placement.scale_x, &placement.scale_y,
                                    &placement.offset_x, &placement.offset_y);
  placement = scaled(placement, wider, higher);
  if (is_drawn(meta->tracks, how)) return Look::kTheSame;
  gsize n = 0;
  const auto* tracks =
      reinterpret_cast<const klt::Track*>(gst_rdp_tracks_peek_tracks(meta->tracks, &n));
  if (of_trails_ != meta->tracks) {
    trails_.update({tracks, n});
    if (of_trails_ != nullptr) gst_rdp_tracks_unref(of_trails_);
    of_trails_ = gst_rdp_tracks_ref(meta->tracks);
  }
  forget_drawn();
  marks_.look(klt::OverlayStyle::kTrails, {{tracks, n}, {}, trails_.trails()}, placement, how.width,
              how.height);
  note_drawn(meta->tracks, how);
  return Look::kNew;
}

// Boxes are scaled to the picture, as tracks are.
Drawing::Look Drawing::look_at_obstacles(GstBuffer* frame, guint of_batch, double wider,
                                         double higher, Drawn how) {
  const GstRdpObstaclesMeta* meta = gst_buffer_get_rdp_obstacles_meta_of_batch(frame, of_batch);
  if (meta == nullptr) return Look::kNothing;
  FramePlacement& placement = how.placement;
  gst_rdp_obstacles_meta_get_placement(frame, meta, &placement.scale_x, &placement.scale_y,
                                       &placement.offset_x, &placement.offset_y);
  placement = scaled(placement, wider, higher);
  if (is_drawn(meta->obstacles, how)) return Look::kTheSame;
  gsize n = 0;
  const auto* objects = reinterpret_cast<const obstacles::ShownObject*>(
      gst_rdp_obstacles_peek_objects(meta->obstacles, &n));
  forget_drawn();
  boxes_.look({objects, n}, placement, how.width, how.height);
  note_drawn(meta->obstacles, how);
  return Look::kNew;
}

// Planes have a label for each pixel, and are drawn unscaled.
Drawing::Look Drawing::look_at_planes(GstBuffer* frame, guint of_batch, GstBuffer* picture,
                                      const Drawn& how) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta_of_batch(frame, of_batch);
  if (meta == nullptr) return Look::kNothing;
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_planes_fetch_labels(meta->planes, &error) == FALSE) {
    warn(&said_->lost, "The planes of a frame are lost, and the picture goes on without them.",
         error->message);
    return Look::kNothing;
  }
  if (is_drawn(meta->planes, how)) return Look::kTheSame;
  forget_drawn();
  if (!gst::look_at_planes(frame, meta, picture, how.width, how.height, &plane_set_, &planes_,
                           &reason_)) {
    return Look::kRefused;
  }
  note_drawn(meta->planes, how);
  return Look::kNew;
}

Drawing::Look Drawing::look(GstBuffer* frame, guint of_batch, const GstVideoInfo& frame_info,
                            GstBuffer* picture, const GstVideoInfo& picture_info,
                            const DrawingSettings& settings, PixelOrder order) {
  Drawn how = {{},
               settings,
               order,
               GST_VIDEO_INFO_WIDTH(&picture_info),
               GST_VIDEO_INFO_HEIGHT(&picture_info)};
  const double wider = static_cast<double>(how.width) / GST_VIDEO_INFO_WIDTH(&frame_info);
  const double higher = static_cast<double>(how.height) / GST_VIDEO_INFO_HEIGHT(&frame_info);
  if (settings.style == DrawnStyle::kTrails)
    return look_at_tracks(frame, of_batch, wider, higher, how);
  if (settings.style == DrawnStyle::kBoxes)
    return look_at_obstacles(frame, of_batch, wider, higher, how);
  if (settings.style == DrawnStyle::kPlanes) return look_at_planes(frame, of_batch, picture, how);
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta_of_batch(frame, of_batch);
  if (meta == nullptr) return Look::kNothing;
  GstRdpSegmentation* segmentation = meta->segmentation;
  g_autoptr(GError) error = nullptr;
  if (gst_rdp_segmentation_fetch(segmentation, &error) == FALSE) {
    warn(&said_->lost, "The segments of a frame are lost, and the picture goes on without them.",
         error->message);
    return Look::kNothing;
  }
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  const bool from_above = settings.style == DrawnStyle::kBirdseye;
  const bool of_motion = settings.style == DrawnStyle::kMotion;
  FrameProjection projection;
  const bool projected =
      !from_above && !of_motion && find_projection(frame, meta, picture, picture_info, &projection);
  if (!projected) {
    FramePlacement& placement = how.placement;
    gst_rdp_segment_meta_get_placement(frame, meta, &placement.scale_x, &placement.scale_y,
                                       &placement.offset_x, &placement.offset_y);
    placement = scaled(placement, wider, higher);
    if (is_drawn(segmentation, how)) return Look::kTheSame;
  }

  if (from_above && !look_from_above(frame, meta, settings, how.width, how.height)) {
    return Look::kRefused;
  }
  PlacedLook look;
  look.options.style =
      settings.style == DrawnStyle::kClasses ? OverlayStyle::kClasses : OverlayStyle::kSegments;
  look.options.palette_min = settings.palette_min;
  look.options.palette_max = settings.palette_max;
  look.alpha = alpha_of(settings);
  look.order = order;
  look.options.ground = meta::ground_plane_of(info);
  const Parameters parameters = meta::parameters_from_info(info);
  const auto frame_width = static_cast<int>(info.width);
  const auto frame_height = static_cast<int>(info.height);
  forget_drawn();
  if (of_motion) {
    // The pictures are of the camera that moves: there is nothing to project.
    if (!look_for_motion(frame, meta)) return Look::kNothing;
    moving_.look(scene_, how.placement, how.width, how.height,
                 motion::MotionMarks::Shown::kMovingOnly);
  } else if (from_above) {
    // It is painted already.
  } else if (projected) {
    segments_.project(segment_arrays_of(segmentation), parameters, frame_width, frame_height,
                      projection, look);
  } else {
    segments_.place(segment_arrays_of(segmentation), parameters, frame_width, frame_height,
                    how.placement, look);
  }
  // A projected drawing is not reused: the next picture may have another camera.
  if (projected) how.placement = {0.0, 0.0, 0.0, 0.0};
  note_drawn(segmentation, how);
  return Look::kNew;
}

void Drawing::paint(const RgbaView& view, const Rows& then) {
  for_rows(view.height, [&](int first, int end) {
    paint_rows(view, first, end);
    if (then) then(first, end);
  });
}

void Drawing::paint_rows(const RgbaView& view, int first, int end) const {
  const DrawnStyle style = how_.settings.style;
  if (segments() != nullptr) {
    segments_.paint(view, first, end);
    return;
  }
  const std::uint8_t alpha = alpha_of(how_.settings);
  if (style == DrawnStyle::kMotion) {
    moving_.paint(view, alpha, how_.order, first, end);
    return;
  }
  if (style == DrawnStyle::kPlanes) {
    planes_.paint(view, alpha, how_.order, first, end);
    return;
  }
  for (int row = first; row < end; ++row) {
    std::memset(view.data + row * view.stride, 0, static_cast<std::size_t>(view.width) * 4);
  }
  if (style == DrawnStyle::kTrails) {
    marks_.paint(view, alpha, how_.order, first, end);
  } else if (style == DrawnStyle::kBoxes) {
    boxes_.paint(view, alpha, how_.order, first, end);
  } else {
    above_.paint(view, inset_, alpha, how_.order, first, end);
  }
}

}  // namespace rdp::gst
