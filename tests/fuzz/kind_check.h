// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_FUZZ_KIND_CHECK_H_
#define RDP_TESTS_FUZZ_KIND_CHECK_H_

#include <gio/gio.h>
#include <gst/gst.h>

#include <memory>
#include <span>
#include <vector>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/glib_log.h"
#include "tests/fuzz/json_check.h"

// Checks of every kind of metadata (rdpXkind.h). Its bytes are refused with a reason, or become a
// consistent object that is serialised to the same bytes.
namespace rdp::fuzz {

using Bytes = std::vector<guint8>;

struct Unref {
  void operator()(gpointer object) const { gst_mini_object_unref(GST_MINI_OBJECT_CAST(object)); }
};
template <typename Kind>
using Ref = std::unique_ptr<typename Kind::Object, Unref>;

// The body of LLVMFuzzerInitialize().
inline int start() {
  gst_init(nullptr, nullptr);
  watch_glib_log();
  return 0;
}

template <typename Kind>
Bytes bytes_of(typename Kind::Object* self) {
  g_autoptr(GBytes) bytes = Kind::to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  return {data, data + size};
}

// Returns null if the bytes are refused. Reads them in place, in an allocation of their size.
template <typename Kind>
Ref<Kind> read(const Bytes& data) {
  g_autoptr(GBytes) bytes = g_bytes_new_static(data.data(), data.size());
  g_autoptr(GError) error = nullptr;
  Ref<Kind> self(Kind::from_bytes(bytes, &error));
  FUZZ_CHECK((self == nullptr) == (error != nullptr), "neither an object nor an error");
  if (error != nullptr) {
    FUZZ_CHECK(error->domain == G_IO_ERROR && (error->code == G_IO_ERROR_INVALID_DATA ||
                                               error->code == G_IO_ERROR_NOT_SUPPORTED),
               "%s", error->message);
    FUZZ_CHECK(error->message[0] != '\0', "an error without a message");
  }
  return self;
}

// The parsed object must pass check() and be serialised to the same bytes. `versions`: the format
// has several versions, so other bytes are allowed if they are read as an equal object.
template <typename Kind, typename Check>
void check_read(const Bytes& data, Check&& check, bool versions = false) {
  const Ref<Kind> self = read<Kind>(data);
  if (self == nullptr) return;
  check(self.get());
  const Bytes again = bytes_of<Kind>(self.get());
  if (again == data) return;
  FUZZ_CHECK(versions, "written again, other bytes");
  const Ref<Kind> other = read<Kind>(again);
  FUZZ_CHECK(other != nullptr, "what was written is refused");
  check(other.get());
  FUZZ_CHECK(bytes_of<Kind>(other.get()) == again, "written twice, read as something else");
}

// A harness of bytes alone: unchanged, or with a few of them changed, cut off or added.
template <typename Kind, typename Check>
void damage_read(std::span<const guint8> data, Check&& check, bool versions = false) {
  Input input(data.data(), data.size());
  const std::size_t kept = input.below(256);
  const auto rest = input.rest();
  Bytes bytes(rest.begin(),
              rest.begin() + static_cast<std::ptrdiff_t>(std::min(kept, rest.size())));
  check_read<Kind>(bytes, check, versions);
  Input changes(rest.data() + bytes.size(), rest.size() - bytes.size());
  damage(&changes, &bytes,
         [&](const Bytes& changed) { check_read<Kind>(changed, check, versions); });
}

// A harness of arrays, too. A quarter of the inputs are read as bytes. From the others make() makes
// an object, or null, and its bytes are damaged.
template <typename Kind, typename Make, typename Check>
void check_kind(std::span<const guint8> data, Make&& make, Check&& check, bool versions = false) {
  Input input(data.data(), data.size());
  const auto look = [&](const Bytes& bytes) { check_read<Kind>(bytes, check, versions); };
  if (input.below(4) == 0) {
    look(Bytes(input.rest().begin(), input.rest().end()));
  } else if (const Ref<Kind> self = make(&input)) {
    Bytes bytes = bytes_of<Kind>(self.get());
    damage(&input, &bytes, look);
  }
}

}  // namespace rdp::fuzz

#endif  // RDP_TESTS_FUZZ_KIND_CHECK_H_
