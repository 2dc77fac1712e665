// SPDX-License-Identifier: LGPL-2.1-or-later
// Segmentations whose arrays are fetched on the first read.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdpsegmentationkind.h>

#include "gst/metadata/recycling_pool.h"
#include "gst/metadata/segmentation_pool.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/segmentation_fixture.h"

namespace {

using namespace rdp::gst;

struct Counts {
  std::atomic<int> fetched = 0;
  std::atomic<int> alive = 0;
};

// Three columns of 10 rows with one segment each, whose values are the frame's number.
class Remote : public RemoteSegments, public rdp::RecyclingPool<Remote>::Item {
 public:
  explicit Remote(Counts* counts) : counts_(counts) { ++counts_->alive; }
  ~Remote() override { --counts_->alive; }

  static RemoteRef<Remote> from(rdp::RecyclingPool<Remote>& pool, Counts* counts) {
    auto remote = pool.acquire([&] { return std::make_unique<Remote>(counts); });
    remote->revive();
    return RemoteRef<Remote>(remote.release());
  }

  bool fetch(const SegmentSlice& slice, rdp::SegmentList* host,
             std::string* reason) noexcept override {
    ++counts_->fetched;
    fail_unless_equals_int(slice.first_column, 0);
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
  void dispose() noexcept override { rdp::RecyclingPool<Remote>::give_back(this); }

  Counts* counts_;
};

struct Fixture {
  ~Fixture() {
    remotes.reset();
    fail_unless_equals_int(alive, 0);
  }

  SegmentationDraft draft(float frame, bool broken = false) {
    SegmentationDraft draft = pool.acquire();
    RemoteRef<Remote> remote = Remote::from(*remotes, &counts);
    remote->frame = frame;
    remote->broken = broken;
    draft->use_remote(std::move(remote), {0, 0, 3, 3});
    return draft;
  }

  static GstRdpSegmentationInfo info(float frame) {
    GstRdpSegmentationInfo info = info_of(3, 10);
    info.frame = static_cast<guint64>(frame);
    info.classify = TRUE;
    return info;
  }

  GstRdpSegmentation* acquire(float frame, bool broken = false) {
    return draft(frame, broken).finish(info(frame));
  }

  Counts counts;
  std::atomic<int>& fetched = counts.fetched;
  std::atomic<int>& alive = counts.alive;
  std::optional<rdp::RecyclingPool<Remote>> remotes{std::in_place};
  rdp::gst::SegmentationPool pool;
};

void expect_lost(GstRdpSegmentation* self, int frame) {
  g_autoptr(GError) error = nullptr;
  fail_if(gst_rdp_segmentation_fetch(self, &error));
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  const std::string expected =
      "the segments of frame " + std::to_string(frame) + " are lost: the wire is cut";
  fail_unless_equals_text(error->message, expected);
}

}  // namespace

CHECK_TEST(test_fetched_when_read) {
  Fixture fixture;
  g_autoptr(GstRdpSegmentation) self = fixture.acquire(7);
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
}

// Every reading function triggers the fetch.
CHECK_TEST(test_every_reader) {
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
    g_autoptr(GstRdpSegmentation) self = fixture.acquire(1);
    read(self, &count);
    fail_unless_equals_int(fixture.fetched, ++expected);
  }
  // All used the same object and the same remote arrays.
  fail_unless_equals_int(fixture.alive, 1);
}

CHECK_TEST(test_recycled) {
  Fixture fixture;
  // An unread segmentation is never fetched, neither now nor with the next frame.
  gst_rdp_segmentation_unref(fixture.acquire(1));
  GstRdpSegmentation* self = fixture.acquire(2);
  gsize n = 0;
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(self, &n)->first_value, 2);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);

  // A frame segmented on the host follows one that was not.
  SegmentationDraft draft = fixture.pool.acquire();
  draft->list().resize_columns(1)[0] = 0;
  draft->list().resize_columns(1)[1] = 0;
  self = draft.finish(info_of(1, 10));
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 1);
  gst_rdp_segmentation_peek_segments(self, &n);
  fail_unless_equals_int(n, 0);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);
}

