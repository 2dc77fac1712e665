/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpcamerabytes.h>
#include <gst/rdpsegment/rdpcameralost.h>
#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/rdpsegment/rdpcameraprivate.h>
#include <gst/video/video.h>

#include <algorithm>
#include <cmath>

#include "common/image/float_environment.h"
#include "gst/rdpsegment/private/meta_registration.h"
#include "gst/rdpsegment/private/placement.h"

/**
 * SECTION:rdpcamerameta
 * @title: GstRdpCameraMeta
 * @short_description: The camera of a frame, on its buffer
 *
 * The metadata is tagged as belonging to video, its orientation and its size. It survives copies of
 * a whole buffer, and follows scaling and, from GStreamer 1.28 on, shifts and borders.
 *
 * If it cannot follow, the camera is lost, because metres would be wrong. The metadata stays on the
 * buffer without a camera, and gst_rdp_buffer_get_camera() reports the cause and the remedy. The
 * camera is lost if the picture is mirrored or rotated, mixed with pictures of other cameras, or
 * has another size than the camera. It is also lost if the display's aspect ratio changes: borders
 * may have been added, which GStreamer tells only from 1.28 on.
 *
 * Since: 0.2
 */

using rdp::meta::LostCamera;
using rdp::meta::Placement;

/**
 * gst_rdp_camera_meta_api_get_type:
 *
 * The type that gst_buffer_get_meta() takes. It has tags, by which elements know how to treat the
 * metadata.
 *
 * Returns: the type of the metadata's interface
 *
 * Since: 0.2
 */
GType gst_rdp_camera_meta_api_get_type(void) {
  static gsize type = 0;
  static const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
                                GST_META_TAG_VIDEO_SIZE_STR, nullptr};
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, gst_meta_api_type_register("GstRdpCameraMetaAPI", tags));
  }
  return type;
}

static gboolean meta_init(GstMeta* meta, gpointer params, GstBuffer* buffer) {
  auto* self = reinterpret_cast<GstRdpCameraMeta*>(meta);
  self->camera = nullptr;
  self->_lost = static_cast<guint>(LostCamera::kNot);
  std::fill_n(self->_lost_sizes, 4, 0U);
  self->_samples_changed = FALSE;
  self->_before = nullptr;
  std::fill_n(self->_gst_reserved, G_N_ELEMENTS(self->_gst_reserved), nullptr);
  return TRUE;
}

static void clear(GstRdpCamera** camera) {
  if (*camera != nullptr) gst_rdp_camera_unref(*camera);
  *camera = nullptr;
}

static void meta_free(GstMeta* meta, GstBuffer* buffer) {
  auto* self = reinterpret_cast<GstRdpCameraMeta*>(meta);
  clear(&self->camera);
  clear(&self->_before);
}

/* The metadata with a camera, or with a lost one. Metadata from the buffer's pool may be empty: it
 * cannot be removed. */
static GstRdpCameraMeta* find(GstBuffer* buffer) {
  gpointer state = nullptr;
  while (GstMeta* meta =
             gst_buffer_iterate_meta_filtered(buffer, &state, GST_RDP_CAMERA_META_API_TYPE)) {
    auto* found = reinterpret_cast<GstRdpCameraMeta*>(meta);
    if (found->camera != nullptr || found->_lost != 0) return found;
  }
  return nullptr;
}

/* Sets the buffer's camera; adds the metadata if there is none. `camera`: (transfer full) */
static GstRdpCameraMeta* put(GstBuffer* buffer, GstRdpCamera* camera) {
  GstRdpCameraMeta* meta = find(buffer);
  if (meta == nullptr) {
    meta = reinterpret_cast<GstRdpCameraMeta*>(
        gst_buffer_add_meta(buffer, GST_RDP_CAMERA_META_INFO, nullptr));
  }
  clear(&meta->camera);
  clear(&meta->_before);
  meta->camera = camera;
  meta->_lost = static_cast<guint>(LostCamera::kNot);
  std::fill_n(meta->_lost_sizes, 4, 0U);
  meta->_samples_changed = FALSE;
  return meta;
}

/* Marks the buffer's camera as lost. `before`: the lost camera; null: no unit is known for the
 * samples. */
static void put_lost(GstBuffer* buffer, LostCamera how, guint width, guint height, guint new_width,
                     guint new_height, GstRdpCamera* before) {
  GstRdpCameraMeta* meta = put(buffer, nullptr);
  meta->_lost = static_cast<guint>(how);
  if (before != nullptr) meta->_before = gst_rdp_camera_ref(before);
  const guint sizes[4] = {width, height, new_width, new_height};
  std::copy_n(sizes, 4, meta->_lost_sizes);
}

