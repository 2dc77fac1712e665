/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpbuffer.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>

/**
 * SECTION:rdpbuffer
 * @title: Memory of buffers
 * @short_description: The memory of buffers for other languages, without copies
 *
 * Bindings such as PyGObject copy bytes at each call, some of them one by one. These functions give
 * addresses, which numpy and its like take as they are.
 *
 * Since: 0.3
 */

namespace {

struct Loan {
  GstBuffer* buffer;
  GstMapInfo map;
};

void end_loan(gpointer data) {
  auto* loan = static_cast<Loan*>(data);
  gst_buffer_unmap(loan->buffer, &loan->map);
  gst_buffer_unref(loan->buffer);
  g_free(loan);
}

// A reusable block of frame memory: fresh memory from the system costs more than copying a frame.
struct Block {
  gsize size;
};
constexpr std::align_val_t block_alignment{64};
constexpr gsize block_start = 64;            // offset of the first byte after the Block
constexpr gsize most_kept = gsize{8} << 20;  // bytes; larger blocks are not kept

// Cache of unused blocks: the latest ones, of any size.
struct FreeBlocks {
  std::mutex mutex;
  std::array<Block*, 8> blocks{};
  std::size_t oldest = 0;
};

FreeBlocks& free_blocks() {
  static auto* blocks = new FreeBlocks;  // never deleted: buffers may outlive all else
  return *blocks;
}

Block* take_block(gsize size) {
  {
    FreeBlocks& unused = free_blocks();
    const std::lock_guard lock(unused.mutex);
    for (Block*& block : unused.blocks) {
      if (block != nullptr && block->size == size) return std::exchange(block, nullptr);
    }
  }
  if (size > G_MAXSIZE - block_start) return nullptr;
  void* memory = ::operator new(block_start + size, block_alignment, std::nothrow);
  return memory == nullptr ? nullptr : new (memory) Block{size};
}

void give_block_back(gpointer data) {
  auto* block = static_cast<Block*>(data);
  if (block->size <= most_kept) {
    FreeBlocks& unused = free_blocks();
    const std::lock_guard lock(unused.mutex);
    auto place = std::ranges::find(unused.blocks, nullptr);
    if (place == unused.blocks.end()) {
      place = unused.blocks.begin() + unused.oldest;
      unused.oldest = (unused.oldest + 1) % unused.blocks.size();
    }
    block = std::exchange(*place, block);
  }
  if (block != nullptr) ::operator delete(block, block_alignment);
}

}  // namespace

/**
 * gst_rdp_buffer_allocate:
 * @size: a number of bytes, at least 1
 * @address: (out): the address of the first one, in this process
 *
 * Makes a buffer of system memory to be filled through its address. Write to it only until the
 * buffer is handed on. The memory of a few buffers is kept for the next ones of their size.
 *
 * Returns: (transfer full) (nullable): the buffer, with undefined bytes; %NULL if there is no
 *   memory
 *
 * Since: 0.3
 */
GstBuffer* gst_rdp_buffer_allocate(gsize size, guint64* address) {
  g_return_val_if_fail(size > 0 && address != nullptr, nullptr);

  Block* block = take_block(size);
  if (block == nullptr) return nullptr;
  guint8* first = reinterpret_cast<guint8*>(block) + block_start;
  *address = reinterpret_cast<guintptr>(first);
  return gst_buffer_new_wrapped_full(GstMemoryFlags{}, first, size, 0, size, block,
                                     give_block_back);
}

/**
 * gst_rdp_buffer_lend:
 * @buffer: a #GstBuffer
 * @address: (out): the address of the first byte, in this process
 * @error: the reason if the buffer cannot be read
 *
 * Lends the memory of a buffer to be read, without a copy if it is in one piece in system memory.
 * The buffer stays mapped until the result is freed.
 *
 * Returns: (transfer full): the bytes
 *
 * Since: 0.3
 */
GBytes* gst_rdp_buffer_lend(GstBuffer* buffer, guint64* address, GError** error) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer) && address != nullptr, nullptr);

  auto* loan = g_new(Loan, 1);
  if (!gst_buffer_map(buffer, &loan->map, GST_MAP_READ)) {
    g_free(loan);
    g_set_error_literal(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                        "The memory of the buffer cannot be read.");
    return nullptr;
  }
  loan->buffer = gst_buffer_ref(buffer);
  *address = reinterpret_cast<guintptr>(loan->map.data);
  return g_bytes_new_with_free_func(loan->map.data, loan->map.size, end_loan, loan);
}
