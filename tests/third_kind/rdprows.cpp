/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A kind of metadata: how many samples of each row of a frame are known. */
#include <tests/third_kind/rdprowskind.h>
#include <tests/third_kind/rdprowsprivate.h>

#include <algorithm>

#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

constexpr InfoRule kSide = {InfoRule::kWithin, 1, kMaxSide};
constexpr auto kRowsFields = std::to_array<InfoField<GstRdpRowsInfo>>({
    info_number<&GstRdpRowsInfo::frame>("frame", {8}),
    info_number<&GstRdpRowsInfo::width>("width", {16}, kSide, "width must be 1 to 16384"),
    info_number<&GstRdpRowsInfo::height>("height", {20}, kSide, "height must be 1 to 16384"),
});

using Rows = ArrayRows<ArrayRow<&GstRdpRowsArrays::counts, &GstRdpRowsArrays::n_counts>>;

struct RowsForm : ArrayForm<RowsForm, RowsKind, Rows> {
  static constexpr const char* kMagic = "RDPR";
  static constexpr const char* kThings = "rows";
  static constexpr const auto& kFields = kRowsFields;
  static constexpr gsize kHeaderSizes[] = {0, 24};

  static std::string count(const Info& info, Arrays* arrays) {
    arrays->n_counts = info.height;
    return {};
  }
  static std::string wrong(const Info& info, const Arrays& arrays) {
    if (const char* error = fields_error(kRowsFields, info)) return error;
    const bool good = std::ranges::max(std::span(arrays.counts, info.height)) <= info.width;
    return good ? "" : "a row has at most as many as columns";
  }
};

}  // namespace
}  // namespace rdp::meta

const guint32* gst_rdp_rows_peek_counts(GstRdpRows* self, gsize* n_counts) {
  *n_counts = self->info.height;
  return rdp::meta::arrays_here(*self).counts;
}

GBytes* gst_rdp_rows_get_counts(GstRdpRows* self) {
  gsize n = 0;
  const guint32* counts = gst_rdp_rows_peek_counts(self, &n);
  return rdp::meta::bytes_of(self, counts, n * sizeof *counts);
}

GBytes* gst_rdp_rows_to_bytes(GstRdpRows* self) {
  return rdp::meta::RowsForm::write(self->info, rdp::meta::arrays_here(*self));
}

GstRdpRows* gst_rdp_rows_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::RowsForm>(bytes, error);
}