CHECK_TEST(test_lost_segments) {
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
  // to_bytes() fails, because bytes cannot express lost segments.
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

// The first reader may be fetch() itself, which reports the loss.
CHECK_TEST(test_fetched_by_a_reader) {
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

  // A frame without segments is not lost, nor is one that was never remote.
  self = new_segmentation(info_of(3, 10), {{}, {}, {}});
  fail_unless(gst_rdp_segmentation_fetch(self, &error));
  fail_unless(error == nullptr);
  gst_rdp_segmentation_unref(self);
}

// Classes are never those of the previous frame in the same memory, nor of lost segments.
CHECK_TEST(test_classes) {
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
  // All used the same object.
  fail_unless_equals_int(fixture.alive, 1);
}

// The owner that fills a segmentation can fetch it itself, and continue without it on failure.
CHECK_TEST(test_fetched_by_the_owner) {
  Fixture fixture;
  std::string reason;
  gsize n = 0;
  SegmentationDraft draft = fixture.draft(3);
  fail_unless_equals_int(draft->arrays().n_columns, 3);
  fail_unless_equals_uint64(draft->arrays().n_segments, 3);
  fail_unless(draft->fetch(&reason));
  fail_unless(draft->fetch(&reason));
  GstRdpSegmentation* self = draft.finish(Fixture::info(3));
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(self, &n)->first_value, 3);
  fail_unless_equals_int(fixture.fetched, 1);
  gst_rdp_segmentation_unref(self);

  draft = fixture.draft(4, true);
  fail_if(draft->fetch(&reason));
  fail_unless_equals_text(reason, "the wire is cut");
  rdp::SegmentList& list = draft->list();
  guint32* offsets = list.resize_columns(1);
  offsets[0] = 0;
  offsets[1] = 1;
  list.resize_segments()[0] = {0, 1, 5, 5};
  self = draft.finish(info_of(1, 10));
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(self, &n)->first_value, 5);
  fail_unless_equals_int(n, 1);
  fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(self), 1);
  // Not lost: the host has filled it anew.
  fail_unless(gst_rdp_segmentation_fetch(self, nullptr));
  gst_rdp_segmentation_unref(self);
}

// An abandoned draft releases its arrays, like a segmentation that was read.
CHECK_TEST(test_remote_let_go) {
  Fixture fixture;
  { const SegmentationDraft unused = fixture.draft(1); }
  g_autoptr(GstRdpSegmentation) read = fixture.acquire(2);
  fail_unless(gst_rdp_segmentation_fetch(read, nullptr));
  g_autoptr(GstRdpSegmentation) other = fixture.acquire(3);
  fail_unless_equals_int(fixture.alive, 1);
  gsize n = 0;
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(read, &n)->first_value, 2);
  fail_unless_equals_float(gst_rdp_segmentation_peek_segments(other, &n)->first_value, 3);
}

namespace {

// One list shared by several frames of two columns. Frame f has f segments in the first column and
// one in the second, with distinct values.
class SharedList : public RemoteSegments {
 public:
  SharedList(int frames, Counts* counts) : counts_(counts) {
    ++counts_->alive;
    std::uint32_t* offsets = list_.resize_columns(2 * frames);
    offsets[0] = 0;
    for (int f = 0; f < frames; ++f) {
      slices.push_back({2 * f, offsets[2 * f], 2, static_cast<std::size_t>(f) + 1});
      offsets[2 * f + 1] = offsets[2 * f] + static_cast<std::uint32_t>(f);
      offsets[2 * f + 2] = offsets[2 * f + 1] + 1;
    }
    rdp::Segment* segments = list_.resize_segments();
    for (std::uint32_t i = 0; i < offsets[2 * frames]; ++i) {
      segments[i] = {0, 9, static_cast<float>(i), 1};
    }
  }
  ~SharedList() override { --counts_->alive; }

  bool fetch(const SegmentSlice& slice, rdp::SegmentList* host, std::string*) noexcept override {
    ++counts_->fetched;
    std::uint32_t* offsets = host->resize_columns(slice.columns);
    for (int c = 0; c <= slice.columns; ++c) {
      offsets[c] = list_.offsets()[static_cast<std::size_t>(slice.first_column + c)] -
                   static_cast<std::uint32_t>(slice.first_segment);
    }
    const auto part = list_.segments().subspan(slice.first_segment, slice.segments);
    std::copy(part.begin(), part.end(), host->resize_segments());
    return true;
  }

  std::vector<SegmentSlice> slices;

 private:
  Counts* counts_;
  rdp::SegmentList list_;
};

}  // namespace

