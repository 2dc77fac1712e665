// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_INSTANCE_MEMORY_H_
#define RDP_GST_MEMORY_INSTANCE_MEMORY_H_

#include <glib.h>

#include <cstddef>

namespace rdp::gst {

// For what an element has from its first moment to its last. A function that initialises instances
// cannot fail, so this memory comes from where the instance's own does: from GLib, which ends the
// process where there is none.
struct InstanceMemory {
  static void* operator new(std::size_t size) { return g_malloc(size); }
  static void operator delete(void* memory) { g_free(memory); }
};

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_INSTANCE_MEMORY_H_
