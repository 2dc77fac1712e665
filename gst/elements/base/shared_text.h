// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_SHARED_TEXT_H_
#define RDP_GST_ELEMENTS_BASE_SHARED_TEXT_H_

#include <glib.h>

#include <string>
#include <utility>

namespace rdp::gst {

// A text that a user has set. Elements copy their settings for each frame, so a copy only takes a
// reference: it neither allocates nor throws. Null and the empty text are the same.
class SharedText {
 public:
  SharedText() = default;
  explicit SharedText(const char* text)
      : text_(text == nullptr || *text == '\0' ? nullptr : g_ref_string_new(text)) {}
  SharedText(const SharedText& other)
      : text_(other.text_ == nullptr ? nullptr : g_ref_string_acquire(other.text_)) {}
  SharedText(SharedText&& other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
  SharedText& operator=(SharedText other) noexcept {
    std::swap(text_, other.text_);
    return *this;
  }
  ~SharedText() {
    if (text_ != nullptr) g_ref_string_release(text_);
  }

  // Null: none.
  const char* get() const { return text_; }
  explicit operator bool() const { return text_ != nullptr; }

  // Compares the pointers: the same text set again may count as different.
  bool operator==(const SharedText& other) const { return text_ == other.text_; }

 private:
  char* text_ = nullptr;
};

// A text for messages as valid UTF-8; it may name a file, whose bytes can be any.
class ShownText {
 public:
  explicit ShownText(const char* text) : text_(g_utf8_make_valid(text, -1)) {}
  explicit ShownText(const std::string& text) : ShownText(text.c_str()) {}
  ~ShownText() { g_free(text_); }
  ShownText(const ShownText&) = delete;
  ShownText& operator=(const ShownText&) = delete;
  const char* get() const { return text_; }

 private:
  char* text_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_SHARED_TEXT_H_
