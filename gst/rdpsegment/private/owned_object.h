/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_OWNED_OBJECT_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_OWNED_OBJECT_H_

#include <gst/rdpsegment/rdpowner.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "common/boundary.h"
#include "common/image/grow_buffer.h"
#include "gst/rdpsegment/private/lazy_arrays.h"
#include "gst/rdpsegment/private/little_endian.h"

/* Immutable objects whose arrays belong to an owner: their memory, creation and end, and the fetch
 * of arrays that are elsewhere. rdpowner.h shows their life. */
namespace rdp::meta {

/* The base of GstRdpPlanes and the like. */
template <typename ItsInfo, typename ItsArrays>
struct OwnedObject {
  using Info = ItsInfo;
  using Arrays = ItsArrays;

  GstMiniObject mini_object; /* first: this is its base class */
  Info info;
  const GstRdpOwnerClass* owner_class;
  gpointer owner;
  LazyArrays<Arrays> arrays;

  /* Called before the memory is used for new arrays. Kinds that keep more than the arrays, or limit
   * them, redefine it. False: it cannot hold these arrays. */
  bool begin(const Arrays&) { return true; }
};

/* An immutable object needs no second copy. */
inline GstMiniObject* copy_by_reference(const GstMiniObject* object) {
  return gst_mini_object_ref(const_cast<GstMiniObject*>(object));
}

/* Called after the last reference is gone, weak references are notified and qdata is freed. The
 * memory goes back to its owner here, not in the dispose function. An object revived there would
 * carry the last frame's qdata and weak references into the next frame. */
template <typename Object>
void free_owned(GstMiniObject* object) {
  auto* self = reinterpret_cast<Object*>(object);
  const GstRdpOwnerClass* owner_class = self->owner_class;
  const gpointer owner = self->owner;
  if (owner_class->recycle != nullptr) {
    owner_class->recycle(owner, self);
    return;
  }
  delete self;
  if (owner_class->destroy != nullptr) owner_class->destroy(owner);
}

/* The body of blank_new(). */
template <typename Object>
Object* new_blank() noexcept {
  return contain([] { return new Object(); }, [](const char*) -> Object* { return nullptr; });
}

/* The body of blank_fill(). */
template <typename Object>
void fill_blank(Object* blank, GType type, const typename Object::Info* info,
                const typename Object::Arrays* arrays, const GstRdpOwnerClass* owner_class,
                gpointer owner) {
  g_return_if_fail(blank != nullptr && info != nullptr && arrays != nullptr);
  g_return_if_fail(owner_class != nullptr);
  g_return_if_fail(!arrays->elsewhere() || owner_class->fetch != nullptr);
  g_return_if_fail(blank->begin(*arrays));

  gst_mini_object_init(&blank->mini_object, 0, type, copy_by_reference, nullptr,
                       free_owned<Object>);
  blank->info = *info;
  blank->owner_class = owner_class;
  blank->owner = owner;
  blank->arrays.reset(*arrays, arrays->elsewhere());
}

/* An object whose arrays lie in `memory`, which is deleted with it. Throws std::bad_alloc. */
template <typename Object, typename Memory>
Object* new_owning(GType type, const typename Object::Info& info,
                   const typename Object::Arrays& arrays, std::unique_ptr<Memory> memory) {
  static constexpr GstRdpOwnerClass kOwner = {
      nullptr, nullptr, [](gpointer owner) noexcept { delete static_cast<Memory*>(owner); }};
  auto self = std::make_unique<Object>();
  fill_blank(self.get(), type, &info, &arrays, &kOwner, static_cast<gpointer>(memory.release()));
  return self.release();
}

/* An array of a kind: its pointer and its count in the structure of arrays, and the count's place
 * in the serialised header. kAt = 0: the header has no such count, because an earlier array is as
 * long or the info determines it. Versions of the form before `kSince` lack the array. */
template <auto kPointer, auto kCount, gsize kAt = 0, guint32 kSince = 1>
struct ArrayRow {
  template <typename Arrays>
  static auto of(const Arrays& arrays) {
    return std::span(arrays.*kPointer, arrays.*kCount);
  }
  template <typename Arrays>
  static void read_count(const guint8* header, Arrays* arrays) {
    if constexpr (kAt > 0) {
      if (is_in(header)) arrays->*kCount = read_le<guint32>(header + kAt);
    }
  }
  template <typename Arrays>
  static void write_count(const Arrays& arrays, guint8* header) {
    if constexpr (kAt > 0) {
      if (is_in(header)) write_le<guint32>(header + kAt, static_cast<guint32>(arrays.*kCount));
    }
  }
  /* Sets the pointer to the array at *from, and advances *from to its end. */
  template <typename Arrays>
  static void point_to(const guint8** from, Arrays* arrays) {
    arrays->*kPointer = reinterpret_cast<decltype(of(*arrays).data())>(*from);
    *from += of(*arrays).size_bytes();
  }
  /* Copies the array to *to, aligned, sets the pointer to the copy and advances *to to its end. */
  template <typename Arrays>
  static void copy(char** to, Arrays* arrays) {
    const auto array = of(*arrays);
    constexpr std::size_t kStep = alignof(typename decltype(array)::value_type);
    char* const at = *to + (kStep - reinterpret_cast<std::uintptr_t>(*to) % kStep) % kStep;
    if (!array.empty()) std::memcpy(at, array.data(), array.size_bytes());
    arrays->*kPointer = reinterpret_cast<decltype(array.data())>(at);
    *to = at + array.size_bytes();
  }

