// SPDX-License-Identifier: LGPL-2.1-or-later
// Segmentations whose arrays are elsewhere until somebody reads them.
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdpsegmentationpool.h>

#include "tests/support/segmentation_fixture.h"

namespace {

// Three columns of 10 rows with one segment each, whose values are the frame's number.
class Remote : public rdp::meta::RemoteArrays {
 public:
  Remote(std::atomic<int>* fetched, std::atomic<int>* alive) : fetched_(fetched), alive_(alive) {
    ++*alive_;
  }
  ~Remote() override { --*alive_; }

  bool fetch(rdp::SegmentList* host, std::string* reason) noexcept override {
    ++*fetched_;
    std::uint32_t* offsets = host->resize_columns(3);
    for (std::uint32_t c = 0; c <= 3; ++c) offsets[c] = broken ? 12345 : c;
    if (broken) {
      *reason = "the wire is cut";
      return false;
    }
    rdp::Segment* segments = host->resize_segments();
    for (int c = 0; c < 3; ++c) segments[c] = {0, 9, frame, 1};
    return true;
  }

  float frame = 0;
  bool broken = false;

 private:
  std::atomic<int>* fetched_;
  std::atomic<int>* alive_;
};

struct Fixture {
  ~Fixture() {
    gst_rdp_segmentation_pool_unref(pool);
    fail_unless_equals_int(alive, 0);
  }

  GstRdpSegmentation* acquire(float frame, bool broken = false) {
    GstRdpSegmentation* self = gst_rdp_segmentation_pool_acquire(pool);
    auto* remote = static_cast<Remote*>(gst_rdp_segmentation_get_remote(self));
    if (remote == nullptr) {
      gst_rdp_segmentation_set_remote(self, std::make_unique<Remote>(&fetched, &alive));
      remote = static_cast<Remote*>(gst_rdp_segmentation_get_remote(self));
    }
    remote->frame = frame;
    remote->broken = broken;
    GstRdpSegmentationInfo info = info_of(3, 10);
    info.frame = static_cast<guint64>(frame);
    info.classify = TRUE;
    gst_rdp_segmentation_set_info(self, &info);
    gst_rdp_segmentation_use_remote(self, 3, 3);
    return self;
  }

  std::atomic<int> fetched = 0;
  std::atomic<int> alive = 0;
  GstRdpSegmentationPool* pool = gst_rdp_segmentation_pool_new();
};

void expect_lost(GstRdpSegmentation* self, int frame) {
  g_autoptr(GError) error = nullptr;
  fail_if(gst_rdp_segmentation_fetch(self, &error));
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  const std::string expected =
      "the segments of frame " + std::to_string(frame) + " are lost: the wire is cut";
  fail_unless_equals_string(error->message, expected.c_str());
}

}  // namespace

GST_START_TEST(test_fetched_when_read) {
  Fixture fixture;
  GstRdpSegmentation* self = fixture.acquire(7);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 3);
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 3);
  fail_unless_equals_uint64(gst_rdp_segmentation_get_info(self)->frame, 7);
  fail_unless_equals_int(fixture.fetched, 0);

  gsize n = 0;
  const GstRdpSegment* column = gst_rdp_segmentation_get_column(self, 2, &n);
  fail_unless_equals_int(n, 1);
  fail_unless_equals_float(column->first_value, 7);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_peek_offsets(self, &n);
  fail_unless_equals_int(n, 4);
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 3);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

