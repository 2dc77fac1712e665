/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_LAZY_ARRAYS_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_LAZY_ARRAYS_H_

#include <atomic>
#include <mutex>

namespace rdp::meta {

/* The arrays of one metadata object. They may stay elsewhere, such as on a GPU, until the first
 * read. `Arrays` is a plain structure: pointers to the arrays and their element counts.
 *
 * Arrays that cannot be fetched are lost: reads return valid empty arrays, and lost() is true.
 * Thread safe, except for reset(), which needs an object that no other thread knows. */
template <typename Arrays>
class LazyArrays {
 public:
  /* Begins the next frame. `elsewhere`: the counts in `arrays` are right, its pointers are not
   * used. */
  void reset(const Arrays& arrays, bool elsewhere) {
    arrays_ = announced_ = arrays;
    lost_ = false;
    why_ = nullptr;
    here_.store(!elsewhere, std::memory_order_release);
  }

  bool here() const { return here_.load(std::memory_order_acquire); }

  /* Returns the arrays. If they are elsewhere, the first caller fetches them by fetch(&arrays,
   * &why), while other threads wait. If fetch returns false, the arrays are lost, and reads return
   * empty(counts). `why` has to live until the next reset(). */
  template <typename Fetch, typename Empty>
  const Arrays& get(Fetch&& fetch, Empty&& empty) noexcept {
    if (!here()) {
      const std::lock_guard lock(mutex_);
      if (!here_.load(std::memory_order_relaxed)) {
        lost_ = !fetch(&arrays_, &why_);
        if (lost_) arrays_ = empty(announced_);
        here_.store(true, std::memory_order_release);
      }
    }
    return arrays_;
  }

  /* The counts of arrays, known before they are fetched. If only some arrays are elsewhere, this
   * reads the others without a fetch. */
  template <typename Member>
  Member known(Member Arrays::*member) const {
    return here() ? arrays_.*member : announced_.*member;
  }

  /* Valid once the arrays are here. */
  bool lost() const { return lost_; }
  const char* why() const { return why_ != nullptr ? why_ : "no reason is known"; }

  /* Guards data that readers derive from the arrays on first use and keep with them. */
  std::mutex& mutex() { return mutex_; }

 private:
  std::atomic<bool> here_{true};
  std::mutex mutex_;   /* held during a fetch */
  Arrays announced_{}; /* the arrays at reset() */
  Arrays arrays_{};
  bool lost_ = false;
  const char* why_ = nullptr;
};

}  // namespace rdp::meta

#endif  // RDP_GST_RDPSEGMENT_PRIVATE_LAZY_ARRAYS_H_