// The frames of a batch share one list, each with a slice; the last release frees it.
CHECK_TEST(test_slices) {
  constexpr int kFrames = 4;
  Fixture fixture;
  Counts counts;
  std::vector<GstRdpSegmentation*> frames;
  {
    const RemoteRef<SharedList> shared(new SharedList(kFrames, &counts));
    for (int f = 0; f < kFrames; ++f) {
      SegmentationDraft draft = fixture.pool.acquire();
      draft->use_remote(shared, shared->slices[f]);
      frames.push_back(draft.finish(info_of(2, 10)));
    }
  }
  fail_unless_equals_int(counts.alive, 1);
  fail_unless_equals_int(counts.fetched, 0);
  float value = 0;
  for (int f = 0; f < kFrames; ++f) {
    fail_unless_equals_int(gst_rdp_segmentation_get_n_columns(frames[f]), 2);
    fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(frames[f]), f + 1);
  }
  for (int f = 0; f < kFrames; ++f) {
    fail_unless_equals_int(counts.fetched, f);
    for (guint c = 0; c < 2; ++c) {
      gsize n = 0;
      const GstRdpSegment* column = gst_rdp_segmentation_get_column(frames[f], c, &n);
      fail_unless_equals_uint64(n, c == 0 ? f : 1);
      for (gsize i = 0; i < n; ++i) fail_unless_equals_float(column[i].first_value, value++);
    }
    // Unfetched copies keep the list alive.
    fail_unless_equals_int(counts.alive, f + 1 < kFrames ? 1 : 0);
  }
  for (GstRdpSegmentation* frame : frames) gst_rdp_segmentation_unref(frame);
}

CHECK_TEST(test_many_readers) {
  Fixture fixture;
  constexpr int kFrames = 200;
  constexpr int kThreads = 4;
  for (int frame = 0; frame < kFrames; ++frame) {
    g_autoptr(GstRdpSegmentation) self = fixture.acquire(static_cast<float>(frame));
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
  }
  fail_unless_equals_int(fixture.fetched, kFrames);
  fail_unless_equals_int(fixture.alive, 1);
}

namespace {

// An owner as a C program writes it, without recycling.
struct Owner {
  guint32 offsets[2] = {0, 1};
  GstRdpSegment segment = {2, 3, 4, 5};
  bool broken = false;
  int fetched = 0;
  int destroyed = 0;
};

gboolean fetch_owner(gpointer data, gpointer fetched, const gchar** why) noexcept {
  auto* arrays = static_cast<GstRdpSegmentationArrays*>(fetched);
  auto* owner = static_cast<Owner*>(data);
  ++owner->fetched;
  fail_unless_equals_int(arrays->n_columns, 1);
  fail_unless_equals_uint64(arrays->n_segments, 1);
  if (owner->broken) {
    *why = "the wire is cut";
    return FALSE;
  }
  arrays->offsets = owner->offsets;
  arrays->segments = &owner->segment;
  return TRUE;
}

void destroy_owner(gpointer data) noexcept { ++static_cast<Owner*>(data)->destroyed; }

}  // namespace

// The library calls an owner to fetch once, and to destroy once.
CHECK_TEST(test_owner) {
  static constexpr GstRdpOwnerClass kClass = {fetch_owner, nullptr, destroy_owner};
  for (const bool elsewhere : {false, true}) {
    for (const bool broken : {false, true}) {
      Owner owner;
      owner.broken = broken;
      const bool lost = elsewhere && broken;
      GstRdpSegmentationInfo info = info_of(1, 10);
      info.frame = 8;
      const GstRdpSegmentationArrays arrays = {1, 1, elsewhere ? nullptr : owner.offsets,
                                               elsewhere ? nullptr : &owner.segment};
      GstRdpSegmentation* self = gst_rdp_segmentation_blank_new();
      gst_rdp_segmentation_blank_fill(self, &info, &arrays, &kClass, &owner);
      ASSERT_MINI_OBJECT_REFCOUNT(self, "segmentation", 1);
      fail_unless_equals_uint64(gst_rdp_segmentation_get_n_segments(self), 1);
      gsize n = 0;
      const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(self, &n);
      fail_unless_equals_uint64(n, lost ? 0 : 1);
      // The array is the owner's, not a copy.
      fail_unless(lost || segments == &owner.segment);
      if (lost) expect_lost(self, 8);
      fail_unless_equals_int(gst_rdp_segmentation_fetch(self, nullptr), !lost);
      fail_unless_equals_int(owner.fetched, elsewhere ? 1 : 0);
      fail_unless_equals_int(owner.destroyed, 0);
      gst_rdp_segmentation_unref(self);
      fail_unless_equals_int(owner.destroyed, 1);
    }
  }
  // Memory that never became a segmentation has no owner to call.
  gst_rdp_segmentation_blank_free(gst_rdp_segmentation_blank_new());
  gst_rdp_segmentation_blank_free(nullptr);
}

CHECK_CASE(segmentation_remote)
