// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/attach_planes.h"

#include "gst/metadata/attach_metas.h"

namespace rdp::gst {
namespace {

struct PlanesKind {
  using Meta = GstRdpPlanesMeta;
  using Object = GstRdpPlanes;
  static constexpr auto kObject = &GstRdpPlanesMeta::planes;
  static GType api_type() { return GST_RDP_PLANES_META_API_TYPE; }
  static Meta* add(GstBuffer* buffer, Object* object) {
    return gst_buffer_add_rdp_planes_meta(buffer, object);
  }
};

}  // namespace

void attach_planes(GstBuffer* buffer, std::span<GstRdpPlanes* const> planes) {
  MetaAttacher<PlanesKind>::attach(buffer, planes);
}

}  // namespace rdp::gst
