// SPDX-License-Identifier: LGPL-2.1-or-later
// The segmentation object, its pool and its serialised form. For its metadata: segmentmeta.cpp.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdpsegmentationpool.h>

#include "tests/check/segmentation_fixture.h"

extern "C" int use_library_from_c(void);

GST_START_TEST(test_content) {
  GstRdpSegmentation* self = new_three_columns(7);
  fail_unless(GST_IS_RDP_SEGMENTATION(self));
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 3);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(self), 3);

  const GstRdpSegmentationInfo* info = gst_rdp_segmentation_get_info(self);
  fail_unless_equals_uint64(info->frame, 7);
  fail_unless_equals_int(info->width, 3);
  fail_unless_equals_int(info->height, 10);
  fail_unless_equals_float(info->epsilon, 4.0);
  fail_unless_equals_float(info->sample_scale, 1.0);
  fail_unless_equals_int(info->min_value, 1);
  fail_unless_equals_int(info->max_value, 65535);
  fail_unless_equals_int(info->domain, GST_RDP_DOMAIN_LINEAR);
  fail_unless_equals_int(info->median, GST_RDP_MEDIAN_NONE);
  fail_unless_equals_int(info->column_width, 1);
  fail_unless_equals_float(info->merge_cost, 0.0);
  fail_unless_equals_int(info->max_gap, 0);
  fail_unless(!info->refine && !info->merge && !info->classify);
  fail_unless_equals_float(info->ground_slope, 0.0);
  fail_unless_equals_float(info->far_value, -1.0);

  gsize n = 99;
  const GstRdpSegment* column = gst_rdp_segmentation_get_column(self, 0, &n);
  fail_unless_equals_int(n, 2);
  fail_unless_equals_int(column[1].first_row, 4);
  fail_unless_equals_int(column[1].last_row, 9);
  fail_unless_equals_float(column[1].first_value, 20);
  fail_unless_equals_float(column[1].last_value, 7);
  gst_rdp_segmentation_get_column(self, 1, &n);
  fail_unless_equals_int(n, 0);
  column = gst_rdp_segmentation_get_column(self, 2, &n);
  fail_unless_equals_int(n, 1);
  fail_unless_equals_int(column->first_row, 3);

  gsize n_offsets = 0;
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(self, &n_offsets);
  const std::array<guint32, 4> expected{0, 2, 2, 3};
  fail_unless(std::equal(expected.begin(), expected.end(), offsets, offsets + n_offsets));
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(self, &n);
  fail_unless_equals_int(n, 3);
  fail_unless(segments + 2 == column);

  n = 99;
  expect_critical("*column <*",
                  [&] { fail_unless(gst_rdp_segmentation_get_column(self, 3, &n) == nullptr); });
  fail_unless_equals_int(n, 0);
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

GST_START_TEST(test_column_width) {
  GstRdpSegmentationInfo info = info_of(33, 4);
  info.column_width = 16;
  GstRdpSegmentation* self = new_segmentation(info, {{}, {{0, 3, 1, 2}}, {}});
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 3);
  gst_rdp_segmentation_unref(self);
  expect_critical("*rounded up*", [&] {
    fail_unless(new_segmentation(info, {{}, {}}) == nullptr);
  });
}
GST_END_TEST;

static void refuse(const GstRdpSegmentationInfo& info, const Columns& columns, const char* reason) {
  expect_critical(reason, [&] { fail_unless(new_segmentation(info, columns) == nullptr); });
}

