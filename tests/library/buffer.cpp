// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffer memory lent to other languages.
#include <gst/rdpsegment/rdpsegment.h>

#include <cstring>

#include "tests/support/check_test.h"
#include "tests/support/unmappable_memory.h"

CHECK_TEST(test_allocated) {
  guint64 address = 0;
  g_autoptr(GstBuffer) buffer = gst_rdp_buffer_allocate(5, &address);
  std::memcpy(reinterpret_cast<void*>(static_cast<guintptr>(address)), "abcde", 5);
  fail_unless_equals_uint64(gst_buffer_get_size(buffer), 5);
  fail_unless(gst_buffer_memcmp(buffer, 0, "abcde", 5) == 0);
}

// The bytes keep the buffer alive and not writable.
CHECK_TEST(test_lent) {
  guint64 address = 0;
  GstBuffer* buffer = gst_rdp_buffer_allocate(3, &address);
  std::memcpy(reinterpret_cast<void*>(static_cast<guintptr>(address)), "xyz", 3);
  guint64 lent = 0;
  GError* error = nullptr;
  g_autoptr(GBytes) bytes = gst_rdp_buffer_lend(buffer, &lent, &error);
  fail_unless(error == nullptr && lent == address);
  ASSERT_MINI_OBJECT_REFCOUNT(buffer, "buffer", 2);
  gst_buffer_unref(buffer);
  fail_unless(g_bytes_get_size(bytes) == 3 &&
              std::memcmp(g_bytes_get_data(bytes, nullptr), "xyz", 3) == 0);
}

CHECK_TEST(test_unreadable) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  gst_buffer_append_memory(buffer, new_unmappable_memory(8));
  guint64 address = 0;
  GError* error = nullptr;
  fail_unless(gst_rdp_buffer_lend(buffer, &address, &error) == nullptr);
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  g_clear_error(&error);
}

CHECK_CASE(buffer)
