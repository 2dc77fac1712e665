/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_SERIAL_FORM_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_SERIAL_FORM_H_

#include <gio/gio.h>
#include <gst/gst.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "common/boundary.h"
#include "gst/rdpsegment/private/info_fields.h"
#include "gst/rdpsegment/private/owned_object.h"

/* Objects as bytes for files, sockets and other processes. All is little endian. The header has
 * four letters, the version, the rows of the info's table and additions of the kind. The arrays
 * follow without gaps. A kind describes its form by a structure that derives from SerialForm:
 *
 *   kMagic         the four letters
 *   kThings        its name in errors
 *   kFields        the table of the info
 *   kHeaderSizes   header sizes by version; version 0 does not exist
 *   start()        the initial info, for members that a version lacks; all 0 by default
 *   expect(&info, header, &size)  sets the size of the arrays in bytes; checks the header
 *   make(info, header, arrays, &object)  makes the object unless there is a fault
 *
 * The last two return the fault as a message for the user, or an empty text. They may throw. */
namespace rdp::meta {

template <typename Kind>
struct SerialForm {
  using Object = typename Kind::Object;
  using Info = typename Kind::Info;

  static Info start() { return {}; }
};

/* An array as it lies in memory. */
template <typename T>
std::span<const guint8> as_bytes(std::span<const T> array) {
  return {reinterpret_cast<const guint8*>(array.data()), array.size_bytes()};
}

/* The serialised form, or null if memory runs out. `complete` gets the finished
 * bytes, and writes the parts that only the kind knows, such as more header fields. */
template <typename Form, typename Complete = void (*)(guint8* data)>
GBytes* serialised(
    const typename Form::Info& info, guint32 version,
    std::initializer_list<std::span<const guint8>> arrays, Complete&& complete = [](guint8*) {}) {
  const gsize header_size = Form::kHeaderSizes[version];
  gsize size = header_size;
  for (const auto& array : arrays) size += array.size();
  auto* data = static_cast<guint8*>(g_try_malloc(size));
  if (data == nullptr) {
    GST_ERROR("no memory for %" G_GSIZE_FORMAT " bytes of serialised %s", size, Form::kThings);
    return nullptr;
  }
  std::memset(data, 0, header_size);
  std::memcpy(data, Form::kMagic, 4);
  write_le<guint32>(data + 4, version);
  write_fields(Form::kFields, version, info, data);
  guint8* out = data + header_size;
  for (const auto& array : arrays) {
    if (!array.empty()) std::memcpy(out, array.data(), array.size());
    out += array.size();
  }
  complete(data);
  return g_bytes_new_take(data, size);
}

/* The form of a kind whose arrays are ArrayRows (owned_object.h). Its structure needs kMagic,
 * kThings, kFields, kHeaderSizes and
 *
 *   wrong(info, arrays)  the fault of the object as a message for the user, or an empty text
 *
 * and may have
 *
 *   version(arrays)         the version to write, if not the newest
 *   count(info, &arrays)    sets the counts that follow from the info; returns the fault
 *   numbers(info)           doubles of the info that are no rows of the table, at kNumbersAt
 *   complete(arrays, data)  changes the finished bytes */
template <typename Form, typename Kind, typename Rows>
struct ArrayForm;

template <typename Form, typename Kind, typename... Rows>
struct ArrayForm<Form, Kind, ArrayRows<Rows...>> : SerialForm<Kind> {
  using Info = typename Kind::Info;
  using Arrays = typename Kind::Arrays;
  using Object = typename Kind::Object;

  static constexpr gsize kNumbersAt = 0;
  static guint32 version(const Arrays&) { return std::size(Form::kHeaderSizes) - 1; }
  static std::span<const gdouble> numbers(const Info&) { return {}; }
  static std::string count(const Info&, Arrays*) { return {}; }
  static void complete(const Arrays&, guint8*) {}

  static std::string expect(Info* info, const guint8* header, guint64* size) {
    const std::span<const gdouble> numbers = Form::numbers(*info);
    for (gsize i = 0; i < numbers.size(); ++i) {
      const_cast<gdouble&>(numbers[i]) =
          read_le<gdouble>(header + Form::kNumbersAt + i * sizeof(gdouble));
    }
    Arrays arrays = {};
    std::string wrong = count_all(*info, header, &arrays);
    *size = (guint64{Rows::of(arrays).size_bytes()} + ...);
    return wrong;
  }

