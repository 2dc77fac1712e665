// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_REMOTE_H_
#define RDP_GST_METADATA_REMOTE_H_

#include <atomic>
#include <string>
#include <utility>

namespace rdp::gst {

// Arrays that the host cannot read directly, such as on a GPU. Each result with such arrays holds a
// reference until its last reader releases it. Made with one reference. `Where`: what fetch()
// copies, and where to.
template <typename... Where>
class Remote {
 public:
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;

  void ref() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void unref() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) dispose();
  }

  // Copies a result's arrays to the host. Called at most once for a result, by the thread that
  // reads it first; for different results from several threads at a time. False: *reason says why
  // they are lost (non-throwing: see rdp::give_reason()), and the copy is invalid.
  virtual bool fetch(Where... where, std::string* reason) noexcept = 0;

 protected:
  Remote() = default;
  virtual ~Remote() = default;

  // Called after the last unref. Pooled objects return to their pool: see revive().
  virtual void dispose() noexcept { delete this; }
  // Restores one reference, for the reuse of an object that dispose() has kept.
  void revive() noexcept { references_.store(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> references_{1};
};

// A reference to a Remote, or none.
template <typename T>
class RemoteRef {
 public:
  RemoteRef() = default;
  // Adopts a reference (transfer full), such as a new object's.
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

#endif  // RDP_GST_METADATA_REMOTE_H_
