// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_LIBRARY_KIND_ROW_H_
#define RDP_TESTS_LIBRARY_KIND_ROW_H_

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/video/video.h>

#include "tests/support/check_test.h"
#include "tests/support/odd_bytes.h"
#include "tests/support/segmentation_fixture.h"

namespace rdp::test {

using Bytes = std::vector<guint8>;

inline Bytes bytes_in(GBytes* bytes) {
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  return {data, data + size};
}

template <typename Plain>
void expect_boxed(GType type, const Plain& plain) {
  gpointer copy = g_boxed_copy(type, &plain);
  fail_unless(std::memcmp(copy, &plain, sizeof plain) == 0);
  g_boxed_free(type, copy);
}

// A kind of metadata as a row: its functions and the content of some objects. It checks the
// behaviour common to all kinds; each kind's own file checks its refusals and its written form.
//
// Content has `info`, and each_array() calls a function with each array, its peek and its get.
template <typename OfKind, typename OfContent>
struct KindRow {
  using Kind = OfKind;
  using Content = OfContent;
  using Object = typename Kind::Object;
  using Meta = typename Kind::Meta;
  struct Unref {
    void operator()(Object* object) const { gst_mini_object_unref(GST_MINI_OBJECT_CAST(object)); }
  };
  using Owned = std::unique_ptr<Object, Unref>;

  GType (*type)();
  Content content;
  std::vector<Content> others;            // valid as well
  Object* (*new_object)(const Content&);  // null with a critical warning
  Object* (*get)(GstBuffer*);
  Object* (*get_of_batch)(GstBuffer*, guint);
  Meta* (*add)(GstBuffer*, Object*);
  Meta* (*get_meta)(GstBuffer*);
  Meta* (*get_meta_of_batch)(GstBuffer*, guint);
  void (*get_placement)(GstBuffer*, const Meta*, gdouble*, gdouble*, gdouble*, gdouble*);
  // The expected bytes after reading and writing again; null: unchanged.
  Bytes (*as_written)(Bytes) = nullptr;

  // --- objects ----------------------------------------------------------------------------------

  Owned make(const Content& of) const {
    Owned object(new_object(of));
    fail_unless(object != nullptr);
    return object;
  }
  Owned make() const { return make(content); }

  // Compares bit by bit: NaN keeps its payload.
  void expect_same(Object* self, const Content& expected) const {
    const auto* info = Kind::get_info(self);
    fail_unless(std::memcmp(info, &expected.info, sizeof expected.info) == 0);
    each_array(expected, [&](const auto& array, auto peek, auto take) {
      gsize n = 1;
      const auto* data = peek(self, &n);
      fail_unless_equals_uint64(n, array.size());
      fail_unless(n == 0 || std::memcmp(data, array.data(), n * sizeof *data) == 0);
      fail_unless(n == 0 || data != array.data(), "not a copy");
      fail_unless(reinterpret_cast<guintptr>(data) % alignof(decltype(*data)) == 0);
      g_autoptr(GBytes) bytes = take(self);
      fail_unless_equals_uint64(g_bytes_get_size(bytes), n * sizeof *data);
    });
  }

  // The arrays as GBytes share the object's memory and keep it alive.
  void check_arrays() const {
    Owned self = make();
    fail_unless(GST_IS_MINI_OBJECT_TYPE(self.get(), type()));
    // A copy is another reference.
    GstMiniObject* copy = gst_mini_object_copy(GST_MINI_OBJECT_CAST(self.get()));
    fail_unless(copy == GST_MINI_OBJECT_CAST(self.get()));
    gst_mini_object_unref(copy);
    struct Held {
      GBytes* bytes;
      const void* data;
      Bytes expected;
    };
    std::vector<Held> held;
    each_array(content, [&](const auto& array, auto peek, auto take) {
      gsize n = 0;
      const void* data = peek(self.get(), &n);
      const auto* raw = reinterpret_cast<const guint8*>(array.data());
      held.push_back({take(self.get()), data, {raw, raw + n * sizeof array[0]}});
    });
    ASSERT_MINI_OBJECT_REFCOUNT(self.get(), "object", static_cast<int>(1 + held.size()));
    self.reset();
    for (const Held& one : held) {
      fail_unless(g_bytes_get_data(one.bytes, nullptr) == one.data);
      fail_unless(bytes_in(one.bytes) == one.expected);
      g_bytes_unref(one.bytes);
    }
  }

