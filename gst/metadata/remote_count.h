// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_REMOTE_COUNT_H_
#define RDP_GST_METADATA_REMOTE_COUNT_H_

#include <atomic>

namespace rdp::gst {

// The references of what several results share, such as arrays on a GPU: see remote_ref.h. It
// begins with one.
class RemoteCount {
 public:
  RemoteCount(const RemoteCount&) = delete;
  RemoteCount& operator=(const RemoteCount&) = delete;

  void ref() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void unref() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) dispose();
  }

 protected:
  RemoteCount() = default;
  virtual ~RemoteCount() = default;

  // Nobody refers to it any more. What comes from a pool goes back there: see revive().
  virtual void dispose() noexcept { delete this; }
  // One reference again, for the next use of what dispose() has kept.
  void revive() noexcept { references_.store(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> references_{1};
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_REMOTE_COUNT_H_
