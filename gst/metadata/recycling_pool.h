// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_RECYCLING_POOL_H_
#define RDP_GST_METADATA_RECYCLING_POOL_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace rdp {

// Objects that return to their pool with the memory they hold, so that a stream stops allocating. T
// derives from RecyclingPool<T>::Item. A handed-out item belongs to one holder. It is kept and
// reused as it was given back. Thread safe.
//
// Waiting items are freed with the pool, others when they are given back.
template <typename T>
class RecyclingPool {
  struct State;

 public:
  // The maximum number of waiting items. A consumer that holds more at a time (long queues) makes
  // the pool allocate the rest each time.
  static constexpr std::size_t kMaxKept = 16;

  class Item {
   public:
    // Called when the item is given back; T may override it to release what the next holder does
    // not need.
    void recycled() noexcept {}

   private:
    friend class RecyclingPool;
    State* home_ = nullptr;
  };

  struct GiveBack {
    void operator()(T* item) const noexcept { give_back(item); }
  };
  using Handle = std::unique_ptr<T, GiveBack>;

  // Throws std::bad_alloc.
  RecyclingPool() : state_(new State) {}
  ~RecyclingPool() { close(); }
  RecyclingPool(RecyclingPool&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  RecyclingPool& operator=(RecyclingPool&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }

  // Returns the item that came back last, because its memory is in the caches. If none waits, calls
  // make(), which returns a std::unique_ptr<T>. Throws what make() throws.
  template <typename Make>
  Handle acquire(Make&& make) {
    Handle item(take());
    if (item == nullptr) {
      std::unique_ptr<T> fresh = std::forward<Make>(make)();
      static_cast<Item&>(*fresh).home_ = state_;
      state_->references.fetch_add(1, std::memory_order_relaxed);
      item.reset(fresh.release());
    }
    return item;
  }
  Handle acquire() {
    return acquire([] { return std::make_unique<T>(); });
  }

  // Returns an item to its pool, as Handle does; for items held by C code.
  static void give_back(T* item) noexcept {
    State* home = static_cast<Item*>(item)->home_;
    item->recycled();
    bool keep = false;
    {
      const std::lock_guard lock(home->mutex);
      keep = home->open && home->n_kept < kMaxKept;
      if (keep) home->kept[home->n_kept++] = item;
    }
    if (!keep) delete item;
    drop_reference(home);
  }

 private:
  struct State {
    std::atomic<int> references{1};  // the pool, and every handed-out item
    std::mutex mutex;                // guards the members below; held for a few instructions
    std::array<T*, kMaxKept> kept{};
    std::size_t n_kept = 0;
    bool open = true;  // false once the pool is gone
  };

  static void drop_reference(State* state) noexcept {
    if (state->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete state;
  }

  T* take() {
    const std::lock_guard lock(state_->mutex);
    if (state_->n_kept == 0) return nullptr;
    state_->references.fetch_add(1, std::memory_order_relaxed);
    return state_->kept[--state_->n_kept];
  }

  void close() noexcept {
    if (state_ == nullptr) return;
    std::size_t n_kept = 0;
    {
      const std::lock_guard lock(state_->mutex);
      state_->open = false;
      n_kept = std::exchange(state_->n_kept, 0);
    }
    // Nobody else accesses a closed pool's array.
    for (std::size_t i = 0; i < n_kept; ++i) delete state_->kept[i];
    drop_reference(state_);
  }

  State* state_;
};

}  // namespace rdp

#endif  // RDP_GST_METADATA_RECYCLING_POOL_H_