  // Content modified by `change` is refused with a critical warning that matches `pattern`.
  template <typename Change>
  void refused(const char* pattern, Change change) const {
    refused(pattern, content, change);
  }
  template <typename Change>
  void refused(const char* pattern, Content changed, Change change) const {
    change(changed);
    expect_critical(pattern, [&] { fail_unless(new_object(changed) == nullptr); });
  }

  // --- bytes ------------------------------------------------------------------------------------

  Bytes written(Object* self) const {
    g_autoptr(GBytes) bytes = Kind::to_bytes(self);
    return bytes_in(bytes);
  }
  Bytes written() const { return written(make().get()); }

  // The object read from bytes at an odd address, at the end of their allocation. On null, `text`
  // gets the error's message and `code` its GIOErrorEnum code.
  Owned read(const Bytes& data, std::string* text = nullptr, int* code = nullptr) const {
    const OddBytes odd(data);
    g_autoptr(GBytes) bytes = g_bytes_new_static(odd.data(), odd.size());
    g_autoptr(GError) error = nullptr;
    Owned self(Kind::from_bytes(bytes, &error));
    fail_unless((self == nullptr) == (error != nullptr));
    if (error == nullptr) return self;
    fail_unless(error->domain == G_IO_ERROR && error->message[0] != '\0');
    if (text != nullptr) *text = error->message;
    if (code != nullptr) *code = error->code;
    return self;
  }

  // Bytes overwritten from `at` on are refused with a message that matches `pattern`.
  void refused_bytes(gsize at, const Bytes& with, const char* pattern,
                     int expected = G_IO_ERROR_INVALID_DATA) const {
    refused_bytes(written(), at, with, pattern, expected);
  }
  void refused_bytes(Bytes data, gsize at, const Bytes& with, const char* pattern,
                     int expected = G_IO_ERROR_INVALID_DATA) const {
    std::copy(with.begin(), with.end(), data.begin() + static_cast<std::ptrdiff_t>(at));
    std::string text;
    int code = -1;
    fail_unless(read(data, &text, &code) == nullptr, "byte %zu", at);
    fail_unless(g_pattern_match_simple(pattern, text.c_str()), "byte %zu: %s", at, text.c_str());
    fail_unless_equals_int(code, expected);
  }

  // The round trip is bit-identical, and the object read keeps no pointer into the bytes.
  void check_round_trip() const {
    std::vector<Content> all = others;
    all.push_back(content);
    for (const Content& one : all) {
      const Owned made = make(one);
      expect_same(made.get(), one);
      const Bytes bytes = written(made.get());
      const Owned again = read(bytes);
      fail_unless(again != nullptr);
      expect_same(again.get(), one);
      fail_unless(written(again.get()) == bytes);
    }
  }

