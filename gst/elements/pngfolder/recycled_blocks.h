// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_PNGFOLDER_RECYCLED_BLOCKS_H_
#define RDP_GST_ELEMENTS_PNGFOLDER_RECYCLED_BLOCKS_H_

#include <cstddef>
#include <new>

namespace rdp::gst {

// Memory for a library that allocates the same block sizes anew for each picture: a freed block is
// reused for the same size. Belongs to one thread.
class RecycledBlocks {
 public:
  RecycledBlocks() = default;
  ~RecycledBlocks() { free_all(); }
  RecycledBlocks(const RecycledBlocks&) = delete;
  RecycledBlocks& operator=(const RecycledBlocks&) = delete;

  // Null if memory ran out; ran_out() is then true until settle().
  void* take(std::size_t size) noexcept {
    for (Block** link = &idle_; *link != nullptr; link = &(*link)->next) {
      Block* block = *link;
      if (block->size != size) continue;
      *link = block->next;
      block->used = true;
      return block + 1;
    }
    void* memory = ::operator new(sizeof(Block) + size, std::nothrow);
    if (memory == nullptr) {
      ran_out_ = true;
      return nullptr;
    }
    return new (memory) Block{nullptr, size, true} + 1;
  }
  void give(void* memory) noexcept {
    if (memory == nullptr) return;
    Block* block = static_cast<Block*>(memory) - 1;
    block->next = idle_;
    idle_ = block;
  }
  // Ends a picture: frees the blocks that it did not use, so that earlier pictures leave nothing
  // behind.
  void settle() noexcept {
    ran_out_ = false;
    for (Block** link = &idle_; *link != nullptr;) {
      Block* block = *link;
      if (block->used) {
        block->used = false;
        link = &block->next;
      } else {
        *link = block->next;
        ::operator delete(block);
      }
    }
  }
  void free_all() noexcept {
    settle();
    settle();
  }
  bool ran_out() const { return ran_out_; }

 private:
  // Header before each block; its alignment is the block's.
  struct alignas(std::max_align_t) Block {
    Block* next;
    std::size_t size;
    bool used;  // in this picture
  };

  Block* idle_ = nullptr;
  bool ran_out_ = false;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_PNGFOLDER_RECYCLED_BLOCKS_H_
