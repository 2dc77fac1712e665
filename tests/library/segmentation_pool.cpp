// SPDX-License-Identifier: LGPL-2.1-or-later
// The pool that segmentations go back to.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdpsegmentationpool.h>

#include "tests/support/segmentation_fixture.h"

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

static Suite* segmentation_pool_suite(void) {
  Suite* suite = suite_create("segmentation_pool");
  TCase* tcase = tcase_create("pool");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_pool_recycles);
  tcase_add_test(tcase, test_pool_keeps_some);
  tcase_add_test(tcase, test_pool_outlived);
  tcase_add_test(tcase, test_pool_threads);
  return suite;
}

GST_CHECK_MAIN(segmentation_pool)
