/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_PLANES_PRIVATE_H__
#define __GST_RDP_PLANES_PRIVATE_H__

#include <gst/rdpsegment/rdpplanes.h>
#include <gst/rdpsegment/rdpplanesarrays.h>

#include <span>

#include "gst/rdpsegment/private/info_fields.h"
#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpPlanes : rdp::meta::OwnedObject<GstRdpPlanesInfo, GstRdpPlanesArrays> {};

namespace rdp::meta {

using PlanesRows =
    ArrayRows<ArrayRow<&GstRdpPlanesArrays::planes, &GstRdpPlanesArrays::n_planes, 120>,
              ArrayRow<&GstRdpPlanesArrays::corners, &GstRdpPlanesArrays::n_corners, 124>,
              ArrayRow<&GstRdpPlanesArrays::labels, &GstRdpPlanesArrays::n_labels>>;

/* The planes. Planes and corners are always on the host. */
std::span<const GstRdpPlane> planes_of(const GstRdpPlanes* self);
std::span<const GstRdpPlaneCorner> corners_of(const GstRdpPlanes* self);

/* The labels on the host; empty if they are lost. All reads of labels in the library go through
 * here, the only place that fetches them. */
std::span<const guint8> host_labels(GstRdpPlanes* self) noexcept;

/* The fault of the planes, as a message for the user; null: none. */
const char* planes_error(const GstRdpPlanesInfo& info, const GstRdpPlanesArrays& arrays);

/* The info of planes, member by member. docs/internals/metadata-formats.md describes the
 * header. */
inline constexpr auto kPlanesFields = [] {
  using Info = GstRdpPlanesInfo;
  constexpr InfoRule kFinite = {InfoRule::kFinite};
  constexpr InfoRule kNotNegative = {InfoRule::kNotNegative};
  constexpr const char* kFocal = "focal_length and focal_length_y must be 0 or more";
  constexpr const char* kCentre = "principal_x and principal_y must be numbers";
  constexpr const char* kGround = "camera_height, pitch and roll must be numbers";
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}),
      info_number<&Info::height>("height", {20}),
      info_number<&Info::n_points>("n_points", {24}),
      info_flag<&Info::cloud>("cloud", {.at = 32, .bit = 1}),
      info_flag<&Info::calibrated>("calibrated", {.at = 32, .bit = 2}),
      info_number<&Info::ground>("ground", {36}),
      info_number<&Info::focal_length>("focal_length", {40}, kNotNegative, kFocal),
      info_number<&Info::focal_length_y>("focal_length_y", {48}, kNotNegative, kFocal),
      info_number<&Info::principal_x>("principal_x", {56}, kFinite, kCentre),
      info_number<&Info::principal_y>("principal_y", {64}, kFinite, kCentre),
      info_number<&Info::noise>("noise", {72}, kNotNegative, "noise must be 0 or more"),
      info_number<&Info::tolerance>("tolerance", {80}, kNotNegative, "tolerance must be 0 or more"),
      info_number<&Info::min_inliers>("min_inliers", {88}),
      info_number<&Info::camera_height>("camera_height", {96}, kFinite, kGround),
      info_number<&Info::pitch>("pitch", {104}, kFinite, kGround),
      info_number<&Info::roll>("roll", {112}, kFinite, kGround),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_PLANES_PRIVATE_H__ */