/* True if both pictures have the same aspect ratio on a display. videoscale compares the same
 * fractions to decide whether it adds borders. */
static bool same_aspect_ratio(const GstVideoInfo& in, const GstVideoInfo& out) {
  int in_n = 0, in_d = 1, out_n = 0, out_d = 1;
  return gst_util_fraction_multiply(GST_VIDEO_INFO_WIDTH(&in), GST_VIDEO_INFO_HEIGHT(&in),
                                    GST_VIDEO_INFO_PAR_N(&in), GST_VIDEO_INFO_PAR_D(&in), &in_n,
                                    &in_d) != FALSE &&
         gst_util_fraction_multiply(GST_VIDEO_INFO_WIDTH(&out), GST_VIDEO_INFO_HEIGHT(&out),
                                    GST_VIDEO_INFO_PAR_N(&out), GST_VIDEO_INFO_PAR_D(&out), &out_n,
                                    &out_d) != FALSE &&
         in_n == out_n && in_d == out_d;
}

/* True if both formats hold the same numbers, so that one unit fits both. */
static bool same_samples(const GstVideoInfo& in, const GstVideoInfo& out) {
  const auto swapped = [](GstVideoFormat format) {
    return format == GST_VIDEO_FORMAT_GRAY16_BE ? GST_VIDEO_FORMAT_GRAY16_LE : format;
  };
  return swapped(GST_VIDEO_INFO_FORMAT(&in)) == swapped(GST_VIDEO_INFO_FORMAT(&out));
}

/* True if pixels have the same aspect ratio on a display. */
static bool same_pixels(const GstVideoInfo& in, const GstVideoInfo& out) {
  return GST_VIDEO_INFO_PAR_N(&in) == GST_VIDEO_INFO_PAR_N(&out) &&
         GST_VIDEO_INFO_PAR_D(&in) == GST_VIDEO_INFO_PAR_D(&out);
}

/* True if the unit of samples is the same in both. */
static bool same_unit(const GstVideoInfo& in, const GstVideoInfo& out) {
  return GST_VIDEO_INFO_WIDTH(&in) == GST_VIDEO_INFO_WIDTH(&out) && same_samples(in, out);
}

/* The picture before a transform; null: the transform does not state it. */
static const GstVideoInfo* picture_before(GQuark type, gpointer data) {
#if GST_CHECK_VERSION(1, 28, 0)
  if (GST_VIDEO_META_TRANSFORM_IS_MATRIX(type)) {
    return static_cast<const GstVideoMetaTransformMatrix*>(data)->in_info;
  }
#endif
  if (GST_VIDEO_META_TRANSFORM_IS_SCALE(type)) {
    return static_cast<const GstVideoMetaTransform*>(data)->in_info;
  }
  return nullptr;
}

static const GstVideoInfo* picture_after(GQuark type, gpointer data) {
#if GST_CHECK_VERSION(1, 28, 0)
  if (GST_VIDEO_META_TRANSFORM_IS_MATRIX(type)) {
    return static_cast<const GstVideoMetaTransformMatrix*>(data)->out_info;
  }
#endif
  return static_cast<const GstVideoMetaTransform*>(data)->out_info;
}

/* Reduces the size of the buffer's picture to its crop, if there is one. */
static void shown_size(GstBuffer* buffer, guint* width, guint* height) {
  if (const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer)) {
    *width = crop->width;
    *height = crop->height;
  }
}