GST_START_TEST(test_new_refuses) {
  const Columns none(3);
  const GstRdpSegmentationInfo good = info_of(3, 10);
  gst_rdp_segmentation_unref(new_segmentation(good, none));

  const auto with = [&](const char* reason, auto change) {
    GstRdpSegmentationInfo info = good;
    change(info);
    refuse(info, none, reason);
  };
  with("*width*1 to 16384", [](auto& info) { info.width = 0; });
  with("*there must be width*", [](auto& info) { info.width = 4; });
  with("*width*1 to 16384", [](auto& info) { info.width = 16385; });
  with("*height*1 to 16384", [](auto& info) { info.height = 0; });
  with("*height*1 to 16384", [](auto& info) { info.height = 16385; });
  with("*epsilon*", [](auto& info) { info.epsilon = -1; });
  with("*epsilon*", [](auto& info) { info.epsilon = NAN; });
  with("*sample_scale*", [](auto& info) { info.sample_scale = 0; });
  with("*inverse_scale*", [](auto& info) { info.inverse_scale = INFINITY; });
  with("*inverse_scale*", [](auto& info) {
    info.inverse_scale = 0;
    info.domain = GST_RDP_DOMAIN_INVERSE;
  });
  with("*column_width*", [](auto& info) { info.column_width = 0; });
  with("*column_width*", [](auto& info) { info.column_width = 17; });
  with("*merge_cost*", [](auto& info) { info.merge_cost = -1; });
  with("*merge_cost*", [](auto& info) { info.merge_cost = INFINITY; });
  with("*max_gap*", [](auto& info) { info.max_gap = 16385; });
  with("*ground_slope*", [](auto& info) { info.ground_slope = -1; });
  with("*ground_slope*", [](auto& info) { info.ground_slope = INFINITY; });
  with("*far_value*", [](auto& info) { info.far_value = NAN; });
  const guint32 wrong = 2;
  with("*domain*", [&](auto& info) { std::memcpy(&info.domain, &wrong, sizeof wrong); });
  with("*median*", [&](auto& info) { std::memcpy(&info.median, &wrong, sizeof wrong); });

  refuse(good, {{{4, 3, 1, 1}}, {}, {}}, "*ends above*");
  refuse(good, {{{0, 10, 1, 1}}, {}, {}}, "*below the frame*");
  refuse(good, {{}, {{0, 4, 1, 1}, {3, 9, 1, 1}}, {}}, "*overlap*");
  refuse(good, {{{0, 1, NAN, 1}}, {}, {}}, "*finite*");
  refuse(good, {{{0, 1, 1, -INFINITY}}, {}, {}}, "*finite*");
  refuse(good, {std::vector<GstRdpSegment>(11, {5, 5, 1, 1}), {}, {}}, "*more segments than rows*");

  const GstRdpSegment segment{0, 1, 1, 1};
  const auto refuse_offsets = [&](const std::vector<guint32>& offsets, const char* reason) {
    expect_critical(reason, [&] {
      fail_unless(gst_rdp_segmentation_new(&good, offsets.data(), offsets.size(), &segment, 1) ==
                  nullptr);
    });
  };
  refuse_offsets({0, 1, 1}, "*rounded up*");
  refuse_offsets({0, 0, 0, 0}, "*last offset*");
  refuse_offsets({1, 1, 1, 1}, "*first offset*");
  refuse_offsets({0, 1, 0, 1}, "*smaller*");
  refuse_offsets({0, 4000000000U, 1, 1}, "*smaller*");
}
GST_END_TEST;

GST_START_TEST(test_bytes_are_the_memory) {
  GstRdpSegmentation* self = new_three_columns();
  gsize n = 0;
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(self, &n);
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(self, &n);

  GBytes* segment_bytes = gst_rdp_segmentation_get_segments(self);
  GBytes* offset_bytes = gst_rdp_segmentation_get_offsets(self);
  ASSERT_MINI_OBJECT_REFCOUNT(self, "segmentation", 3);
  gst_rdp_segmentation_unref(self);
  gsize size = 0;
  fail_unless(g_bytes_get_data(segment_bytes, &size) == segments);
  fail_unless_equals_int(size, 36);
  fail_unless(g_bytes_get_data(offset_bytes, &size) == offsets);
  fail_unless_equals_int(size, 16);
  fail_unless_equals_int(segments[2].first_row, 3);
  g_bytes_unref(segment_bytes);
  g_bytes_unref(offset_bytes);
}
GST_END_TEST;

GST_START_TEST(test_immutable) {
  GstRdpSegmentation* self = new_three_columns();
  GstMiniObject* copy = gst_mini_object_copy(GST_MINI_OBJECT_CAST(self));
  fail_unless(copy == GST_MINI_OBJECT_CAST(self));
  ASSERT_MINI_OBJECT_REFCOUNT(self, "segmentation", 2);

  // What others read may not be filled any more.
  expect_critical("*is_writable*",
                  [&] { fail_unless(gst_rdp_segmentation_list(self) == nullptr); });
  const GstRdpSegmentationInfo info = info_of(1, 1);
  expect_critical("*is_writable*", [&] { gst_rdp_segmentation_set_info(self, &info); });
  fail_unless_equals_int(gst_rdp_segmentation_get_info(self)->width, 3);
  gst_mini_object_unref(copy);

  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_RDP_SEGMENTATION);
  g_value_take_boxed(&value, self);
  fail_unless(g_value_get_boxed(&value) == self);
  g_value_unset(&value);
}
GST_END_TEST;

