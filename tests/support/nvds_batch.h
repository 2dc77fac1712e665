// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_NVDS_BATCH_H_
#define RDP_TESTS_SUPPORT_NVDS_BATCH_H_

#include <gst/gst.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/standin/nvds_abi.h"

// DeepStream's metadata on a batch, as nvstreammux makes it.
namespace nvds_batch {

// A structure as bytes; unwritten ones are not zero.
class Bytes {
 public:
  explicit Bytes(std::size_t size) : words_(size / 8, 0xA5A5A5A5A5A5A5A5U) {}
  template <typename T>
  void put(std::size_t offset, T value) {
    std::memcpy(reinterpret_cast<std::uint8_t*>(words_.data()) + offset, &value, sizeof value);
  }
  void* get() { return words_.data(); }

 private:
  std::vector<std::uint64_t> words_;
};

// The source and the place of a frame in the batch.
struct Frame {
  std::uint32_t source;
  std::uint32_t place;
  GstClockTime pts;
  std::int64_t pad = -1;  // the multiplexer's; negative: source + 100
};

struct Batch {
  explicit Batch(const std::vector<Frame>& of) {
    for (const Frame& frame : of) {
      Bytes& bytes = *frames.emplace_back(std::make_unique<Bytes>(nvds_abi::frame::kSize));
      bytes.put(nvds_abi::base::kBatch, all.get());
      bytes.put(nvds_abi::base::kType, std::int32_t{nvds_abi::kFrame});
      bytes.put(nvds_abi::frame::kPad,
                frame.pad < 0 ? frame.source + 100 : static_cast<std::uint32_t>(frame.pad));
      bytes.put(nvds_abi::frame::kPlace, frame.place);
      bytes.put(nvds_abi::frame::kPts, guint64{frame.pts});
      bytes.put(nvds_abi::frame::kSource, frame.source);
      list = g_list_append(list, bytes.get());
    }
    all.put(nvds_abi::base::kType, std::int32_t{nvds_abi::kBatch});
    all.put(nvds_abi::batch::kMaxFrames, std::uint32_t{1000});
    all.put(nvds_abi::batch::kFrames, static_cast<std::uint32_t>(of.size()));
    all.put(nvds_abi::batch::kList, list);
  }
  ~Batch() { g_list_free(list); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  Bytes all{nvds_abi::batch::kSize};
  std::vector<std::unique_ptr<Bytes>> frames;
  GList* list = nullptr;
};

struct Meta {
  GstMeta meta;
  std::uint8_t rest[nvds_abi::meta::kSize - sizeof(GstMeta)];
};

template <typename T>
T* field(GstMeta* meta, std::size_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uint8_t*>(meta) + offset);
}

inline const GstMetaInfo* info() {
  static const gchar* tags[] = {"nvdsmeta", nullptr};
  static const GstMetaInfo* info = gst_meta_register(
      gst_meta_api_type_register("NvDsMetaAPI", tags), "NvDsMeta", sizeof(Meta),
      [](GstMeta*, gpointer, GstBuffer*) -> gboolean { return TRUE; },
      [](GstMeta* meta, GstBuffer*) { delete *field<Batch*>(meta, nvds_abi::meta::kUser); },
      [](GstBuffer*, GstMeta*, GstBuffer*, GQuark, gpointer) -> gboolean { return FALSE; });
  return info;
}

// Adds the metadata to a buffer, which owns it. A test may then corrupt it.
inline Batch* add(GstBuffer* buffer, const std::vector<Frame>& frames,
                  std::int32_t type = nvds_abi::kBatchGst) {
  GstMeta* meta = gst_buffer_add_meta(buffer, info(), nullptr);
  auto* batch = new Batch(frames);
  *field<void*>(meta, nvds_abi::meta::kData) = batch->all.get();
  *field<Batch*>(meta, nvds_abi::meta::kUser) = batch;
  *field<std::int32_t>(meta, nvds_abi::meta::kType) = type;
  return batch;
}

}  // namespace nvds_batch

#endif  // RDP_TESTS_SUPPORT_NVDS_BATCH_H_
