// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_CONVERT_KIND_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_CONVERT_KIND_H_

#include <gst/gst.h>

#include <cstddef>
#include <span>

namespace rdp {

struct ConvertedFrame;
class JsonWriter;

// The beginning of a line. Frames without rows have no size.
struct FrameHead {
  guint64 frame = 0;
  guint width = 0;
  guint height = 0;
};

// A kind of metadata that rdpmetaconvert writes.
struct ConvertKind {
  // For messages: the kind's name, and the element that produces it.
  const char* things;
  const char* maker;
  const char* meta_name = nullptr;

  // Access to its metadata: convert_kind() fills these in.
  GType (*meta_api)() = nullptr;
  GstMiniObject* (*object)(const GstMeta& meta) = nullptr;  // null: there is nothing to write
  guint (*batch_index)(const GstMeta& meta) = nullptr;
  FrameHead (*head)(GstMiniObject* object) = nullptr;

  // Copies the data to be written to the host. Null: it is already there.
  bool (*fetch)(GstMiniObject* object, GError** error) = nullptr;
  // Sets the frame's camera, if metres are wanted and no earlier kind did. False: the frame has no
  // metres. Null: the kind has no camera.
  bool (*camera)(GstBuffer* buffer, const GstMeta& meta, ConvertedFrame* frame,
                 GError** error) = nullptr;
  // True if the object fits the frame's object of the earlier kind that it describes. False: *error
  // says what was expected and what came. Null: the object may stand alone.
  bool (*fits)(const ConvertedFrame& frame, GstMiniObject* object, GError** error) = nullptr;
  // Adds its keys to the line of the frame. Throws std::bad_alloc.
  void (*write)(JsonWriter& line, const ConvertedFrame& frame, GstMiniObject* object) = nullptr;
};

// Completes `row` with the accessors of a kind of rdpXkind.h.
template <typename Kind>
constexpr ConvertKind convert_kind(ConvertKind row) {
  using Meta = typename Kind::Meta;
  row.meta_name = Kind::kMetaName;
  row.meta_api = Kind::meta_api;
  row.object = [](const GstMeta& meta) {
    return GST_MINI_OBJECT_CAST(reinterpret_cast<const Meta&>(meta).*Kind::kObject);
  };
  row.batch_index = [](const GstMeta& meta) {
    return reinterpret_cast<const Meta&>(meta).batch_index;
  };
  row.head = [](GstMiniObject* object) {
    const auto& info = *Kind::get_info(reinterpret_cast<typename Kind::Object*>(object));
    return FrameHead{info.frame, info.width, info.height};
  };
  return row;
}

// Indices of the built-in kinds, whose rows are defined beside their JSON writers.
enum : std::size_t { kSegments, kPlanes, kTracks, kMotion, kHeights, kObstacles };
extern const ConvertKind kSegmentsKind;
extern const ConvertKind kPlanesKind;
extern const ConvertKind kTracksKind;
extern const ConvertKind kMotionKind;
extern const ConvertKind kHeightsKind;
extern const ConvertKind kObstaclesKind;

inline constexpr std::size_t kMaxKinds = 8;

// All kinds, in the order in which a line has them.
std::span<const ConvertKind* const> convert_kinds();

// Adds a kind, which must stay alive. Call before any element exists; there is room for kMaxKinds.
void add_convert_kind(const ConvertKind& kind);

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_CONVERT_KIND_H_
