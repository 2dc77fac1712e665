/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Obstacles as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpobstaclesprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

struct ObstaclesForm : ArrayForm<ObstaclesForm, ObstaclesKind, ObstaclesRows> {
  static constexpr const char* kMagic = "RDPO";
  static constexpr const char* kThings = "obstacles";
  static constexpr const auto& kFields = kObstaclesFields;
  static constexpr gsize kHeaderSizes[] = {0, 200};
  static constexpr gsize kNumbersAt = 112;

  static std::span<const gdouble> numbers(const Info& info) { return info.axes; }
  static std::string count(const Info& info, Arrays* arrays) {
    /* Checked before the size is computed: valid sides cannot overflow it. */
    if (const char* error = fields_error(kFields, info)) return error;
    arrays->n_cells = static_cast<gsize>(info.grid_columns) * info.grid_rows;
    return {};
  }

  static std::string wrong(const Info& info, const Arrays& arrays) {
    return obstacles_error(info, arrays);
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_obstacles_to_bytes(GstRdpObstacles* self) {
  g_return_val_if_fail(GST_IS_RDP_OBSTACLES(self), nullptr);

  return rdp::meta::ObstaclesForm::write(self->info, rdp::meta::arrays_here(*self));
}

GstRdpObstacles* gst_rdp_obstacles_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::ObstaclesForm>(bytes, error);
}