// Every way to read is a first one.
GST_START_TEST(test_every_reader) {
  Fixture fixture;
  gsize count = 0;
  const std::array<void (*)(GstRdpSegmentation*, gsize*), 10> readers{
      [](GstRdpSegmentation* self, gsize*) { gst_rdp_segmentation_fetch(self, nullptr); },
      [](GstRdpSegmentation* self, gsize* n) { gst_rdp_segmentation_get_column(self, 1, n); },
      [](GstRdpSegmentation* self, gsize* n) { gst_rdp_segmentation_peek_offsets(self, n); },
      [](GstRdpSegmentation* self, gsize* n) { gst_rdp_segmentation_peek_segments(self, n); },
      [](GstRdpSegmentation* self, gsize*) {
        g_bytes_unref(gst_rdp_segmentation_get_offsets(self));
      },
      [](GstRdpSegmentation* self, gsize*) {
        g_bytes_unref(gst_rdp_segmentation_get_segments(self));
      },
      [](GstRdpSegmentation* self, gsize*) {
        g_autoptr(GBytes) bytes = gst_rdp_segmentation_to_bytes(self);
        g_autoptr(GstRdpSegmentation) copy = gst_rdp_segmentation_new_from_bytes(bytes, nullptr);
        fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(copy), 3);
      },
      // Classes need the segments.
      [](GstRdpSegmentation* self, gsize* n) { gst_rdp_segmentation_peek_classes(self, n); },
      [](GstRdpSegmentation* self, gsize*) {
        g_bytes_unref(gst_rdp_segmentation_get_classes(self));
      },
      [](GstRdpSegmentation* self, gsize*) {
        gst_rdp_segmentation_get_ground(self, nullptr, nullptr);
      },
  };
  int expected = 0;
  for (const auto& read : readers) {
    GstRdpSegmentation* self = fixture.acquire(1);
    read(self, &count);
    fail_unless_equals_int(fixture.fetched, ++expected);
    gst_rdp_segmentation_unref(self);
  }
  // They were all the same object, with the same arrays elsewhere.
  fail_unless_equals_int(fixture.alive, 1);
}
GST_END_TEST;

GST_START_TEST(test_recycled) {
  Fixture fixture;
  // Never read: nothing is fetched for it, neither now nor with the next frame.
  gst_rdp_segmentation_unref(fixture.acquire(1));
  GstRdpSegmentation* self = fixture.acquire(2);
  gsize n = 0;
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(self, &n)->first_value, 2);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);

  // A frame that is segmented on the host comes after one that was not.
  self = gst_rdp_segmentation_pool_acquire(fixture.pool);
  gst_rdp_segmentation_list(self)->resize_columns(1)[0] = 0;
  gst_rdp_segmentation_list(self)->resize_columns(1)[1] = 0;
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 1);
  gst_rdp_segmentation_peek_segments(self, &n);
  fail_unless_equals_int(n, 0);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

GST_START_TEST(test_lost) {
  Fixture fixture;
  GstRdpSegmentation* self = fixture.acquire(1, true);
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 3);
  for (guint c = 0; c < 3; ++c) {
    gsize n = 99;
    gst_rdp_segmentation_get_column(self, c, &n);
    fail_unless_equals_int(n, 0);
  }
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 0);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 3);
  fail_unless_equals_int(fixture.fetched, 1);
  // Bytes would not say that something is missing.
  fail_unless(gst_rdp_segmentation_to_bytes(self) == nullptr);
  expect_lost(self, 1);
  gst_rdp_segmentation_unref(self);

  // The next frame in the same memory is not lost.
  self = fixture.acquire(2);
  fail_unless(gst_rdp_segmentation_fetch(self, nullptr));
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 3);
  gst_rdp_segmentation_unref(self);
  fail_unless_equals_int(fixture.alive, 1);
}
GST_END_TEST;

// The first to read may be the one that wants to know.
GST_START_TEST(test_fetched_by_a_reader) {
  Fixture fixture;
  g_autoptr(GError) error = nullptr;
  GstRdpSegmentation* self = fixture.acquire(1);
  for (int i = 0; i < 2; ++i) {
    fail_unless(gst_rdp_segmentation_fetch(self, &error));
    fail_unless(error == nullptr);
    fail_unless_equals_int(fixture.fetched, 1);
  }
  gst_rdp_segmentation_unref(self);

  self = fixture.acquire(2, true);
  expect_lost(self, 2);
  expect_lost(self, 2);
  fail_if(gst_rdp_segmentation_fetch(self, nullptr));
  fail_unless_equals_int(fixture.fetched, 2);
  fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 0);
  gst_rdp_segmentation_unref(self);

  // What has no samples is not lost, nor is what never was elsewhere.
  self = new_segmentation(info_of(3, 10), {{}, {}, {}});
  fail_unless(gst_rdp_segmentation_fetch(self, &error));
  fail_unless(error == nullptr);
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

