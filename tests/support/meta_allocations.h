// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_META_ALLOCATIONS_H_
#define RDP_TESTS_SUPPORT_META_ALLOCATIONS_H_

#include <glib.h>

#include <cstdint>

namespace rdp::test {

// What GStreamer itself allocates to put so many metas on buffers. It keeps each in a slice, and
// from GLib 2.76 on slices are malloc's.
inline std::uint64_t meta_allocations(std::uint64_t metas) {
  return glib_check_version(2, 76, 0) == nullptr ? metas : 0;
}

// The same of queries: the fields of each, and then the query and its structure as well.
inline std::uint64_t query_allocations(std::uint64_t queries) {
  return queries + meta_allocations(2 * queries);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_META_ALLOCATIONS_H_