static gboolean meta_transform(GstBuffer* target, GstMeta* meta, GstBuffer* buffer, GQuark type,
                               gpointer data) {
  const auto* source = reinterpret_cast<const GstRdpCameraMeta*>(meta);
  if (source->camera == nullptr && source->_lost == 0) return FALSE;
  Placement placement;
  const bool follows = rdp::meta::transform_placement(buffer, type, data, &placement);
  const GstVideoInfo* before = picture_before(type, data);
  if (before == nullptr && !follows) return FALSE;

  if (source->camera == nullptr) {
    put_lost(target, static_cast<LostCamera>(source->_lost), source->_lost_sizes[0],
             source->_lost_sizes[1], source->_lost_sizes[2], source->_lost_sizes[3],
             before == nullptr || same_unit(*before, *picture_after(type, data)) ? source->_before
                                                                                 : nullptr);
    return TRUE;
  }
  if (before == nullptr) { /* a copy */
    put(target, gst_rdp_camera_ref(source->camera))->_samples_changed = source->_samples_changed;
    return TRUE;
  }

  const GstVideoInfo& after = *picture_after(type, data);
  /* Without a known sample unit the old camera cannot provide a remedy. */
  GstRdpCamera* const kept =
      source->_samples_changed == FALSE && same_samples(*before, after) ? source->camera : nullptr;
  const auto old_width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(before));
  const auto old_height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(before));
  const auto new_width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&after));
  const auto new_height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&after));
  guint width = gst_rdp_camera_get_info(source->camera)->width;
  guint height = gst_rdp_camera_get_info(source->camera)->height;
  /* A crop refers to the buffer's own picture, even if an element has changed that. */
  const GstVideoMeta* video = gst_buffer_get_video_meta(buffer);
  if (video != nullptr && width != 0 && (width != video->width || height != video->height)) {
    put_lost(target, LostCamera::kSize, width, height, video->width, video->height, kept);
    return TRUE;
  }
  shown_size(buffer, &width, &height);
  if (width != 0 && (width != old_width || height != old_height)) {
    put_lost(target, LostCamera::kSize, width, height, old_width, old_height, kept);
    return TRUE;
  }
  if (!follows || placement.scale_x <= 0 || placement.scale_y <= 0) {
    put_lost(target, LostCamera::kTurned, old_width, old_height, new_width, new_height, kept);
    return TRUE;
  }
  if (GST_VIDEO_META_TRANSFORM_IS_SCALE(type) && !same_aspect_ratio(*before, after)) {
    /* Sizes reveal borders at the sides only if pixels keep their aspect ratio. */
    put_lost(target, LostCamera::kAspectRatio, old_width, old_height, new_width, new_height,
             same_pixels(*before, after) ? kept : nullptr);
    return TRUE;
  }
  GstRdpCamera* camera =
      rdp::meta::camera_of_placement(source->camera, placement, new_width, new_height);
  if (camera == nullptr) return FALSE;
  /* Mixers call this once for each input picture: their output has no single camera. */
  if (const GstRdpCameraMeta* other = find(target);
      other != nullptr && other->camera != nullptr && other->camera != camera) {
    gst_rdp_camera_unref(camera);
    put_lost(target, LostCamera::kMixed, old_width, old_height, new_width, new_height, nullptr);
    return TRUE;
  }
  put(target, camera)->_samples_changed =
      source->_samples_changed != FALSE || !same_samples(*before, after) ? TRUE : FALSE;
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)
static constexpr guint8 kSerialVersion = 1;

static gboolean meta_serialize(const GstMeta* meta, GstByteArrayInterface* data, guint8* version) {
  const auto* self = reinterpret_cast<const GstRdpCameraMeta*>(meta);
  if (self->camera == nullptr && self->_lost == 0) return FALSE;
  *version = kSerialVersion;
  guint8 bytes[rdp::meta::kMaxCameraBytes];
  rdp::meta::CameraState state;
  state.camera = self->camera;
  state.lost = static_cast<LostCamera>(self->_lost);
  std::copy_n(self->_lost_sizes, 4, state.lost_sizes);
  state.samples_changed = self->_samples_changed != FALSE;
  return gst_byte_array_interface_append_data(data, bytes, rdp::meta::write_camera(state, bytes));
}

static GstMeta* meta_deserialize(const GstMetaInfo* info, GstBuffer* buffer, const guint8* data,
                                 gsize size, guint8 version) {
  if (version != kSerialVersion) return nullptr;
  rdp::meta::CameraState state;
  g_autoptr(GError) error = nullptr;
  if (!rdp::meta::read_camera(data, size, &state, &error)) {
    GST_WARNING("serialized metadata refused: %s", error->message);
    return nullptr;
  }
  GstRdpCameraMeta* self = put(buffer, state.camera);
  self->_lost = static_cast<guint>(state.lost);
  std::copy_n(state.lost_sizes, 4, self->_lost_sizes);
  self->_samples_changed = state.samples_changed ? TRUE : FALSE;
  return &self->meta;
}

static constexpr rdp::meta::MetaFunctions kFunctions = {
    meta_init, meta_free, rdp::in_standard_floats<meta_transform>, meta_serialize,
    rdp::in_standard_floats<meta_deserialize>};
#else
static constexpr rdp::meta::MetaFunctions kFunctions = {meta_init, meta_free,
                                                        rdp::in_standard_floats<meta_transform>};
#endif

/**
 * gst_rdp_camera_meta_get_info:
 *
 * The first call makes the metadata known to this process, as gst_rdp_segment_meta_get_info() does
 * for segments.
 *
 * Returns: (transfer none): the #GstMetaInfo of #GstRdpCameraMeta
 *
 * Since: 0.2
 */
