// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/picture_caps.h"

#include <gst/video/video-overlay-composition.h>
#include <gst/video/video.h>

#include "gst/elements/base/depth_caps.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {

GstCaps* picture_caps() {
  // The system's structure is the last.
  GstCaps* caps = video_caps_of_all_memories("format = (string) { RGBA, NV12 }, " RDP_SIDES, true);
  gst_caps_remove_structure(caps, gst_caps_get_size(caps) - 1);
  GstCaps* system = gst_caps_from_string(
      "video/x-raw, format = (string) " GST_VIDEO_OVERLAY_COMPOSITION_BLEND_FORMATS ", " RDP_SIDES);
  GstCaps* marked = with_composition(system);
  gst_caps_append(caps, system);
  gst_caps_append(caps, marked);
  return caps;
}

GstCaps* in_system_memory(GstCaps* caps) {
  caps = gst_caps_make_writable(caps);
  for (guint i = gst_caps_get_size(caps); i-- > 0;) {
    const GstCapsFeatures* features = gst_caps_get_features(caps, i);
    if (gst_caps_features_contains(features, kCudaFeature) ||
        gst_caps_features_contains(features, kNvmmFeature)) {
      gst_caps_remove_structure(caps, i);
    }
  }
  return caps;
}

bool has_composition(const GstCaps* caps) {
  const GstCapsFeatures* features = gst_caps_get_features(caps, 0);
  return features != nullptr &&
         gst_caps_features_contains(features, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
}

GstCaps* with_composition(GstCaps* caps) {
  GstCaps* result = gst_caps_copy(caps);
  for (guint i = 0; i < gst_caps_get_size(result); ++i) {
    GstCapsFeatures* features = gst_caps_get_features(result, i);
    if (gst_caps_features_is_any(features)) continue;
    gst_caps_features_add(features, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
  }
  return result;
}

GstCaps* also_without_composition(GstCaps* caps) {
  const guint structures = gst_caps_get_size(caps);
  caps = gst_caps_make_writable(caps);
  for (guint i = 0; i < structures; ++i) {
    const GstCapsFeatures* features = gst_caps_get_features(caps, i);
    if (features == nullptr || gst_caps_features_is_any(features) ||
        !gst_caps_features_contains(features,
                                    GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION)) {
      continue;
    }
    GstCapsFeatures* bare = gst_caps_features_copy(features);
    gst_caps_features_remove(bare, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
    gst_caps_append_structure_full(caps, gst_structure_copy(gst_caps_get_structure(caps, i)), bare);
  }
  return caps;
}

}  // namespace rdp::gst