 private:
  /* The version follows the four letters of the header. */
  static bool is_in(const guint8* header) { return read_le<guint32>(header + 4) >= kSince; }
};

/* All arrays of a kind, in the order of the serialised form. */
template <typename... Rows>
struct ArrayRows {
  /* Copies the arrays, which need not be aligned, into one block of memory. No pointer is null
   * then: null would mean that the arrays are elsewhere. Throws std::bad_alloc. */
  template <typename Arrays>
  static std::unique_ptr<GrowBuffer<char>> copy(Arrays* arrays) {
    auto memory = std::make_unique<GrowBuffer<char>>();
    char* to =
        memory->ensure(((Rows::of(*arrays).size_bytes() + alignof(std::max_align_t)) + ... + 1));
    (Rows::copy(&to, arrays), ...);
    return memory;
  }
};

/* An object of the kind with copies of the arrays. Throws std::bad_alloc. */
template <typename Kind, typename Rows>
typename Kind::Object* new_copy(const typename Kind::Info& info, typename Kind::Arrays arrays) {
  auto memory = Rows::copy(&arrays);
  return new_owning<typename Kind::Object>(Kind::get_type(), info, arrays, std::move(memory));
}

/* The arrays of an object that are always on the host. */
template <typename Object>
const typename Object::Arrays& arrays_here(Object& self) noexcept {
  using Arrays = typename Object::Arrays;
  return self.arrays.get([](Arrays*, const char**) { return true; },
                         [](const Arrays& arrays) { return arrays; });
}

/* The arrays on the host. `what` names them in the log if they are lost. Most readers cannot get an
 * error, so they read empty(counts) then, which is valid. */
template <typename Object, typename Empty>
const typename Object::Arrays& host_arrays(Object* self, const char* what, Empty&& empty) noexcept {
  const auto fetch = [&](typename Object::Arrays* fetched, const char** why) {
    if (self->owner_class->fetch(self->owner, fetched, why) != FALSE) return true;
    GST_ERROR("%s of frame %" G_GUINT64_FORMAT " are lost: %s", what, self->info.frame,
              *why != nullptr ? *why : "no reason is known");
    return false;
  };
  return self->arrays.get(fetch, empty);
}

/* Ends gst_rdp_X_fetch() after the arrays were read: sets `error` if they are lost. */
template <typename Object>
gboolean tell_lost(const Object* self, const char* what, GError** error) {
  if (!self->arrays.lost()) return TRUE;
  g_set_error(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
              "the %s of frame %" G_GUINT64_FORMAT " are lost: %s", what, self->info.frame,
              self->arrays.why());
  return FALSE;
}

/* An array that is on the host already. */
template <typename Object, typename Element, typename Arrays>
std::span<const Element> known_array(const Object& self, const Element* Arrays::*array,
                                     gsize Arrays::*count) {
  return {self.arrays.known(array), self.arrays.known(count)};
}

/* An array of the object as bytes that hold a reference to it. */
template <typename Object>
GBytes* bytes_of(Object* self, const void* array, std::size_t size) {
  const auto unref = [](gpointer data) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(data)); };
  return g_bytes_new_with_free_func(array, size, unref, gst_mini_object_ref(&self->mini_object));
}

/* The copy functions of plain types, for bindings. */
template <typename Plain>
Plain* copy_plain(const Plain* from) {
  auto* copy = g_new(Plain, 1);
  *copy = *from;
  return copy;
}

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_OWNED_OBJECT_H_ */
