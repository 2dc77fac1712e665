// SPDX-License-Identifier: LGPL-2.1-or-later
// GstRdpFileMeta on a buffer, its copies and its transforms.
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <string>
#include <tuple>

#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

namespace {

const char* name_on(GstBuffer* buffer) {
  const GstRdpFileMeta* meta = gst_buffer_get_rdp_file_meta(buffer);
  return meta == nullptr ? "none" : meta->name;
}

}  // namespace

CHECK_TEST(test_registered) {
  const GstMetaInfo* info = gst_rdp_file_meta_get_info();
  fail_unless(info != nullptr && info == gst_rdp_file_meta_get_info());
  fail_unless(gst_meta_get_info("GstRdpFileMeta") == info);
  // No picture transform changes the file, so the meta has no tags.
  const gchar* const* tags = gst_meta_api_type_get_tags(GST_RDP_FILE_META_API_TYPE);
  fail_unless(tags == nullptr || *tags == nullptr);
}

CHECK_TEST(test_on_a_buffer) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, 16, nullptr);
  fail_unless(gst_buffer_get_rdp_file_meta(buffer) == nullptr);
  GstRdpFileMeta* meta = nullptr;
  {
    std::string name = "a b.png";
    meta = gst_buffer_add_rdp_file_meta(buffer, name.c_str());
    name = "another";
  }
  fail_unless_equals_text(name_on(buffer), "a b.png");
  // A new name replaces the old one; any bytes are valid.
  fail_unless(gst_buffer_add_rdp_file_meta(buffer, "\xff/\n\"") == meta);
  fail_unless_equals_text(name_on(buffer), "\xff/\n\"");
  fail_unless_equals_int(gst_buffer_get_n_meta(buffer, GST_RDP_FILE_META_API_TYPE), 1);
}

// Copies of a whole buffer or a part of it have the same name, in the same memory.
CHECK_TEST(test_copies) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, 16, nullptr);
  gst_buffer_add_rdp_file_meta(buffer, "1.png");
  const char* name = name_on(buffer);
  g_autoptr(GstBuffer) shallow = gst_buffer_copy(buffer);
  g_autoptr(GstBuffer) deep = gst_buffer_copy_deep(buffer);
  g_autoptr(GstBuffer) part = gst_buffer_copy_region(buffer, GST_BUFFER_COPY_ALL, 3, 5);
  for (GstBuffer* copy : {shallow, deep, part}) fail_unless(name_on(copy) == name);
  g_clear_pointer(&buffer, gst_buffer_unref);
  fail_unless_equals_text(name_on(deep), "1.png");
  // An output with a name keeps it: the name of its main input.
  g_autoptr(GstBuffer) other = gst_buffer_new();
  gst_buffer_add_rdp_file_meta(other, "2.png");
  gst_buffer_copy_into(other, deep, GST_BUFFER_COPY_META, 0, static_cast<gsize>(-1));
  fail_unless_equals_text(name_on(other), "2.png");
}

// Scaling, mirroring and any other transform keep the name.
CHECK_TEST(test_transforms) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  GstMeta* meta = &gst_buffer_add_rdp_file_meta(buffer, "1.png")->meta;
  GstVideoInfo info;
  gst_video_info_set_format(&info, GST_VIDEO_FORMAT_GRAY8, 4, 4);
  GstVideoMetaTransform scale = {&info, &info};
  g_autoptr(GstBuffer) scaled = gst_buffer_new();
  fail_unless(meta->info->transform_func(scaled, meta, buffer,
                                         gst_video_meta_transform_scale_get_quark(), &scale));
  fail_unless_equals_text(name_on(scaled), "1.png");
}

// From one process to another.
#if GST_CHECK_VERSION(1, 24, 0)
CHECK_TEST(test_serialized) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  const GstMeta* meta = &gst_buffer_add_rdp_file_meta(buffer, "\xff/1.png")->meta;
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  fail_unless(gst_meta_serialize_simple(meta, bytes));
  g_autoptr(GstBuffer) other = gst_buffer_new();
  guint32 consumed = 0;
  fail_unless(gst_meta_deserialize(other, bytes->data, bytes->len, &consumed) != nullptr);
  fail_unless_equals_text(name_on(other), "\xff/1.png");
  // Invalid serialized names.
  const GstMetaInfo* info = gst_rdp_file_meta_get_info();
  for (const auto& [data, size, version] : {std::tuple{"a\0b", 3, 1}, {"", 0, 1}, {"abc", 3, 2}}) {
    g_autoptr(GstBuffer) none = gst_buffer_new();
    fail_unless(info->deserialize_func(info, none, reinterpret_cast<const guint8*>(data),
                                       static_cast<gsize>(size),
                                       static_cast<guint8>(version)) == nullptr);
    fail_unless(gst_buffer_get_rdp_file_meta(none) == nullptr);
  }
}
#endif

CHECK_CASE(filemeta)
