/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_OWNED_OBJECT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_OWNED_OBJECT_H_

#include <gst/gst.h>

#include <cstddef>

#include "common/boundary.h"

/* How immutable objects begin and end whose arrays belong to an owner: their memory, and who gets
 * it back. `Object` has the members mini_object, which is its base class, owner_class and owner;
 * what an owner class does is in the header of each object's owner. */
namespace rdp::meta {

/* What cannot change needs no second copy. */
inline GstMiniObject* copy_by_reference(const GstMiniObject* object) {
  return gst_mini_object_ref(const_cast<GstMiniObject*>(object));
}

/* Called when nothing refers to the object any more, its weak references are told and its qdata is
 * freed. The memory goes back to its owner from here rather than from the dispose function: an
 * object revived there would take the last frame's qdata and weak references into the next frame.
 */
template <typename Object>
void free_owned(GstMiniObject* object) {
  auto* self = reinterpret_cast<Object*>(object);
  const auto* owner_class = self->owner_class;
  const gpointer owner = self->owner;
  if (owner_class->recycle != nullptr) {
    owner_class->recycle(owner, self);
    return;
  }
  delete self;
  if (owner_class->destroy != nullptr) owner_class->destroy(owner);
}

/* Memory for an object. Null where there is none. */
template <typename Object>
Object* new_blank() noexcept {
  return contain([] { return new Object(); }, [](const char*) -> Object* { return nullptr; });
}

/* Makes an object with one reference of such memory. Allocates nothing. */
template <typename Object, typename OwnerClass>
void begin_owned(Object* blank, GType type, const OwnerClass* owner_class, gpointer owner) {
  gst_mini_object_init(&blank->mini_object, 0, type, copy_by_reference, nullptr,
                       free_owned<Object>);
  blank->owner_class = owner_class;
  blank->owner = owner;
}

/* An array of the object as bytes that hold a reference to it. */
template <typename Object>
GBytes* bytes_of(Object* self, const void* array, std::size_t size) {
  const auto unref = [](gpointer data) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(data)); };
  return g_bytes_new_with_free_func(array, size, unref, gst_mini_object_ref(&self->mini_object));
}

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_OWNED_OBJECT_H_ */