  // Reads bytes of another length, version or kind, and with flipped bits.
  void check_damaged() const {
    const Bytes good = written();
    int code = -1;
    for (gsize size = 0; size < good.size(); ++size) {
      fail_unless(read({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}, nullptr,
                       &code) == nullptr,
                  "%zu bytes", size);
      fail_unless_equals_int(code, G_IO_ERROR_INVALID_DATA);
    }
    Bytes longer = good;
    longer.push_back(0);
    fail_unless(read(longer) == nullptr);
    refused_bytes(0, {'r'}, "*expected RDP* and a header of *");
    refused_bytes(3, {'?'}, "*expected RDP* and a header of *");
    refused_bytes(4, {0}, "*of format version 0; this library reads version*",
                  G_IO_ERROR_NOT_SUPPORTED);
    refused_bytes(4, {99}, "*of format version 99; this library reads version*",
                  G_IO_ERROR_NOT_SUPPORTED);
    // One to four flipped bits anywhere give an error, or an object that writes the same bytes.
    constexpr int kTimes = 20000;
    std::mt19937 random(1);
    int accepted = 0;
    for (int i = 0; i < kTimes; ++i) {
      Bytes data = good;
      for (unsigned n = 1 + random() % 4; n > 0; --n) {
        data[random() % data.size()] ^= static_cast<guint8>(1U << random() % 8);
      }
      const Owned self = read(data);
      if (self == nullptr) continue;
      ++accepted;
      fail_unless(written(self.get()) == (as_written != nullptr ? as_written(data) : data));
    }
    fail_unless(accepted > kTimes / 100 && accepted < kTimes * 95 / 100, "%d accepted", accepted);
  }

  // --- on buffers -------------------------------------------------------------------------------

  void expect_placement(GstBuffer* buffer, double scale_x, double scale_y, double offset_x,
                        double offset_y) const {
    const Meta* meta = get_meta(buffer);
    fail_unless(meta != nullptr);
    double found[4] = {};
    get_placement(buffer, meta, &found[0], &found[1], &found[2], &found[3]);
    fail_unless_equals_float(found[0], scale_x);
    fail_unless_equals_float(found[1], scale_y);
    fail_unless_equals_float(found[2], offset_x);
    fail_unless_equals_float(found[3], offset_y);
    get_placement(buffer, meta, nullptr, nullptr, nullptr, nullptr);
  }

  void check_registered() const {
    const GstMetaInfo* info = Kind::meta_info();
    fail_unless(gst_meta_get_info(Kind::kMetaName) == info);
    std::vector<std::string> tags;
    for (auto tag = gst_meta_api_type_get_tags(Kind::meta_api()); *tag != nullptr; ++tag) {
      tags.emplace_back(*tag);
    }
    const std::vector<std::string> expected{"video", "orientation", "size"};
    fail_unless(tags == expected);
  }

  // The buffer and each copy hold a reference and have their own placement; a copied region has
  // none. An empty meta, as a pool leaves it, hides no other.
  void check_copies() const {
    const Owned object = make();
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 30, nullptr);
    fail_unless(get(buffer) == nullptr && get_meta(buffer) == nullptr);
    fail_unless(gst_buffer_add_meta(buffer, Kind::meta_info(), nullptr) != nullptr);
    fail_unless(get(buffer) == nullptr && get_meta(buffer) == nullptr);
    Meta* meta = add(buffer, object.get());
    gst_buffer_add_meta(buffer, Kind::meta_info(), nullptr);
    fail_unless(get_meta(buffer) == meta && get(buffer) == object.get());
    fail_unless(meta->*Kind::kObject == object.get());
    expect_placement(buffer, 1, 1, 0, 0);
    meta->scale_x = 0.5;
    meta->offset_y = 3;
    GstBuffer* shallow = gst_buffer_copy(buffer);
    GstBuffer* deep = gst_buffer_copy_deep(buffer);
    for (GstBuffer* copy : {shallow, deep}) {
      fail_unless(get(copy) == object.get());
      expect_placement(copy, 0.5, 1, 0, 3);
    }
    ASSERT_MINI_OBJECT_REFCOUNT(object.get(), "object", 4);
    GstBuffer* part = gst_buffer_copy_region(buffer, GST_BUFFER_COPY_ALL, 0, 10);
    fail_unless(get_meta(part) == nullptr);
    GstBuffer* shared = gst_buffer_ref(buffer);
    expect_critical("*is_writable*", [&] { fail_unless(add(buffer, object.get()) == nullptr); });
    for (GstBuffer* one : {shallow, deep, part, shared, buffer}) gst_buffer_unref(one);
    ASSERT_MINI_OBJECT_REFCOUNT(object.get(), "object", 1);
  }

