/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpbuffer.h>

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

}  // namespace

/**
 * gst_rdp_buffer_allocate:
 * @size: a number of bytes, at least 1
 * @address: (out): the address of the first one, in this process
 *
 * Makes a buffer of system memory to be filled through its address. Write to it only until the
 * buffer is handed on.
 *
 * Returns: (transfer full) (nullable): the buffer, whose bytes have any value; %NULL where there is
 *   no memory
 *
 * Since: 0.3
 */
GstBuffer* gst_rdp_buffer_allocate(gsize size, guint64* address) {
  g_return_val_if_fail(size > 0 && address != nullptr, nullptr);

  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, size, nullptr);
  GstMapInfo map;
  // System memory stays at its address after unmapping.
  if (buffer == nullptr || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
    gst_clear_buffer(&buffer);
    return nullptr;
  }
  *address = reinterpret_cast<guintptr>(map.data);
  gst_buffer_unmap(buffer, &map);
  return buffer;
}

/**
 * gst_rdp_buffer_lend:
 * @buffer: a #GstBuffer
 * @address: (out): the address of the first byte, in this process
 * @error: the reason where the buffer cannot be read
 *
 * Lends the memory of a buffer to be read, without a copy where it is in one piece in system
 * memory. The buffer stays mapped until the result is freed.
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
