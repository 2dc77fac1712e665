/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_LAZY_ARRAYS_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_LAZY_ARRAYS_H_

#include <atomic>
#include <mutex>

namespace rdp::meta {

/* The arrays of one metadata object, which may be elsewhere, such as on a GPU, until somebody reads
 * them. `Arrays` is a plain structure: pointers to the arrays and how many elements they have.
 *
 * Arrays that cannot be had are lost: what is read then is valid and empty, and lost() tells.
 * Thread safe, except for reset(), which is for an object that nobody else knows. */
template <typename Arrays>
class LazyArrays {
 public:
  /* For the next frame. Elsewhere: the numbers in `arrays` are right, its pointers are not used. */
  void reset(const Arrays& arrays, bool elsewhere) {
    arrays_ = announced_ = arrays;
    lost_ = false;
    why_ = nullptr;
    here_.store(!elsewhere, std::memory_order_release);
  }

  bool here() const { return here_.load(std::memory_order_acquire); }

  /* The arrays, once they are here. For the first caller of a frame whose arrays are elsewhere,
   * fetch(&arrays, &why) brings them; others wait meanwhile. Where it returns false, the arrays are
   * lost and empty(numbers) is what is read instead. `why` has to live until the next reset(). */
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

  /* The known facts of arrays that are not here yet: their sizes. If only some arrays are
   * elsewhere, the others can be read by this without bringing those. */
  template <typename Member>
  Member known(Member Arrays::*member) const {
    return here() ? arrays_.*member : announced_.*member;
  }

  /* Once the arrays are here. */
  bool lost() const { return lost_; }
  const char* why() const { return why_ != nullptr ? why_ : "no reason is known"; }

  /* For what is worked out from the arrays on their first read, and kept with them. */
  std::mutex& mutex() { return mutex_; }

 private:
  std::atomic<bool> here_{true};
  std::mutex mutex_;   /* held by whoever fetches */
  Arrays announced_{}; /* as they were when the frame was made */
  Arrays arrays_{};
  bool lost_ = false;
  const char* why_ = nullptr;
};

}  // namespace rdp::meta

#endif  // RDP_GST_RDPSEGMENT_PRIVATE_LAZY_ARRAYS_H_