  // Each frame of a batch has its own.
  void check_batch() const {
    const Owned front = make();
    const Owned middle = make();
    const Owned back = make();
    g_autoptr(GstBuffer) buffer = gst_buffer_new();
    fail_unless(get_of_batch(buffer, 0) == nullptr);
    fail_unless_equals_int(add(buffer, front.get())->batch_index, 0);
    Meta* meta = add(buffer, back.get());
    meta->batch_index = 2;
    meta->scale_x = 10;
    meta = add(buffer, middle.get());
    meta->batch_index = 1;
    meta->scale_x = 20;
    g_autoptr(GstBuffer) copy = gst_buffer_copy_deep(buffer);
    for (GstBuffer* one : {buffer, copy}) {
      fail_unless(get(one) == front.get() && get_of_batch(one, 0) == front.get());
      fail_unless(get_of_batch(one, 1) == middle.get() && get_of_batch(one, 2) == back.get());
      fail_unless(get_of_batch(one, 3) == nullptr && get_meta_of_batch(one, 3) == nullptr);
      fail_unless_equals_float(get_meta_of_batch(one, 0)->scale_x, 1);
      fail_unless_equals_float(get_meta_of_batch(one, 1)->scale_x, 20);
      fail_unless_equals_float(get_meta_of_batch(one, 2)->scale_x, 10);
    }
  }