// The classes of a frame are never those of the one that was there before it, nor of segments that
// are lost.
GST_START_TEST(test_classes) {
  Fixture fixture;
  const std::vector<std::pair<float, int>> frames{{1, GST_RDP_SEGMENT_CLASS_FAR},
                                                  {9, GST_RDP_SEGMENT_CLASS_UPRIGHT},
                                                  {10, GST_RDP_SEGMENT_CLASS_OTHER},
                                                  {2, GST_RDP_SEGMENT_CLASS_FAR}};
  for (const auto& [value, expected] : frames) {
    GstRdpSegmentation* self = fixture.acquire(value);
    g_autoptr(GBytes) bytes = gst_rdp_segmentation_get_classes(self);
    gst_rdp_segmentation_unref(self);  // the bytes hold it
    gsize n = 0;
    const auto* classes = static_cast<const guint8*>(g_bytes_get_data(bytes, &n));
    fail_unless_equals_uint64(n, 3);
    for (gsize i = 0; i < n; ++i) fail_unless_equals_int(classes[i], expected);
  }
  GstRdpSegmentation* self = fixture.acquire(9, true);
  gsize n = 9;
  fail_unless(gst_rdp_segmentation_peek_classes(self, &n) != nullptr);
  fail_unless_equals_uint64(n, 0);
  gst_rdp_segmentation_unref(self);
  // They were all the same object.
  fail_unless_equals_int(fixture.alive, 1);
}
GST_END_TEST;

// Whoever fills a segmentation can fetch for itself, and do without where that fails.
GST_START_TEST(test_fetched_by_the_owner) {
  Fixture fixture;
  std::string reason;
  gsize n = 0;
  GstRdpSegmentation* self = fixture.acquire(3);
  fail_unless(gst_rdp_segmentation_try_fetch(self, &reason));
  fail_unless(gst_rdp_segmentation_try_fetch(self, &reason));
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(self, &n)->first_value, 3);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);

  self = fixture.acquire(4, true);
  fail_if(gst_rdp_segmentation_try_fetch(self, &reason));
  fail_unless_equals_string(reason.c_str(), "the wire is cut");
  rdp::SegmentList* list = gst_rdp_segmentation_list(self);
  guint32* offsets = list->resize_columns(1);
  offsets[0] = 0;
  offsets[1] = 1;
  list->resize_segments()[0] = {0, 1, 5, 5};
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(self, &n)->first_value, 5);
  fail_unless_equals_int(n, 1);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 1);
  // Nothing is lost: it is somebody else's now.
  fail_unless(gst_rdp_segmentation_fetch(self, nullptr));
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

GST_START_TEST(test_many_readers) {
  Fixture fixture;
  constexpr int kFrames = 200;
  constexpr int kThreads = 4;
  for (int frame = 0; frame < kFrames; ++frame) {
    GstRdpSegmentation* self = fixture.acquire(static_cast<float>(frame));
    std::atomic<int> ready = 0;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        ++ready;
        while (ready < kThreads) std::this_thread::yield();
        gsize n = 0;
        const GstRdpSegment* column = gst_rdp_segmentation_get_column(self, 1, &n);
        if (gst_rdp_segmentation_get_n_segments(self) != 3 || n != 1 ||
            column->first_value != static_cast<float>(frame)) {
          ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    fail_unless_equals_int(wrong, 0);
    gst_rdp_segmentation_unref(self);
  }
  fail_unless_equals_int(fixture.fetched, kFrames);
  fail_unless_equals_int(fixture.alive, 1);
}
GST_END_TEST;

GST_START_TEST(test_immutable) {
  Fixture fixture;
  GstRdpSegmentation* self = fixture.acquire(1);
  gst_rdp_segmentation_ref(self);
  expect_critical("*is_writable*", [&] { gst_rdp_segmentation_use_remote(self, 3, 3); });
  expect_critical("*is_writable*", [&] { gst_rdp_segmentation_set_remote(self, nullptr); });
  gst_rdp_segmentation_unref(self);
  gst_rdp_segmentation_unref(self);
  self = gst_rdp_segmentation_pool_acquire(fixture.pool);
  gst_rdp_segmentation_set_remote(self, nullptr);
  expect_critical("*remote*", [&] { gst_rdp_segmentation_use_remote(self, 3, 3); });
  gst_rdp_segmentation_unref(self);
}
GST_END_TEST;

static Suite* segmentation_remote_suite(void) {
  Suite* suite = suite_create("segmentation_remote");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_fetched_when_read);
  tcase_add_test(tcase, test_every_reader);
  tcase_add_test(tcase, test_recycled);
  tcase_add_test(tcase, test_lost);
  tcase_add_test(tcase, test_fetched_by_a_reader);
  tcase_add_test(tcase, test_classes);
  tcase_add_test(tcase, test_fetched_by_the_owner);
  tcase_add_test(tcase, test_many_readers);
  tcase_add_test(tcase, test_immutable);
  return suite;
}

GST_CHECK_MAIN(segmentation_remote)