const GstMetaInfo* gst_rdp_camera_meta_get_info(void) {
  return rdp::meta::registered_meta<GstRdpCameraMeta>(GST_RDP_CAMERA_META_API_TYPE,
                                                      "GstRdpCameraMeta", kFunctions);
}

/* The camera of the whole picture that the GstVideoMeta describes, from the camera of the shown
 * part. (transfer full) (nullable) */
static GstRdpCamera* of_whole_picture(GstBuffer* buffer, GstRdpCamera* camera) {
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
  if (crop == nullptr) return gst_rdp_camera_ref(camera);
  const GstVideoMeta* video = gst_buffer_get_video_meta(buffer);
  return rdp::meta::camera_of_placement(camera, rdp::meta::placement_of_new(buffer),
                                        video != nullptr ? video->width : 0,
                                        video != nullptr ? video->height : 0);
}

/**
 * gst_buffer_add_rdp_camera_meta:
 * @buffer: a writable #GstBuffer
 * @camera: the camera of what @buffer shows
 *
 * Puts @camera on @buffer, which takes a reference to it, and replaces an earlier one. @camera must
 * belong to the picture that @buffer shows, as its caps describe it. If a #GstVideoCropMeta shows
 * only a part of the picture, the metadata stores the camera of the whole picture.
 *
 * Returns: (transfer none) (nullable): the metadata, which belongs to @buffer; %NULL where there is
 *   no memory
 *
 * Since: 0.2
 */
GstRdpCameraMeta* gst_buffer_add_rdp_camera_meta(GstBuffer* buffer, GstRdpCamera* camera) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(gst_buffer_is_writable(buffer), nullptr);
  g_return_val_if_fail(GST_IS_RDP_CAMERA(camera), nullptr);

  GstRdpCamera* whole = rdp::with_standard_floats([&] { return of_whole_picture(buffer, camera); });
  return whole != nullptr ? put(buffer, whole) : nullptr;
}

/**
 * gst_buffer_get_rdp_camera_meta:
 * @buffer: a #GstBuffer
 *
 * Finds the metadata itself, to change or to remove it.
 *
 * Returns: (transfer none) (nullable): the metadata, whose camera is %NULL if it was lost; %NULL if
 *   there never was one. Programs usually need gst_rdp_buffer_get_camera() instead
 *
 * Since: 0.2
 */
GstRdpCameraMeta* gst_buffer_get_rdp_camera_meta(GstBuffer* buffer) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);

  return find(buffer);
}

static void set_lost(GError** error, LostCamera how, const guint (&sizes)[4], bool here,
                     const GstRdpCamera* before) {
  const rdp::meta::UnitRemedy unit =
      rdp::meta::unit_remedy(before != nullptr ? &before->info : nullptr, how, sizes);
  g_autofree gchar* text = rdp::meta::lost_camera_text(how, sizes, here, unit);
  g_set_error_literal(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, text);
}

/* The camera of the picture that the buffer's GstVideoMeta describes; null with an error if it is
 * lost or of another size. (transfer none) */
static GstRdpCamera* whole_camera(GstBuffer* buffer, const GstRdpCameraMeta& meta, GError** error) {
  if (meta.camera == nullptr) {
    set_lost(error, static_cast<LostCamera>(meta._lost), meta._lost_sizes, false, meta._before);
    return nullptr;
  }
  const GstRdpCameraInfo& info = meta.camera->info;
  const GstVideoMeta* video = gst_buffer_get_video_meta(buffer);
  if (video != nullptr && info.width != 0 &&
      (video->width != info.width || video->height != info.height)) {
    const guint sizes[4] = {info.width, info.height, video->width, video->height};
    set_lost(error, LostCamera::kSize, sizes, true,
             meta._samples_changed == FALSE ? meta.camera : nullptr);
    return nullptr;
  }
  return meta.camera;
}

/* Returns `camera`, or sets an error if it is null. (transfer full) */
static GstRdpCamera* or_no_memory(GstRdpCamera* camera, GError** error) {
  if (camera == nullptr) {
    g_set_error_literal(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
                        "no memory for the camera of the frame");
  }
  return camera;
}

