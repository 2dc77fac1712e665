/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A kind of metadata: how many samples of each row of a frame are known. */
#include <tests/third_kind/rdprowskind.h>
#include <tests/third_kind/rdprowsprivate.h>

#include <algorithm>
#include <vector>

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

/* Behind the header the counts. */
struct RowsForm : SerialForm<RowsKind> {
  static constexpr const char* kMagic = "RDPR";
  static constexpr const char* kThings = "rows";
  static constexpr const auto& kFields = kRowsFields;
  static constexpr gsize kHeaderSizes[] = {0, 24};

  static std::string expect(const Info* info, const guint8*, guint64* size) {
    *size = guint64{info->height} * sizeof(guint32);
    return {};
  }
  static std::string make(const Info& info, const guint8*, const guint8* arrays, Object** object) {
    if (const char* error = fields_error(kRowsFields, info)) return error;
    auto counts = std::make_unique<std::vector<guint32>>(info.height);
    std::memcpy(counts->data(), arrays, info.height * sizeof(guint32));
    if (std::ranges::max(*counts) > info.width) return "a row has at most as many as columns";
    const GstRdpRowsArrays here = {counts->data()};
    *object = new_owning<GstRdpRows>(GST_TYPE_RDP_ROWS, info, here, std::move(counts));
    return {};
  }
};

}  // namespace
}  // namespace rdp::meta

const guint32* gst_rdp_rows_peek_counts(GstRdpRows* self, gsize* n_counts) {
  *n_counts = self->info.height;
  return self->arrays.known(&GstRdpRowsArrays::counts);
}

GBytes* gst_rdp_rows_get_counts(GstRdpRows* self) {
  const guint32* counts = self->arrays.known(&GstRdpRowsArrays::counts);
  return rdp::meta::bytes_of(self, counts, self->info.height * sizeof *counts);
}

GBytes* gst_rdp_rows_to_bytes(GstRdpRows* self) {
  using namespace rdp::meta;
  const std::span counts(self->arrays.known(&GstRdpRowsArrays::counts), self->info.height);
  return serialised<RowsForm>(self->info, 1, {as_bytes(counts)});
}

GstRdpRows* gst_rdp_rows_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::RowsForm>(bytes, error);
}