// Fills `self` as rdpsegment does.
static void fill(GstRdpSegmentation* self, guint64 frame, guint columns) {
  GstRdpSegmentationInfo info = info_of(columns, 10);
  info.frame = frame;
  gst_rdp_segmentation_set_info(self, &info);
  rdp::SegmentList* list = gst_rdp_segmentation_list(self);
  guint32* offsets = list->resize_columns(static_cast<int>(columns));
  for (guint c = 0; c <= columns; ++c) offsets[c] = c;
  rdp::Segment* segments = list->resize_segments();
  for (guint c = 0; c < columns; ++c) segments[c] = {0, 9, static_cast<float>(frame), 1};
}

static void count_call(gpointer counter, GstMiniObject* object) {
  ++*static_cast<std::atomic<int>*>(counter);
}

GST_START_TEST(test_pool_recycles) {
  std::atomic<int> finalized = 0;
  std::atomic<int> freed = 0;
  GstRdpSegmentationPool* pool = gst_rdp_segmentation_pool_new();
  GstRdpSegmentation* one = gst_rdp_segmentation_pool_acquire(pool);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(one), 0);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(one), 0);
  fill(one, 5, 100);
  gsize n = 0;
  const GstRdpSegment* memory = gst_rdp_segmentation_peek_segments(one, &n);
  gst_mini_object_weak_ref(GST_MINI_OBJECT_CAST(one), count_call, &finalized);
  gst_mini_object_set_qdata(GST_MINI_OBJECT_CAST(one), g_quark_from_static_string("test"), &freed,
                            [](gpointer data) { ++*static_cast<std::atomic<int>*>(data); });
  GBytes* bytes = gst_rdp_segmentation_get_segments(one);
  gst_rdp_segmentation_unref(one);
  fail_unless_equals_int(finalized, 0);
  g_bytes_unref(bytes);
  fail_unless_equals_int(finalized, 1);
  fail_unless_equals_int(freed, 1);

  // The same memory, and nothing of what it held.
  GstRdpSegmentation* other = gst_rdp_segmentation_pool_acquire(pool);
  fail_unless(other == one);
  ASSERT_MINI_OBJECT_REFCOUNT(other, "segmentation", 1);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(other), 0);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(other), 0);
  fail_unless_equals_int(gst_rdp_segmentation_get_info(other)->width, 0);
  fail_unless(gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(other),
                                        g_quark_from_static_string("test")) == nullptr);
  fill(other, 6, 90);
  fail_unless(gst_rdp_segmentation_peek_segments(other, &n) == memory);
  gst_rdp_segmentation_unref(other);
  fail_unless_equals_int(finalized, 1);
  gst_rdp_segmentation_pool_unref(pool);
}
GST_END_TEST;

GST_START_TEST(test_pool_keeps_some) {
  constexpr int kMore = 20;
  constexpr int kKept = 16;
  GstRdpSegmentationPool* pool = gst_rdp_segmentation_pool_new();
  std::vector<GstRdpSegmentation*> out;
  for (int i = 0; i < kMore; ++i) out.push_back(gst_rdp_segmentation_pool_acquire(pool));
  fail_unless_equals_int(std::set(out.begin(), out.end()).size(), kMore);
  for (int i = 0; i < kMore; ++i) fill(out[i], i, 8);
  for (GstRdpSegmentation* self : out) gst_rdp_segmentation_unref(self);

  // Those that came back first are kept, and given out in the opposite order.
  for (int i = kKept - 1; i >= 0; --i) {
    GstRdpSegmentation* self = gst_rdp_segmentation_pool_acquire(pool);
    fail_unless(self == out[i]);
    out[i] = self;
  }
  for (int i = 0; i < kKept; ++i) gst_rdp_segmentation_unref(out[i]);
  gst_rdp_segmentation_pool_unref(pool);
}
GST_END_TEST;

GST_START_TEST(test_pool_outlived) {
  GstRdpSegmentationPool* pool = gst_rdp_segmentation_pool_new();
  std::array<GstRdpSegmentation*, 3> out{};
  for (auto& self : out) fill(self = gst_rdp_segmentation_pool_acquire(pool), 3, 8);
  gst_rdp_segmentation_unref(out[0]);
  gst_rdp_segmentation_pool_unref(pool);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(out[1]), 8);
  gst_rdp_segmentation_unref(out[1]);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_segments(out[2]), 8);
  gst_rdp_segmentation_unref(out[2]);
}
GST_END_TEST;

