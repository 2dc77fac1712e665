// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_META_ALLOCATIONS_H_
#define RDP_TESTS_SUPPORT_META_ALLOCATIONS_H_

#include <glib.h>

#include <cstdint>

namespace rdp::test {

// The number of allocations by GStreamer itself for this number of metas on buffers. Each is a
// slice, and slices use malloc from GLib 2.76 on.
inline std::uint64_t meta_allocations(std::uint64_t metas) {
  return glib_check_version(2, 76, 0) == nullptr ? metas : 0;
}

// The same for queries: the fields of each; from GLib 2.76 on also the query and its structure.
inline std::uint64_t query_allocations(std::uint64_t queries) {
  return queries + meta_allocations(2 * queries);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_META_ALLOCATIONS_H_
