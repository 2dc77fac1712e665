// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_REMOTE_REF_H_
#define RDP_GST_METADATA_REMOTE_REF_H_

#include <utility>

namespace rdp::gst {

// A reference to what several results share, such as arrays on a GPU, or none. T has ref() and
// unref().
template <typename T>
class RemoteRef {
 public:
  RemoteRef() = default;
  // Takes over a reference, such as that of what was just made.
  explicit RemoteRef(T* remote) : remote_(remote) {}
  RemoteRef(const RemoteRef& other) : remote_(other.remote_) {
    if (remote_ != nullptr) remote_->ref();
  }
  RemoteRef(RemoteRef&& other) noexcept : remote_(std::exchange(other.remote_, nullptr)) {}
  template <typename Derived>
  RemoteRef(RemoteRef<Derived> other) noexcept : remote_(other.release()) {}
  RemoteRef& operator=(RemoteRef other) noexcept {
    std::swap(remote_, other.remote_);
    return *this;
  }
  ~RemoteRef() { reset(); }

  void reset() noexcept {
    if (T* remote = std::exchange(remote_, nullptr)) remote->unref();
  }
  T* release() noexcept { return std::exchange(remote_, nullptr); }
  T* get() const { return remote_; }
  T* operator->() const { return remote_; }
  T& operator*() const { return *remote_; }
  explicit operator bool() const { return remote_ != nullptr; }

 private:
  T* remote_ = nullptr;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_REMOTE_REF_H_
