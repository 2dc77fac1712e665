// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/mcap/frame_items.h"

#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdpsegmentationkind.h>
#include <gst/rdpsegment/rdptrackskind.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>
#include <tuple>

#include "gst/rdpsegment/private/little_endian.h"
#include "gst/rdpsegment/private/placement.h"

namespace rdp::gst {
namespace {

// Objects begin with four letters of their own, which are the names of their items.
template <typename OfKind>
struct Named {
  using Kind = OfKind;
  const char* name;
};
constexpr auto kKinds =
    std::tuple{Named<meta::SegmentationKind>{"RDPS"}, Named<meta::PlanesKind>{"RDPP"},
               Named<meta::TracksKind>{"RDPT"},       Named<meta::MotionKind>{"RDPM"},
               Named<meta::HeightsKind>{"RDPH"},      Named<meta::ObstaclesKind>{"RDPO"}};

struct Placement {
  double numbers[4] = {1.0, 1.0, 0.0, 0.0};  // scale x, y, offset x, y
  guint batch_index = 0;
  bool operator==(const Placement&) const = default;
};
constexpr std::size_t kPlacementBytes = 4 * 8 + 4;
constexpr guint64 GstBuffer::*kTimes[] = {&GstBuffer::pts, &GstBuffer::dts, &GstBuffer::duration,
                                          &GstBuffer::offset, &GstBuffer::offset_end};
constexpr std::size_t kTimeBytes = std::size(kTimes) * 8 + 4;
constexpr std::size_t kHead = 8;

// Flags that describe the stream, not the memory.
constexpr guint kFlags = GST_BUFFER_FLAG_LIVE | GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_RESYNC |
                         GST_BUFFER_FLAG_CORRUPTED | GST_BUFFER_FLAG_MARKER |
                         GST_BUFFER_FLAG_HEADER | GST_BUFFER_FLAG_GAP | GST_BUFFER_FLAG_DROPPABLE |
                         GST_BUFFER_FLAG_DELTA_UNIT;

struct Item {
  std::string_view name;
  std::span<const std::byte> bytes;
  const guint8* data() const { return reinterpret_cast<const guint8*>(bytes.data()); }
};

// False: that was the last one.
bool next_item(std::span<const std::byte>* left, Item* item) {
  if (left->empty()) return false;
  const auto* head = reinterpret_cast<const guint8*>(left->data());
  if (left->size() < kHead) {
    throw ItemError("an item has " + std::to_string(left->size()) + " bytes, expected a head of 8");
  }
  item->name = {reinterpret_cast<const char*>(head), 4};
  const auto size = meta::read_le<guint32>(head + 4);
  if (size > left->size() - kHead) {
    throw ItemError("an item is to have " + std::to_string(size) + " bytes, expected at most the " +
                    std::to_string(left->size() - kHead) + " that are left");
  }
  item->bytes = left->subspan(kHead, size);
  *left = left->subspan(kHead + size);
  return true;
}

void expect_size(const Item& item, std::size_t size) {
  if (item.bytes.size() == size) return;
  throw ItemError("item " + std::string(item.name) + " has " + std::to_string(item.bytes.size()) +
                  " bytes, expected " + std::to_string(size));
}

void restore_times(const Item& item, GstBuffer* buffer) {
  expect_size(item, kTimeBytes);
  const guint8* in = item.data();
  for (const auto time : kTimes) {
    buffer->*time = meta::read_le<guint64>(in);
    in += 8;
  }
  GST_BUFFER_FLAG_SET(buffer, meta::read_le<guint32>(in) & kFlags);
}

Placement read_placement(const Item& item) {
  expect_size(item, kPlacementBytes);
  const guint8* in = item.data();
  Placement placement;
  for (double& number : placement.numbers) {
    number = meta::read_le<double>(in);
    in += 8;
  }
  placement.batch_index = meta::read_le<guint32>(in);
  return placement;
}

template <typename Kind>
void restore_object(const Item& item, const Placement& placement, GstBuffer* buffer) {
  g_autoptr(GBytes) bytes = g_bytes_new_static(item.bytes.data(), item.bytes.size());
  g_autoptr(GError) error = nullptr;
  auto* object = Kind::from_bytes(bytes, &error);
  if (object == nullptr) {
    throw ItemError("item " + std::string(item.name) + ": " +
                    (error != nullptr ? error->message : "no memory"));
  }
  auto* added = reinterpret_cast<typename Kind::Meta*>(
      gst_buffer_add_meta(buffer, Kind::meta_info(), nullptr));
  added->*Kind::kObject = object;
  const double(&p)[4] = placement.numbers;
  meta::set_placement(added, {p[0], p[1], p[2], p[3]});
  added->batch_index = placement.batch_index;
}

void restore_camera(const Item& item, GstBuffer* buffer) {
  const std::string json(reinterpret_cast<const char*>(item.bytes.data()), item.bytes.size());
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new_from_json(json.c_str(), &error);
  if (camera == nullptr) throw ItemError(std::string("item CAMJ: ") + error->message);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
}

}  // namespace

void FrameItems::add(std::string_view name, const void* bytes, std::size_t size) {
  if (size > G_MAXUINT32) {
    throw std::length_error("item " + std::string(name) + " has " + std::to_string(size) +
                            " bytes, expected at most 4294967295");
  }
  const auto length = static_cast<guint32>(size);
  const auto append = [this](const void* from, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + count);
  };
  append(name.data(), name.size());
  append(&length, sizeof length);
  append(bytes, size);
}

