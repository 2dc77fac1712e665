// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_FUZZ_FRAME_H_
#define RDP_TESTS_FUZZ_FUZZ_FRAME_H_

#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"
#include "common/rdp/reference.h"
#include "tests/fuzz/fuzz_input.h"

#if defined(__SANITIZE_ADDRESS__)
#define RDP_FUZZ_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RDP_FUZZ_ASAN 1
#endif
#endif
#ifdef RDP_FUZZ_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace rdp::fuzz {

// Rows in memory of exactly their size, with padding between them that must not be touched: a write
// is seen by intact(), a read by AddressSanitizer.
class Rows {
 public:
  Rows(int row_bytes, int rows, int padding, int offset, std::byte fill)
      : row_bytes_(row_bytes),
        rows_(rows),
        stride_(row_bytes + padding),
        offset_(offset),
        fill_(fill),
        bytes_(static_cast<std::size_t>(offset) +
                   static_cast<std::size_t>(stride_) * static_cast<std::size_t>(rows) -
                   static_cast<std::size_t>(padding),
               fill) {
    guard(true);
  }
  Rows(const Rows& other)
      : Rows(other.row_bytes_, other.rows_, other.stride_ - other.row_bytes_, other.offset_,
             other.fill_) {
    for (int r = 0; r < rows_; ++r) {
      std::memcpy(row(r), other.row(r), static_cast<std::size_t>(row_bytes_));
    }
  }
  Rows& operator=(const Rows&) = delete;
  ~Rows() { guard(false); }

  std::byte* data() { return bytes_.data() + offset_; }
  const std::byte* data() const { return bytes_.data() + offset_; }
  std::ptrdiff_t stride() const { return stride_; }
  std::byte* row(int r) { return data() + stride_ * r; }
  const std::byte* row(int r) const { return data() + stride_ * r; }

  bool same_rows(const Rows& other) const {
    for (int r = 0; r < rows_; ++r) {
      if (std::memcmp(row(r), other.row(r), static_cast<std::size_t>(row_bytes_)) != 0) {
        return false;
      }
    }
    return true;
  }

  // Nothing was written outside of the rows.
  bool intact() {
    guard(false);
    const auto is_fill = [this](std::byte b) { return b == fill_; };
    bool result = std::all_of(bytes_.data(), data(), is_fill);
    for (int r = 0; r + 1 < rows_; ++r) {
      result = result && std::all_of(row(r) + row_bytes_, row(r + 1), is_fill);
    }
    guard(true);
    return result;
  }

 private:
  void guard([[maybe_unused]] bool on) {
#ifdef RDP_FUZZ_ASAN
    for (int r = 0; r + 1 < rows_; ++r) {
      const auto size = static_cast<std::size_t>(stride_ - row_bytes_);
      if (on) {
        __asan_poison_memory_region(row(r) + row_bytes_, size);
      } else {
        __asan_unpoison_memory_region(row(r) + row_bytes_, size);
      }
    }
#endif
  }

  int row_bytes_;
  int rows_;
  std::ptrdiff_t stride_;
  int offset_;
  std::byte fill_;
  std::vector<std::byte> bytes_;
};

// A depth frame in such rows.
struct FuzzFrame {
  int width;
  int height;
  SampleType type;
  Rows rows;

  FuzzFrame(int w, int h, SampleType t, int padding, int offset, std::byte fill = std::byte{0xA5})
      : width(w), height(h), type(t), rows(w * bytes_per_sample(t), h, padding, offset, fill) {}

  MutableDepthView view() { return {rows.data(), rows.stride(), width, height, type}; }
};

// Any parameters that the element's properties can be set to.
Parameters take_parameters(Input* input);

// A frame of up to largest_side rows and columns and about `samples` samples, its samples from the
// bytes, or grown from them: runs, stairs, slopes, noise, holes.
FuzzFrame take_frame(Input* input, const Parameters& parameters, int largest_side, int samples);
// The samples alone, into a frame that is there.
void take_samples(Input* input, const Parameters& parameters, const MutableDepthView& frame);

// Fails where two lists of segments are not the same bits. `who` made the second one.
void check_same_segments(const SegmentList& expected, const SegmentList& actual, const char* who);

// Fails where two frames differ; `who` made the second one.
void check_same_samples(const DepthView& expected, const DepthView& actual, const char* who);

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_FUZZ_FRAME_H_
