/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cameras as bytes for other processes. */
#include <gio/gio.h>
#include <gst/rdpsegment/rdpcamerabytes.h>

#include <cstring>

#include "gst/rdpsegment/private/little_endian.h"

namespace rdp::meta {
namespace {

constexpr char kMagic[4] = {'R', 'D', 'P', 'C'};
constexpr guint32 kVersion = 1;
constexpr gsize kHeaderSize = 12; /* letters, version, flags */

constexpr guint32 kLost = 1;
constexpr guint32 kSamplesChanged = 2;
constexpr guint32 kRectified = 4;
constexpr guint32 kHasPose = 8;
constexpr guint32 kHasProjection = 16;
constexpr guint32 kOfCamera = kSamplesChanged | kRectified | kHasPose | kHasProjection;

guint8* put(guint8* out, guint32 value) {
  write_le<guint32>(out, value);
  return out + sizeof value;
}

guint8* put(guint8* out, const double* values, int n) {
  const std::size_t size = static_cast<std::size_t>(n) * sizeof *values;
  std::memcpy(out, values, size);
  return out + size;
}

const guint8* take(const guint8* in, double* values, int n) {
  const std::size_t size = static_cast<std::size_t>(n) * sizeof *values;
  std::memcpy(values, in, size);
  return in + size;
}

guint8* put_camera(guint8* out, const GstRdpCameraInfo& info) {
  out = put(out, static_cast<guint32>(info.measures));
  out = put(out, info.width);
  out = put(out, info.height);
  const double lens[4] = {info.focal_length, info.focal_length_y, info.principal_x,
                          info.principal_y};
  const double samples[4] = {info.baseline, info.disparity_offset, info.disparity_unit,
                             info.depth_unit};
  out = put(out, lens, 4);
  out = put(out, info.distortion, 8);
  out = put(out, samples, 4);
  if (info.has_pose != FALSE) out = put(out, info.pose, 12);
  if (info.has_projection != FALSE) out = put(out, info.projection, 12);
  return out;
}

/* `in` has as many bytes as the flags say. */
GstRdpCamera* take_camera(const guint8* in, guint32 flags, GError** error) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  const guint32 measures = read_le<guint32>(in);
  std::memcpy(&info.measures, &measures, sizeof measures); /* any number, until it was checked */
  info.width = read_le<guint32>(in + 4);
  info.height = read_le<guint32>(in + 8);
  double lens[4], samples[4];
  in = take(in + 12, lens, 4);
  in = take(in, info.distortion, 8);
  in = take(in, samples, 4);
  info.focal_length = lens[0];
  info.focal_length_y = lens[1];
  info.principal_x = lens[2];
  info.principal_y = lens[3];
  info.baseline = samples[0];
  info.disparity_offset = samples[1];
  info.disparity_unit = samples[2];
  info.depth_unit = samples[3];
  info.rectified = (flags & kRectified) != 0 ? TRUE : FALSE;
  info.has_pose = (flags & kHasPose) != 0 ? TRUE : FALSE;
  info.has_projection = (flags & kHasProjection) != 0 ? TRUE : FALSE;
  if (info.has_pose != FALSE) in = take(in, info.pose, 12);
  if (info.has_projection != FALSE) take(in, info.projection, 12);
  return gst_rdp_camera_new(&info, error);
}

gsize size_for(guint32 flags) {
  if ((flags & kLost) != 0) return kHeaderSize + 5 * 4;
  const gsize matrices = ((flags & kHasPose) != 0) + ((flags & kHasProjection) != 0);
  return kHeaderSize + 3 * 4 + (16 + 12 * matrices) * sizeof(gdouble);
}

}  // namespace

gsize write_camera(const CameraState& state, guint8* out) {
  guint32 flags = kLost;
  const GstRdpCameraInfo* info = nullptr;
  if (state.camera != nullptr) {
    info = gst_rdp_camera_get_info(state.camera);
    flags = (state.samples_changed ? kSamplesChanged : 0) |
            (info->rectified != FALSE ? kRectified : 0) | (info->has_pose != FALSE ? kHasPose : 0) |
            (info->has_projection != FALSE ? kHasProjection : 0);
  }
  guint8* end = out;
  std::memcpy(end, kMagic, sizeof kMagic);
  end = put(put(end + 4, kVersion), flags);
  if (info != nullptr) {
    end = put_camera(end, *info);
  } else {
    end = put(end, static_cast<guint32>(state.lost));
    for (const guint size : state.lost_sizes) end = put(end, size);
  }
  return static_cast<gsize>(end - out);
}

bool read_camera(const guint8* in, gsize size, CameraState* state, GError** error) {
  if (size < kHeaderSize || std::memcmp(in, kMagic, sizeof kMagic) != 0) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "%" G_GSIZE_FORMAT " bytes that do not start like a camera", size);
    return false;
  }
  const guint32 version = read_le<guint32>(in + 4);
  if (version != kVersion) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                "camera of format version %u; this library reads version %u", version, kVersion);
    return false;
  }
  const guint32 flags = read_le<guint32>(in + 8);
  if (flags != kLost && (flags & ~kOfCamera) != 0) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "invalid camera: unknown flags 0x%x",
                flags);
    return false;
  }
  if (size != size_for(flags)) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid camera: %" G_GSIZE_FORMAT " bytes where %" G_GSIZE_FORMAT " are needed",
                size, size_for(flags));
    return false;
  }
  *state = CameraState();
  in += kHeaderSize;
  if (flags != kLost) {
    state->samples_changed = (flags & kSamplesChanged) != 0;
    state->camera = take_camera(in, flags, error);
    return state->camera != nullptr;
  }
  const guint32 how = read_le<guint32>(in);
  if (how < static_cast<guint32>(LostCamera::kSize) ||
      how > static_cast<guint32>(LostCamera::kMixed)) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid camera: lost in the unknown way %u", how);
    return false;
  }
  state->lost = static_cast<LostCamera>(how);
  for (int i = 0; i < 4; ++i) state->lost_sizes[i] = read_le<guint32>(in + 4 + 4 * i);
  return true;
}

}  // namespace rdp::meta