template <typename Kind>
void FrameItems::add_kind(GstBuffer* buffer) {
  gpointer state = nullptr;
  while (GstMeta* found = gst_buffer_iterate_meta_filtered(buffer, &state, Kind::meta_api())) {
    const auto& of = *reinterpret_cast<const typename Kind::Meta*>(found);
    if (of.*Kind::kObject == nullptr) continue;
    const Placement placement{{of.scale_x, of.scale_y, of.offset_x, of.offset_y}, of.batch_index};
    if (!(placement == Placement())) {
      guint8 bytes[kPlacementBytes];
      for (int i = 0; i < 4; ++i) meta::write_le<double>(bytes + 8 * i, placement.numbers[i]);
      meta::write_le<guint32>(bytes + 32, placement.batch_index);
      add("PLAC", bytes, sizeof bytes);
    }
    g_autoptr(GBytes) bytes = Kind::to_bytes(of.*Kind::kObject);
    if (bytes == nullptr) throw std::bad_alloc();
    gsize size = 0;
    const void* data = g_bytes_get_data(bytes, &size);
    add({static_cast<const char*>(data), 4}, data, size);
  }
}

std::span<const std::byte> FrameItems::of(GstBuffer* buffer, GstRdpCamera* camera) {
  bytes_.clear();
  guint8 times[kTimeBytes];
  guint8* out = times;
  for (const auto time : kTimes) {
    meta::write_le<guint64>(out, buffer->*time);
    out += 8;
  }
  meta::write_le<guint32>(out, GST_BUFFER_FLAGS(buffer) & kFlags);
  add("TIME", times, sizeof times);
  if (camera != nullptr) {
    // Most frames of a stream have the same one.
    if (camera_.get() != camera) {
      camera_.reset();
      camera_text_.reset(gst_rdp_camera_to_json(camera));
      if (camera_text_ == nullptr) throw std::bad_alloc();
      camera_.reset(gst_rdp_camera_ref(camera));
    }
    add("CAMJ", camera_text_.get(), std::strlen(camera_text_.get()));
  }
  if (const GstRdpFileMeta* file = gst_buffer_get_rdp_file_meta(buffer); file != nullptr) {
    add("FILE", file->name, std::strlen(file->name));
  }
  std::apply([&](auto... named) { (add_kind<typename decltype(named)::Kind>(buffer), ...); },
             kKinds);
  return bytes_;
}

std::span<const std::byte> FrameItems::add_samples(std::span<const std::byte> samples) {
  add("PIXL", samples.data(), samples.size());
  return bytes_;
}

void restore_items(std::span<const std::byte> items, GstBuffer* buffer) {
  Placement placement;
  Item item;
  while (next_item(&items, &item)) {
    if (item.name == "PLAC") {
      placement = read_placement(item);
      continue;
    }
    if (item.name == "TIME") {
      restore_times(item, buffer);
    } else if (item.name == "CAMJ") {
      restore_camera(item, buffer);
    } else if (item.name == "FILE") {
      const std::string name(reinterpret_cast<const char*>(item.bytes.data()), item.bytes.size());
      gst_buffer_add_rdp_file_meta(buffer, name.c_str());
    } else {
      std::apply(
          [&](auto... named) {
            ((item.name == named.name
                  ? restore_object<typename decltype(named)::Kind>(item, placement, buffer)
                  : void()),
             ...);
          },
          kKinds);
    }
    placement = {};
  }
}

std::span<const std::byte> samples_of_items(std::span<const std::byte> items) {
  Item item;
  while (next_item(&items, &item)) {
    if (item.name == "PIXL") return item.bytes;
  }
  return {};
}

GstClockTime pts_of_items(std::span<const std::byte> items) {
  Item item;
  while (next_item(&items, &item)) {
    if (item.name != "TIME") continue;
    expect_size(item, kTimeBytes);
    return meta::read_le<guint64>(item.data());
  }
  return GST_CLOCK_TIME_NONE;
}

}  // namespace rdp::gst
