/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Obstacles as bytes. The format is described for readers in docs/internals/metadata-formats.md. */
#include <gst/rdpsegment/rdpobstaclesfields.h>
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpobstaclesprivate.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>

#include "gst/rdpsegment/private/serial_form.h"

namespace rdp::meta {
namespace {

using Arrays = GstRdpObstaclesArrays;

/* That is written. A new one comes with its size of the header in kHeaderSizes. */
constexpr guint32 kVersion = 1;
constexpr gsize kAxesAt = 112;    /* in the header: nine doubles */
constexpr gsize kObjectsAt = 184; /* how many */
constexpr gsize kLostAt = 188;
constexpr gsize kHiddenAt = 192;
constexpr gsize kBinsAt = 196;

Arrays sizes_of(const GstRdpObstaclesInfo& info, const guint8* header) {
  Arrays arrays = {};
  arrays.n_objects = read_le<guint32>(header + kObjectsAt);
  arrays.n_lost = read_le<guint32>(header + kLostAt);
  arrays.n_hidden = read_le<guint32>(header + kHiddenAt);
  arrays.n_bins = read_le<guint32>(header + kBinsAt);
  arrays.n_cells = static_cast<gsize>(info.grid_columns) * info.grid_rows;
  return arrays;
}

/* Behind the header the objects, the lost ids, the hidden ids, the ranges, the free distances, the
 * states, the tops. */
struct ObstaclesForm : SerialForm<ObstaclesKind> {
  static constexpr const char* kMagic = "RDPO";
  static constexpr const char* kThings = "obstacles";
  static constexpr const auto& kFields = kObstaclesFields;
  static constexpr gsize kHeaderSizes[] = {0, 200};

  static std::string expect(Info* info, const guint8* header, guint64* size) {
    for (std::size_t i = 0; i < std::size(info->axes); ++i) {
      info->axes[i] = read_le<gdouble>(header + kAxesAt + i * sizeof(gdouble));
    }
    /* Before there is a size of it: sides are then too small for an overflow. */
    if (const char* error = fields_error(kFields, *info)) return error;
    const Arrays sizes = sizes_of(*info, header);
    *size = guint64{sizes.n_objects} * sizeof(GstRdpObstacle) +
            (guint64{sizes.n_lost} + sizes.n_hidden) * sizeof(guint32) +
            guint64{sizes.n_bins} * 2 * sizeof(gfloat) +
            guint64{sizes.n_cells} * (sizeof(guint8) + sizeof(guint16));
    return {};
  }

  static std::string make(const Info& info, const guint8* header, const guint8* from,
                          GstRdpObstacles** object) {
    Arrays arrays = sizes_of(info, header);
    const auto take = [&from]<typename T>(const T** array, gsize count) {
      *array = reinterpret_cast<const T*>(from);
      from += count * sizeof(T);
    };
    take(&arrays.objects, arrays.n_objects);
    take(&arrays.lost, arrays.n_lost);
    take(&arrays.hidden, arrays.n_hidden);
    take(&arrays.ranges, arrays.n_bins);
    take(&arrays.free, arrays.n_bins);
    take(&arrays.states, arrays.n_cells);
    take(&arrays.tops, arrays.n_cells);
    /* Checked once they are copied: as they come they need not be aligned. */
    g_autoptr(GstRdpObstacles) self = new_obstacles(info, arrays);
    std::string error = obstacles_error(info, obstacles_arrays(*self));
    if (error.empty()) *object = static_cast<GstRdpObstacles*>(g_steal_pointer(&self));
    return error;
  }
};

}  // namespace
}  // namespace rdp::meta

GBytes* gst_rdp_obstacles_to_bytes(GstRdpObstacles* self) {
  using namespace rdp::meta;
  g_return_val_if_fail(GST_IS_RDP_OBSTACLES(self), nullptr);

  const Arrays& of = obstacles_arrays(*self);
  return serialised<ObstaclesForm>(
      self->info, kVersion,
      {as_bytes(std::span(of.objects, of.n_objects)), as_bytes(std::span(of.lost, of.n_lost)),
       as_bytes(std::span(of.hidden, of.n_hidden)), as_bytes(std::span(of.ranges, of.n_bins)),
       as_bytes(std::span(of.free, of.n_bins)), as_bytes(std::span(of.states, of.n_cells)),
       as_bytes(std::span(of.tops, of.n_cells))},
      [&](guint8* data) {
        for (std::size_t i = 0; i < std::size(self->info.axes); ++i) {
          write_le<gdouble>(data + kAxesAt + i * sizeof(gdouble), self->info.axes[i]);
        }
        write_le<guint32>(data + kObjectsAt, static_cast<guint32>(of.n_objects));
        write_le<guint32>(data + kLostAt, static_cast<guint32>(of.n_lost));
        write_le<guint32>(data + kHiddenAt, static_cast<guint32>(of.n_hidden));
        write_le<guint32>(data + kBinsAt, static_cast<guint32>(of.n_bins));
      });
}

GstRdpObstacles* gst_rdp_obstacles_new_from_bytes(GBytes* bytes, GError** error) {
  return rdp::meta::new_from_serialised<rdp::meta::ObstaclesForm>(bytes, error);
}