// A queue of C++, since the thread sanitizer does not see how GLib's synchronises.
class Queue {
 public:
  void push(GstRdpSegmentation* self) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(self);
    pushed_.notify_one();
  }
  GstRdpSegmentation* pop() {
    std::unique_lock lock(mutex_);
    pushed_.wait(lock, [&] { return !waiting_.empty(); });
    GstRdpSegmentation* self = waiting_.front();
    waiting_.pop_front();
    return self;
  }

 private:
  std::mutex mutex_;
  std::condition_variable pushed_;
  std::deque<GstRdpSegmentation*> waiting_;
};

// What one thread makes another lets go of, while the owner of the pool goes away.
GST_START_TEST(test_pool_threads) {
  constexpr int kProducers = 3;
  constexpr int kFrames = 5000;
  GstRdpSegmentationPool* pool = gst_rdp_segmentation_pool_new();
  Queue queue;
  std::atomic<int> finalized = 0;
  std::atomic<bool> wrong = false;

  std::vector<std::thread> threads;
  for (int p = 0; p < kProducers; ++p) {
    threads.emplace_back([&, p] {
      for (int i = 0; i < kFrames; ++i) {
        GstRdpSegmentation* self = gst_rdp_segmentation_pool_acquire(pool);
        gst_mini_object_weak_ref(GST_MINI_OBJECT_CAST(self), count_call, &finalized);
        fill(self, p * kFrames + i, 1 + i % 50);
        queue.push(self);
      }
    });
  }
  std::thread consumer([&] {
    for (int i = 0; i < kProducers * kFrames; ++i) {
      GstRdpSegmentation* self = queue.pop();
      const auto frame = gst_rdp_segmentation_get_info(self)->frame;
      const guint columns = gst_rdp_segmentation_get_n_columns(self);
      gsize n = 0;
      const GstRdpSegment* last = gst_rdp_segmentation_get_column(self, columns - 1, &n);
      if (columns != 1 + frame % kFrames % 50 || n != 1 ||
          last->first_value != static_cast<float>(frame)) {
        wrong = true;
      }
      gst_rdp_segmentation_unref(self);
    }
  });
  for (std::thread& thread : threads) thread.join();
  gst_rdp_segmentation_pool_unref(pool);
  consumer.join();
  fail_if(wrong);
  fail_unless_equals_int(finalized, kProducers * kFrames);
}
GST_END_TEST;

static std::vector<guint8> serialized(GstRdpSegmentation* self) {
  GBytes* bytes = gst_rdp_segmentation_to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  std::vector<guint8> result(data, data + size);
  g_bytes_unref(bytes);
  return result;
}

// Reads `data`, which must give an object that is serialised as the same bytes, or an error. The
// bytes are given as an allocation of their exact size, so that sanitizers see every read beyond
// them.
static bool reads(const std::vector<guint8>& data, int* code = nullptr) {
  GBytes* bytes = g_bytes_new(data.data(), data.size());
  GError* error = nullptr;
  GstRdpSegmentation* self = gst_rdp_segmentation_new_from_bytes(bytes, &error);
  g_bytes_unref(bytes);
  if (self == nullptr) {
    fail_unless(error != nullptr);
    fail_unless(error->domain == G_IO_ERROR);
    fail_unless(error->message[0] != '\0');
    if (code != nullptr) *code = error->code;
    g_error_free(error);
    return false;
  }
  fail_unless(error == nullptr);
  fail_unless(serialized(self) == data);
  gst_rdp_segmentation_unref(self);
  return true;
}

