/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cameras as bytes for other processes. */
#include <gio/gio.h>
#include <gst/rdpsegment/rdpcamerabytes.h>

#include <cstring>

#include "gst/rdpsegment/private/info_fields.h"

namespace rdp::meta {
namespace {

constexpr char kMagic[4] = {'R', 'D', 'P', 'C'};
constexpr guint32 kVersion = 1;
constexpr gsize kHeaderSize = 12; /* letters, version, flags */

constexpr guint32 kLost = 1;
constexpr guint32 kSamplesChanged = 2;
constexpr guint32 kHasPose = 8;
constexpr guint32 kHasProjection = 16;

constexpr auto kFields = [] {
  using Info = GstRdpCameraInfo;
  return std::to_array<InfoField<Info>>({
      info_flag<&Info::rectified>("rectified", {.at = 8, .bit = 4}),
      info_flag<&Info::has_pose>("has_pose", {.at = 8, .bit = kHasPose}),
      info_flag<&Info::has_projection>("has_projection", {.at = 8, .bit = kHasProjection}),
      info_number<&Info::measures>("measures", {12}),
      info_number<&Info::width>("width", {16}),
      info_number<&Info::height>("height", {20}),
      info_number<&Info::focal_length>("focal_length", {24}),
      info_number<&Info::focal_length_y>("focal_length_y", {32}),
      info_number<&Info::principal_x>("principal_x", {40}),
      info_number<&Info::principal_y>("principal_y", {48}),
      info_number<&Info::baseline>("baseline", {120}),
      info_number<&Info::disparity_offset>("disparity_offset", {128}),
      info_number<&Info::disparity_unit>("disparity_unit", {136}),
      info_number<&Info::depth_unit>("depth_unit", {144}),
  });
}();
constexpr gsize kDistortion = 56;
constexpr gsize kMatrices = 152; /* offset of pose and projection, which are optional */

gsize size_for(guint32 flags) {
  if ((flags & kLost) != 0) return kHeaderSize + 5 * 4;
  const gsize matrices = ((flags & kHasPose) != 0) + ((flags & kHasProjection) != 0);
  return kMatrices + matrices * sizeof(GstRdpCameraInfo::pose);
}

}  // namespace

gsize write_camera(const CameraState& state, guint8* out) {
  const guint32 flags = state.camera == nullptr ? kLost
                        : state.samples_changed ? kSamplesChanged
                                                : 0;
  std::memset(out, 0, kMatrices);
  std::memcpy(out, kMagic, sizeof kMagic);
  write_le<guint32>(out + 4, kVersion);
  write_le<guint32>(out + 8, flags);
  if (state.camera == nullptr) {
    write_le<guint32>(out + 12, static_cast<guint32>(state.lost));
    for (int i = 0; i < 4; ++i) write_le<guint32>(out + 16 + 4 * i, state.lost_sizes[i]);
    return size_for(flags);
  }
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(state.camera);
  write_fields(kFields, kVersion, info, out);
  std::memcpy(out + kDistortion, info.distortion, sizeof info.distortion);
  guint8* pose = out + kMatrices;
  if (info.has_pose != FALSE) std::memcpy(pose, info.pose, sizeof info.pose);
  guint8* projection = info.has_pose != FALSE ? pose + sizeof info.pose : pose;
  if (info.has_projection != FALSE) {
    std::memcpy(projection, info.projection, sizeof info.projection);
  }
  return size_for(read_le<guint32>(out + 8));
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
  if (flags != kLost && (unknown_flags(kFields, version, in) & ~kSamplesChanged) != 0) {
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
  if (flags != kLost) {
    GstRdpCameraInfo info;
    gst_rdp_camera_info_init(&info);
    read_fields(kFields, version, in, &info);
    std::memcpy(info.distortion, in + kDistortion, sizeof info.distortion);
    in += kMatrices;
    if (info.has_pose != FALSE) {
      std::memcpy(info.pose, in, sizeof info.pose);
      in += sizeof info.pose;
    }
    if (info.has_projection != FALSE) std::memcpy(info.projection, in, sizeof info.projection);
    state->samples_changed = (flags & kSamplesChanged) != 0;
    state->camera = gst_rdp_camera_new(&info, error);
    return state->camera != nullptr;
  }
  const guint32 how = read_le<guint32>(in + 12);
  if (how < static_cast<guint32>(LostCamera::kSize) ||
      how > static_cast<guint32>(LostCamera::kMixed)) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid camera: lost in the unknown way %u", how);
    return false;
  }
  state->lost = static_cast<LostCamera>(how);
  for (int i = 0; i < 4; ++i) state->lost_sizes[i] = read_le<guint32>(in + 16 + 4 * i);
  return true;
}

}  // namespace rdp::meta