  static std::string make(const Info& info, const guint8* header, const guint8* from,
                          Object** object) {
    Arrays arrays = {};
    count_all(info, header, &arrays);
    (Rows::point_to(&from, &arrays), ...);
    /* The check reads the copies: the arrays in the bytes need not be aligned. */
    const auto unref = [](Object* made) { gst_mini_object_unref(GST_MINI_OBJECT_CAST(made)); };
    std::unique_ptr<Object, decltype(unref)> made(new_copy<Kind, ArrayRows<Rows...>>(info, arrays));
    std::string wrong = Form::wrong(info, arrays_here(*made));
    if (wrong.empty()) *object = made.release();
    return wrong;
  }

  static GBytes* write(const Info& info, const Arrays& arrays) {
    return serialised<Form>(
        info, Form::version(arrays), {as_bytes(Rows::of(arrays))...}, [&](guint8* data) {
          (Rows::write_count(arrays, data), ...);
          const std::span<const gdouble> numbers = Form::numbers(info);
          for (gsize i = 0; i < numbers.size(); ++i) {
            write_le<gdouble>(data + Form::kNumbersAt + i * sizeof(gdouble), numbers[i]);
          }
          Form::complete(arrays, data);
        });
  }

 private:
  static std::string count_all(const Info& info, const guint8* header, Arrays* arrays) {
    (Rows::read_count(header, arrays), ...);
    return Form::count(info, arrays);
  }
};

/* The version of the bytes, after a check of their header. 0 with *error if it is bad. */
template <typename Form>
guint32 serial_version(const guint8* data, gsize size, GError** error) {
  constexpr guint32 kNewest = std::size(Form::kHeaderSizes) - 1;
  const auto invalid = [&](const char* what, guint64 number) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "invalid %s: %s, got %" G_GUINT64_FORMAT, Form::kThings, what, number);
    return guint32{0};
  };
  if (size < Form::kHeaderSizes[1] || std::memcmp(data, Form::kMagic, 4) != 0) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "%" G_GSIZE_FORMAT
                " bytes that do not start like %s: expected %.4s and a header of %" G_GSIZE_FORMAT
                " bytes or more in all",
                size, Form::kThings, Form::kMagic, Form::kHeaderSizes[1]);
    return 0;
  }
  const auto version = read_le<guint32>(data + 4);
  if (version < 1 || version > kNewest) {
    g_autofree gchar* read =
        kNewest == 1 ? g_strdup("version 1") : g_strdup_printf("versions 1 to %u", kNewest);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                "%s of format version %u; this library reads %s", Form::kThings, version, read);
    return 0;
  }
  if (size < Form::kHeaderSizes[version]) return invalid("expected more bytes in the header", size);
  if (const guint32 flags = unknown_flags(Form::kFields, version, data)) {
    return invalid("expected no unknown flags", flags);
  }
  return version;
}

/* (transfer full) Makes the object from untrusted bytes; null with *error. The memory that it
 * allocates is bounded by the number of bytes. */
template <typename Form>
typename Form::Object* new_from_serialised(GBytes* bytes, GError** error) {
  using Object = typename Form::Object;
  g_return_val_if_fail(bytes != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  const guint32 version = serial_version<Form>(data, size, error);
  if (version == 0) return nullptr;
  return contain(
      [&]() -> Object* {
        typename Form::Info info = Form::start();
        read_fields(Form::kFields, version, data, &info);
        guint64 expected = 0;
        std::string wrong = Form::expect(&info, data, &expected);
        if (wrong.empty() && expected + Form::kHeaderSizes[version] != size) {
          wrong = "expected " + std::to_string(expected + Form::kHeaderSizes[version]) +
                  " bytes, got " + std::to_string(size);
        }
        Object* object = nullptr;
        if (wrong.empty()) {
          wrong = Form::make(info, data, data + Form::kHeaderSizes[version], &object);
        }
        if (wrong.empty()) return object;
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "invalid %s: %s", Form::kThings,
                    wrong.c_str());
        return nullptr;
      },
      [&](const char* reason) -> Object* {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                    "no memory for %s of %" G_GSIZE_FORMAT " bytes: %s", Form::kThings, size,
                    reason);
        return nullptr;
      });
}

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_SERIAL_FORM_H_ */