/* The camera of the shown part of the buffer's picture. (transfer full) */
static GstRdpCamera* shown_camera(GstBuffer* buffer, const GstRdpCameraMeta& meta, GError** error) {
  GstRdpCamera* camera = whole_camera(buffer, meta, error);
  if (camera == nullptr) return nullptr;
  guint width = camera->info.width;
  guint height = camera->info.height;
  shown_size(buffer, &width, &height);
  const Placement placement = rdp::meta::without_crop(buffer, Placement());
  const bool samples = meta._samples_changed == FALSE;
  return or_no_memory(rdp::meta::camera_of_placement(camera, placement, width, height, samples),
                      error);
}

/**
 * gst_rdp_buffer_get_camera:
 * @buffer: a #GstBuffer
 * @error: return location for a #GError
 *
 * The camera of the picture that @buffer shows at this moment, or of the part that a
 * #GstVideoCropMeta selects. If an element upstream converted the samples to another format, the
 * camera has no sample unit; everything else holds.
 *
 * Returns: (transfer full) (nullable): the camera. %NULL without an error: there never was one.
 *   %NULL with #GST_LIBRARY_ERROR_SETTINGS: it was lost; the message has the expectation, the
 *   finding and the remedy
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_buffer_get_camera(GstBuffer* buffer, GError** error) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  const GstRdpCameraMeta* meta = find(buffer);
  if (meta == nullptr) return nullptr;
  return rdp::with_standard_floats([&] { return shown_camera(buffer, *meta, error); });
}

/* The camera of a frame of this size that lies at `placement` in the picture. `done` names the
 * processing of the frame, for the error that the picture was mirrored after it. */
static GstRdpCamera* camera_of_frame(GstBuffer* buffer, const Placement& placement, guint width,
                                     guint height, const char* done, GError** error) {
  const GstRdpCameraMeta* camera_meta = find(buffer);
  if (camera_meta == nullptr) return nullptr;
  GstRdpCamera* camera = whole_camera(buffer, *camera_meta, error);
  if (camera == nullptr) return nullptr;
  if (!(placement.scale_x > 0 && placement.scale_y > 0)) {
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                "the picture was mirrored after %s: its scale is %g, %g, expected above 0; mirror "
                "downstream of the elements that measure",
                done, placement.scale_x, placement.scale_y);
    return nullptr;
  }
  /* The picture's placement in the frame is the inverse of the frame's placement in the picture. */
  Placement inverse;
  inverse.scale_x = 1.0 / placement.scale_x;
  inverse.scale_y = 1.0 / placement.scale_y;
  inverse.offset_x = 0.0 - placement.offset_x / placement.scale_x;
  inverse.offset_y = 0.0 - placement.offset_y / placement.scale_y;
  return or_no_memory(rdp::meta::camera_of_placement(camera, inverse, width, height), error);
}

/**
 * gst_rdp_segment_meta_get_camera:
 * @buffer: a #GstBuffer
 * @meta: the metadata of segments on it
 * @error: return location for a #GError
 *
 * The camera of the segmented frame, in the segmentation's rows and pixel columns and with the size
 * of its frame. Later scaling and cropping of the picture do not change it.
 *
 * Returns: (transfer full) (nullable): the camera, for gst_rdp_segmentation_get_points(); %NULL
 *   without an error where there never was one, and %NULL with #GST_LIBRARY_ERROR_SETTINGS where it
 *   was lost
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_segment_meta_get_camera(GstBuffer* buffer, const GstRdpSegmentMeta* meta,
                                              GError** error) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(meta != nullptr && meta->segmentation != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(meta->segmentation);
  return rdp::with_standard_floats([&] {
    return camera_of_frame(buffer, rdp::meta::placement_of(*meta), info.width, info.height,
                           "it was segmented", error);
  });
}

/**
 * gst_rdp_planes_meta_get_camera:
 * @buffer: a #GstBuffer
 * @meta: the metadata of planes on it
 * @error: return location for a #GError
 *
 * The camera of the frame that planes were found in, in its rows and columns and with its size.
 * Later scaling and cropping of the picture do not change it.
 *
 * Returns: (transfer full) (nullable): the camera. %NULL without an error: there never was one, as
 *   for clouds and for frames whose planes are not calibrated. %NULL with
 *   #GST_LIBRARY_ERROR_SETTINGS: it was lost
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_planes_meta_get_camera(GstBuffer* buffer, const GstRdpPlanesMeta* meta,
                                             GError** error) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(meta != nullptr && meta->planes != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  const GstRdpPlanesInfo& info = *gst_rdp_planes_get_info(meta->planes);
  if (info.cloud != FALSE) return nullptr;
  return rdp::with_standard_floats([&] {
    return camera_of_frame(buffer, rdp::meta::placement_of(*meta), info.width, info.height,
                           "its planes were found", error);
  });
}