// A road of half a step a row under a wall and the sky, in both columns.
GST_START_TEST(test_classes) {
  GstRdpSegmentationInfo info = info_of(2, 100);
  info.sample_scale = 0.5;
  const Columns columns(2,
                        {{0, 20, 1, 1}, {21, 50, 40, 40}, {51, 60, 90, 70}, {61, 99, 30.5, 49.5}});
  GstRdpSegmentation* self = new_segmentation(info, columns);
  gsize n = 99;
  gdouble slope = 9;
  gdouble horizon = 9;
  fail_unless(gst_rdp_segmentation_peek_classes(self, &n) == nullptr);
  fail_unless_equals_int(n, 0);
  fail_unless(gst_rdp_segmentation_get_classes(self) == nullptr);
  fail_if(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless(slope == 0 && horizon == 0);
  gst_rdp_segmentation_unref(self);

  info.classify = TRUE;
  self = new_segmentation(info, columns);
  fail_unless(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless(std::abs(slope - 0.25) < 0.0005, "%f", slope);  // in the unit of epsilon
  fail_unless(std::abs(horizon) <= 1.0, "%f", horizon);
  fail_unless(gst_rdp_segmentation_get_ground(self, nullptr, nullptr));
  const guint8* classes = gst_rdp_segmentation_peek_classes(self, &n);
  const std::vector<guint8> expected{GST_RDP_SEGMENT_CLASS_FAR,   GST_RDP_SEGMENT_CLASS_UPRIGHT,
                                     GST_RDP_SEGMENT_CLASS_OTHER, GST_RDP_SEGMENT_CLASS_GROUND,
                                     GST_RDP_SEGMENT_CLASS_FAR,   GST_RDP_SEGMENT_CLASS_UPRIGHT,
                                     GST_RDP_SEGMENT_CLASS_OTHER, GST_RDP_SEGMENT_CLASS_GROUND};
  fail_unless(std::vector<guint8>(classes, classes + n) == expected);
  // The bytes are the same memory, and live on without the segmentation.
  GBytes* bytes = gst_rdp_segmentation_get_classes(self);
  fail_unless(g_bytes_get_data(bytes, &n) == classes);
  fail_unless_equals_int(n, 8);
  gst_rdp_segmentation_unref(self);
  fail_unless_equals_int(static_cast<const guint8*>(g_bytes_get_data(bytes, &n))[3],
                         GST_RDP_SEGMENT_CLASS_GROUND);
  g_bytes_unref(bytes);

  // As told: nothing is as steep as this ground, and nothing is far.
  info.ground_slope = 5;
  info.far_value = 0;
  self = new_segmentation(info, columns);
  fail_unless(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  fail_unless_equals_float(slope, 5);
  fail_unless(std::isinf(horizon));
  classes = gst_rdp_segmentation_peek_classes(self, &n);
  for (gsize i = 0; i < 8; ++i) fail_unless_equals_int(classes[i], GST_RDP_SEGMENT_CLASS_UPRIGHT);
  gst_rdp_segmentation_unref(self);

  // Without segments there are classes of none.
  info = info_of(3, 10);
  info.classify = TRUE;
  self = new_segmentation(info, Columns(3));
  fail_unless(gst_rdp_segmentation_peek_classes(self, &n) != nullptr);
  fail_unless_equals_int(n, 0);
  fail_if(gst_rdp_segmentation_get_ground(self, &slope, &horizon));
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

static GstRdpSegmentation* new_with_everything() {
  GstRdpSegmentationInfo info = info_of(5, 16384);
  info.frame = G_MAXUINT64 - 1;
  info.epsilon = 0.1;
  info.sample_scale = 1.0 / 256;
  info.min_value = 2;
  info.max_value = 60000;
  info.domain = GST_RDP_DOMAIN_INVERSE;
  info.inverse_scale = 1e5;
  info.median = GST_RDP_MEDIAN_5X5;
  info.column_width = 2;
  info.merge_cost = 0.3;
  info.max_gap = 7;
  info.refine = TRUE;
  info.merge = TRUE;
  info.classify = TRUE;
  info.ground_slope = 0.25;
  info.far_value = 3;
  return new_segmentation(info,
                          {{{0, 1, 1.5F, 65535}, {2, 16383, 65535, 1e-30F}}, {}, {{7, 7, 3, 3}}});
}

GST_START_TEST(test_serialized_form) {
  // Written down here byte by byte: what is stored today must be readable for ever.
  GstRdpSegmentationInfo info = info_of(2, 3);
  info.frame = 0x0102030405060708;
  GstRdpSegmentation* self = new_segmentation(info, {{{1, 2, 1, 2}}, {}});
  const std::vector<guint8> expected{
      'R', 'D', 'P', 'S', 1,    0,    0,    0,                     // version
      8,   7,   6,   5,   4,    3,    2,    1,                     // frame
      2,   0,   0,   0,   3,    0,    0,    0,                     // width, height
      0,   0,   0,   0,   0,    0,    0x10, 0x40,                  // epsilon 4
      0,   0,   0,   0,   0,    0,    0xf0, 0x3f,                  // sample scale 1
      1,   0,   0,   0,   0xff, 0xff, 0,    0,                     // min, max
      0,   0,   0,   0,   0,    0,    0,    0,                     // domain, median
      0,   0,   0,   0,   0x80, 0x84, 0x2e, 0x41,                  // inverse scale 1e6
      1,   0,   0,   0,   2,    0,    0,    0,                     // column width, columns
      1,   0,   0,   0,   0,    0,    0,    0,                     // segments
      0,   0,   0,   0,   1,    0,    0,    0,    1, 0, 0, 0,      // offsets
      1,   0,   2,   0,   0,    0,    0x80, 0x3f, 0, 0, 0, 0x40};  // rows, values
  fail_unless(serialized(self) == expected);
  fail_unless(reads(expected));
  gst_rdp_segmentation_unref(self);

  // What is done after the split makes it version 2, whose header is longer.
  const auto expect_added = [&](auto change, std::vector<guint8> added, guint8 version = 2) {
    GstRdpSegmentationInfo changed = info;
    change(changed);
    GstRdpSegmentation* refined = new_segmentation(changed, {{{1, 2, 1, 2}}, {}});
    std::vector<guint8> longer = expected;
    longer[4] = version;
    longer.insert(longer.begin() + 80, added.begin(), added.end());
    fail_unless(serialized(refined) == longer);
    fail_unless(reads(longer));
    gst_rdp_segmentation_unref(refined);
  };
  expect_added([](auto& i) { i.merge_cost = 4; },
               {0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0, 0});
  expect_added([](auto& i) { i.max_gap = 258; }, {0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0});
  expect_added([](auto& i) { i.refine = TRUE; }, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  expect_added([](auto& i) { i.merge = TRUE; }, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0});
  // Classes make it version 3, longer once more.
  expect_added([](auto& i) { i.classify = TRUE; },
               {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0,    0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf},
               3);
  expect_added(
      [](auto& i) {
        i.ground_slope = 4;
        i.far_value = 1;
        i.refine = TRUE;
      },
      {0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0, 1, 0, 0,    0,
       0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f},
      3);
}
GST_END_TEST;

GST_START_TEST(test_serialized_round_trip) {
  GstRdpSegmentation* self = new_with_everything();
  GBytes* bytes = gst_rdp_segmentation_to_bytes(self);
  GError* error = nullptr;
  GstRdpSegmentation* other = gst_rdp_segmentation_new_from_bytes(bytes, &error);
  g_assert_no_error(error);
  fail_if(other == self);
  const GstRdpSegmentationInfo* a = gst_rdp_segmentation_get_info(self);
  const GstRdpSegmentationInfo* b = gst_rdp_segmentation_get_info(other);
  fail_unless(std::memcmp(a, b, sizeof *a) == 0);
  GBytes* a_segments = gst_rdp_segmentation_get_segments(self);
  GBytes* b_segments = gst_rdp_segmentation_get_segments(other);
  fail_unless(g_bytes_equal(a_segments, b_segments));
  g_bytes_unref(a_segments);
  g_bytes_unref(b_segments);
  g_bytes_unref(bytes);
  gst_rdp_segmentation_unref(self);
  gst_rdp_segmentation_unref(other);
}
GST_END_TEST;

GST_START_TEST(test_serialized_corrupt) {
  GstRdpSegmentation* self = new_with_everything();
  const std::vector<guint8> good = serialized(self);
  gst_rdp_segmentation_unref(self);
  fail_unless(reads(good));

  int code = -1;
  for (gsize size = 0; size < good.size(); ++size) {
    fail_if(reads({good.begin(), good.begin() + size}, &code), "%" G_GSIZE_FORMAT " bytes", size);
    fail_unless_equals_int(code, G_IO_ERROR_INVALID_DATA);
  }
  std::vector<guint8> longer = good;
  longer.push_back(0);
  fail_if(reads(longer));

  // Any one to four bits, anywhere.
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<guint8> data = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      data[random() % data.size()] ^= static_cast<guint8>(1U << random() % 8);
    }
    accepted += reads(data) ? 1 : 0;
  }
  // Values and parameters may be anything, sizes and rows may not.
  fail_unless(accepted > 1000 && accepted < 19000, "%d accepted", accepted);
}
GST_END_TEST;

GST_START_TEST(test_serialized_refused) {
  GstRdpSegmentation* self = new_three_columns();
  std::vector<guint8> good = serialized(self);
  gst_rdp_segmentation_unref(self);
  const auto refused = [&](gsize at, std::initializer_list<guint8> bytes, int expected) {
    std::vector<guint8> data = good;
    std::copy(bytes.begin(), bytes.end(), data.begin() + at);
    int code = -1;
    fail_if(reads(data, &code), "at %" G_GSIZE_FORMAT, at);
    fail_unless_equals_int(code, expected);
  };
  const int invalid = G_IO_ERROR_INVALID_DATA;
  refused(0, {'r'}, invalid);
  refused(4, {0}, G_IO_ERROR_NOT_SUPPORTED);
  refused(4, {4}, G_IO_ERROR_NOT_SUPPORTED);
  refused(4, {2}, invalid);  // the offsets are no header
  refused(4, {3}, invalid);
  refused(16, {0}, invalid);           // width
  refused(18, {1}, invalid);           // width 65539
  refused(20, {9}, invalid);           // height: a segment ends in row 9
  refused(30, {0xf8, 0x7f}, invalid);  // epsilon NaN
  refused(39, {0xbf}, invalid);        // sample scale -1
  refused(48, {2}, invalid);           // domain
  refused(52, {4}, invalid);           // median
  refused(64, {0}, invalid);           // column width
  refused(64, {2}, invalid);           // column width, not the columns
  refused(68, {4}, invalid);           // columns
  refused(71, {0xff}, invalid);        // columns
  refused(72, {4}, invalid);           // segments: more than the bytes hold
  refused(72, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, invalid);
  refused(76, {0x56, 0x55, 0x55, 0x55}, invalid);  // 12 * this wraps
  refused(80, {1}, invalid);                       // first offset
  refused(84, {3}, invalid);                       // offsets fall
  refused(84, {0xff, 0xff, 0xff, 0xff}, invalid);
  refused(92, {2}, invalid);            // last offset
  refused(96, {5}, invalid);            // first row after last row
  refused(98, {5}, invalid);            // overlap with the next
  refused(111, {0xff}, invalid);        // last row 65289
  refused(102, {0x80, 0x7f}, invalid);  // value infinity

  // Longer headers.
  self = new_with_everything();
  good = serialized(self);
  gst_rdp_segmentation_unref(self);
  refused(86, {0xf8, 0x7f}, invalid);   // merge cost NaN
  refused(88, {1, 0x40}, invalid);      // max gap 16385
  refused(92, {15}, invalid);           // a flag that nobody knows
  refused(95, {0x80}, invalid);         // another
  refused(103, {0xbf}, invalid);        // ground slope -0.25
  refused(102, {0xf8, 0x7f}, invalid);  // NaN
  refused(110, {0xf0, 0x7f}, invalid);  // far value infinite
  good.erase(good.begin() + 96, good.begin() + 112);
  good[4] = 2;
  refused(92, {7}, invalid);  // version 2 knows no classes
  good[92] = 3;
  fail_unless(reads(good));
}
GST_END_TEST;

GST_START_TEST(test_from_c) { fail_unless_equals_int(use_library_from_c(), 0); }
GST_END_TEST;

static Suite* segmentation_suite(void) {
  Suite* suite = suite_create("segmentation");
  TCase* object = tcase_create("object");
  suite_add_tcase(suite, object);
  tcase_add_test(object, test_content);
  tcase_add_test(object, test_column_width);
  tcase_add_test(object, test_new_refuses);
  tcase_add_test(object, test_bytes_are_the_memory);
  tcase_add_test(object, test_immutable);
  tcase_add_test(object, test_classes);
  tcase_add_test(object, test_from_c);
  TCase* pool = tcase_create("pool");
  suite_add_tcase(suite, pool);
  tcase_add_test(pool, test_pool_recycles);
  tcase_add_test(pool, test_pool_keeps_some);
  tcase_add_test(pool, test_pool_outlived);
  tcase_add_test(pool, test_pool_threads);
  TCase* form = tcase_create("serialized");
  suite_add_tcase(suite, form);
  tcase_add_test(form, test_serialized_form);
  tcase_add_test(form, test_serialized_round_trip);
  tcase_add_test(form, test_serialized_corrupt);
  tcase_add_test(form, test_serialized_refused);
  return suite;
}

GST_CHECK_MAIN(segmentation)