  // A buffer that returns to its pool lets go of its object.
  void check_pool() const {
    const Owned object = make();
    g_autoptr(GstBufferPool) pool = gst_buffer_pool_new();
    GstStructure* config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, nullptr, 30, 1, 1);
    fail_unless(gst_buffer_pool_set_config(pool, config));
    fail_unless(gst_buffer_pool_set_active(pool, TRUE));
    for (int i = 0; i < 3; ++i) {
      GstBuffer* buffer = nullptr;
      fail_unless_equals_int(gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr), GST_FLOW_OK);
      fail_unless(get_meta(buffer) == nullptr);
      add(buffer, object.get());
      ASSERT_MINI_OBJECT_REFCOUNT(object.get(), "object", 2);
      gst_buffer_unref(buffer);
      ASSERT_MINI_OBJECT_REFCOUNT(object.get(), "object", 1);
    }
    gst_buffer_pool_set_active(pool, FALSE);
  }

  bool transform(GstBuffer* target, GstBuffer* source, GQuark how, gpointer data) const {
    GstMeta* meta = GST_META_CAST(get_meta(source));
    return meta->info->transform_func(target, meta, source, how, data) != FALSE;
  }

  // An element that crops in place does not transform metadata. The object added to a cropped
  // buffer belongs at the crop's corner, and its placement follows when the crop moves. A scaling
  // element reads the cropped region.
  void check_places() const {
    const Owned object = make();
    g_autoptr(GstBuffer) buffer = gst_buffer_new();
    GstVideoCropMeta* crop = gst_buffer_add_video_crop_meta(buffer);
    crop->x = 20;
    crop->y = 10;
    crop->width = 8;
    crop->height = 6;
    Meta* meta = add(buffer, object.get());
    fail_unless_equals_float(meta->offset_x, 20);
    fail_unless_equals_float(meta->offset_y, 10);
    expect_placement(buffer, 1, 1, 0, 0);
    crop->x = 24;
    expect_placement(buffer, 1, 1, -4, 0);
    fail_unless_equals_float(meta->offset_x, 20);
    expect_critical("*meta*",
                    [&] { get_placement(buffer, nullptr, nullptr, nullptr, nullptr, nullptr); });
    GstVideoInfo in, out, none;
    gst_video_info_set_format(&in, GST_VIDEO_FORMAT_GRAY8, 8, 6);
    gst_video_info_set_format(&out, GST_VIDEO_FORMAT_GRAY8, 24, 12);
    gst_video_info_init(&none);
    const GQuark scale = gst_video_meta_transform_scale_get_quark();
    GstVideoMetaTransform larger = {&in, &out};
    GstVideoMetaTransform of_nothing = {&none, &out};
    g_autoptr(GstBuffer) target = gst_buffer_new();
    fail_if(transform(target, buffer, g_quark_from_static_string("no-such-transform"), nullptr));
    fail_if(transform(target, buffer, scale, &of_nothing));
    fail_unless(get_meta(target) == nullptr);
    fail_unless(transform(target, buffer, scale, &larger));
    fail_unless(get(target) == object.get());
    expect_placement(target, 3, 2, -12, 0);
#if GST_CHECK_VERSION(1, 28, 0)
    // The picture without a margin, in the lower half of the new one.
    const GstVideoRectangle from = {2, 0, 4, 6};
    const GstVideoRectangle to = {0, 6, 24, 6};
    GstVideoMetaTransformMatrix matrix;
    gst_video_meta_transform_matrix_init(&matrix, &in, &from, &out, &to);
    const GQuark by_matrix = gst_video_meta_transform_matrix_get_quark();
    g_autoptr(GstBuffer) placed = gst_buffer_new();
    fail_unless(transform(placed, buffer, by_matrix, &matrix));
    expect_placement(placed, 6, 1, -6 * (4 + 2), 6);
    matrix.matrix[0][1] = 0.1F;
    g_autoptr(GstBuffer) sheared = gst_buffer_new();
    fail_if(transform(sheared, buffer, by_matrix, &matrix));
    fail_unless(get_meta(sheared) == nullptr);
#endif
  }

  // Through an element that scales.
  void check_scaled() const {
    g_autoptr(GstHarness) harness = gst_harness_new_parse(
        "videoscale add-borders=false ! capsfilter caps=video/x-raw,width=16,height=3");
    gst_harness_set_src_caps_str(harness,
                                 "video/x-raw,format=GRAY8,framerate=30/1,width=8,height=6");
    const Owned object = make();
    GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 48, nullptr);
    gst_buffer_memset(buffer, 0, 1, 48);
    GST_BUFFER_PTS(buffer) = 0;
    add(buffer, object.get());
    g_autoptr(GstBuffer) result = gst_harness_push_and_pull(harness, buffer);
    fail_unless(get(result) == object.get());
    expect_placement(result, 2, 0.5, 0, 0);
  }

  // Serialized by GStreamer, with its placement and batch index.
  void check_serialized() const {
#if GST_CHECK_VERSION(1, 24, 0)
    const Owned object = make();
    const Bytes expected = written();
    for (const guint batch_index : {0U, 70000U}) {
      g_autoptr(GstBuffer) buffer = gst_buffer_new();
      Meta* meta = add(buffer, object.get());
      meta->scale_x = -2;
      meta->offset_y = 7;
      meta->batch_index = batch_index;
      g_autoptr(GByteArray) data = g_byte_array_new();
      fail_unless(gst_meta_serialize_simple(GST_META_CAST(meta), data));
      g_autoptr(GstBuffer) target = gst_buffer_new();
      guint32 consumed = 0;
      fail_unless(gst_meta_deserialize(target, data->data, data->len, &consumed) != nullptr);
      fail_unless_equals_int(consumed, data->len);
      expect_placement(target, -2, 1, 0, 7);
      fail_unless_equals_int(get_meta(target)->batch_index, batch_index);
      fail_unless(written(get_of_batch(target, batch_index)) == expected);
      guint8* form =
          std::search(data->data, data->data + data->len, expected.begin(), expected.begin() + 4);
      fail_unless(form != data->data + data->len);
      *form = 'r';
      g_autoptr(GstBuffer) other = gst_buffer_new();
      fail_unless(gst_meta_deserialize(other, data->data, data->len, &consumed) == nullptr);
      fail_unless(get_meta(other) == nullptr);
    }
#endif
  }

  // All of it.
  void check() const {
    check_arrays();
    check_round_trip();
    check_damaged();
    check_registered();
    check_copies();
    check_batch();
    check_pool();
    check_places();
    check_scaled();
    check_serialized();
  }
};

}  // namespace rdp::test

#endif  // RDP_TESTS_LIBRARY_KIND_ROW_H_
