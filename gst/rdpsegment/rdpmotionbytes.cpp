/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpmotionprivate.h>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

struct MotionForm : ArrayForm<MotionForm, MotionKind, MotionRows> {
  static constexpr const char* kMagic = "RDPM";
  static constexpr const char* kThings = "motion";
  static constexpr const auto& kFields = kMotionFields;
  static constexpr gsize kHeaderSizes[] = {0, 140};
  static constexpr gsize kNumbersAt = 40;

  static std::span<const gdouble> numbers(const Info& info) { return info.ego; }

  static std::string wrong(const Info& info, const Arrays& arrays) {
    return motion_error(info, arrays);
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_motion_to_bytes(GstRdpMotion* self) {
  g_return_val_if_fail(GST_IS_RDP_MOTION(self), nullptr);

  return rdp::meta::MotionForm::write(self->info, rdp::meta::arrays_here(*self));
}

GstRdpMotion* gst_rdp_motion_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::MotionForm>(bytes, error);
}
