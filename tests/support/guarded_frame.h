// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_GUARDED_FRAME_H_
#define RDP_TESTS_SUPPORT_GUARDED_FRAME_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "common/image/depth_view.h"

#if defined(__SANITIZE_ADDRESS__)
#define RDP_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RDP_TEST_ASAN 1
#endif
#endif
#ifdef RDP_TEST_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace rdp::test {

// The layout of a frame's rows in memory.
struct Layout {
  int padding = 0;  // bytes between the rows
  int offset = 0;   // bytes before the first row: odd ones leave 16-bit samples unaligned
  int tail = 0;     // bytes after the last row
};

// Rows in memory of exactly their size, separated by padding that must not be touched. intact()
// detects writes to it, AddressSanitizer detects reads.
class GuardedRows {
 public:
  GuardedRows(int row_bytes, int rows, Layout layout, std::byte fill = std::byte{0xA5})
      : row_bytes_(static_cast<std::size_t>(row_bytes)),
        rows_(rows),
        layout_(layout),
        fill_(fill),
        bytes_(static_cast<std::size_t>(layout.offset) +
                   static_cast<std::size_t>(stride()) * static_cast<std::size_t>(rows) -
                   static_cast<std::size_t>(layout.padding) + static_cast<std::size_t>(layout.tail),
               fill) {
    guard(true);
  }
  GuardedRows(const GuardedRows& other)
      : GuardedRows(static_cast<int>(other.row_bytes_), other.rows_, other.layout_, other.fill_) {
    for (int r = 0; r < rows_; ++r) std::memcpy(row(r), other.row(r), row_bytes_);
  }
  GuardedRows& operator=(const GuardedRows&) = delete;
  ~GuardedRows() { guard(false); }

  std::ptrdiff_t stride() const {
    return static_cast<std::ptrdiff_t>(row_bytes_) + layout_.padding;
  }
  std::byte* row(int r) { return bytes_.data() + layout_.offset + stride() * r; }
  const std::byte* row(int r) const { return const_cast<GuardedRows*>(this)->row(r); }

  bool same_rows(const GuardedRows& other) const {
    for (int r = 0; r < rows_; ++r) {
      if (std::memcmp(row(r), other.row(r), row_bytes_) != 0) return false;
    }
    return true;
  }

  // True if nothing was written outside of the rows.
  bool intact() const {
    guard(false);
    const auto is_fill = [this](std::byte b) { return b == fill_; };
    bool result = std::all_of(bytes_.data(), row(0), is_fill);
    for (int r = 0; r < rows_; ++r) {
      result = result && std::all_of(row(r) + row_bytes_, row(r) + row_bytes_ + gap(r), is_fill);
    }
    guard(true);
    return result;
  }

 private:
  // Padding bytes after a row.
  int gap(int r) const { return r + 1 < rows_ ? layout_.padding : layout_.tail; }
  void guard([[maybe_unused]] bool on) const {
#ifdef RDP_TEST_ASAN
    for (int r = 0; r < rows_; ++r) {
      const auto size = static_cast<std::size_t>(gap(r));
      if (on) {
        __asan_poison_memory_region(row(r) + row_bytes_, size);
      } else {
        __asan_unpoison_memory_region(row(r) + row_bytes_, size);
      }
    }
#endif
  }

  std::size_t row_bytes_;
  int rows_;
  Layout layout_;
  std::byte fill_;
  std::vector<std::byte> bytes_;
};

// A depth frame with guarded rows.
class TestFrame {
 public:
  TestFrame(int width, int height, SampleType type, Layout layout = {},
            std::byte fill = std::byte{0xA5})
      : rows_(width * bytes_per_sample(type), height, layout, fill),
        view_{rows_.row(0), rows_.stride(), width, height, type} {}
  TestFrame(const TestFrame& other) : rows_(other.rows_), view_(other.view_) {
    view_.data = rows_.row(0);
  }
  TestFrame(const DepthView& samples, Layout layout)
      : TestFrame(samples.width, samples.height, samples.type, layout) {
    for (int row = 0; row < samples.height; ++row) {
      std::memcpy(view_.row(row), samples.row(row),
                  static_cast<std::size_t>(samples.width * bytes_per_sample(samples.type)));
    }
  }
  TestFrame& operator=(const TestFrame&) = delete;

  const MutableDepthView& view() const { return view_; }

  bool same_samples(const TestFrame& other) const { return rows_.same_rows(other.rows_); }
  bool intact() const { return rows_.intact(); }
  // True if the samples are equal, and nothing was written outside of the rows of either frame.
  bool operator==(const TestFrame& other) const {
    return view_.width == other.view_.width && view_.height == other.view_.height &&
           view_.type == other.view_.type && same_samples(other) && intact() && other.intact();
  }

 private:
  GuardedRows rows_;
  MutableDepthView view_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_GUARDED_FRAME_H_
