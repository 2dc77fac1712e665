/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_LITTLE_ENDIAN_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_LITTLE_ENDIAN_H_

#include <glib.h>

#include <cstring>
#include <type_traits>

/* Access to numbers at any address in serialised bytes. GStreamer's GST_READ_UINT32_LE () and the
 * like are no choice: on x86 they read a word in place, which C++ only allows at aligned addresses.
 * Callers always name the type, because it is part of the format. */
namespace rdp::meta {

/* Numbers are copied as they are in memory, which must be little endian. */
static_assert(G_BYTE_ORDER == G_LITTLE_ENDIAN);

template <typename Number>
Number read_le(const guint8* in) {
  static_assert(std::is_arithmetic_v<Number>);
  Number number;
  std::memcpy(&number, in, sizeof number);
  return number;
}

template <typename Number>
void write_le(guint8* out, std::type_identity_t<Number> number) {
  static_assert(std::is_arithmetic_v<Number>);
  std::memcpy(out, &number, sizeof number);
}

}  // namespace rdp::meta

#endif  // RDP_GST_RDPSEGMENT_PRIVATE_LITTLE_ENDIAN_H_
