// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_NVMM_VIEWS_H_
#define RDP_TESTS_HEIGHTMAP_NVMM_VIEWS_H_

// heightmap on views in NVMM memory: streams of single surfaces, and batches of all views on sink_0
// alone. DeepStream's metadata or the place in the batch identifies a view. A CPU program and a GPU
// program include these tests; each defines its backend and makes its surfaces.
#include "tests/heightmap/heights_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/nvds_batch.h"
#include "tests/support/nvmm_surface.h"

namespace nvmm_views {

using namespace heights_rig;

// Defined by the including program.
extern const char* const kBackend;
nvmm_frames::Batch new_batch();

inline constexpr int kWidth = 48;
inline constexpr int kHeight = 36;
inline constexpr GstClockTime kMs = GST_MSECOND;

inline std::vector<BlockCamera> all_alike(std::size_t count) {
  return cameras(std::vector<Size>(count, {kWidth, kHeight}));
}

inline std::string nvmm_caps(GstVideoFormat format, const std::string& more = "") {
  return frames::caps_string({format, kWidth, kHeight}, "memory:NVMM") + more;
}

// A buffer whose surfaces are these pictures; its batch size is at least `room`.
inline GstBuffer* nvmm_buffer(GstVideoFormat format, const std::vector<const Content*>& pictures,
                              GstClockTime pts, guint room = 0) {
  nvmm_frames::Batch batch = new_batch();
  batch.filled = static_cast<guint>(pictures.size());
  batch.size = std::max(room, batch.filled);
  auto surface = std::make_shared<nvmm_frames::Surface>(format, kWidth, kHeight, batch);
  for (guint place = 0; place < batch.filled; ++place) {
    surface->write(place, pictures[place]->samples.data(), kWidth);
  }
  return timed(nvmm_frames::wrap(surface), pts);
}

// A frame of a batch: its view, which is the multiplexer's pad index unless `pad` is given, and its
// time.
struct Place {
  std::size_t view;
  GstClockTime pts = 0;
  std::int64_t pad = -1;  // another pad index
};

// Batches of three cameras on sink_0.
class Batches {
 public:
  explicit Batches(const std::string& settings = "", GstVideoFormat format = GST_VIDEO_FORMAT_NV12)
      : format_(format),
        rig_(kQuick + kBackend + " " + calibration_of(&folder_, cameras_) + settings, {0}),
        gaps_(rig_.received().pad()) {
    rig_.set_caps("view0", nvmm_caps(format, ",batch-size=(int)4,num-surfaces-per-frame=(int)1"));
  }

  void push(const std::vector<Place>& places, bool named) {
    std::vector<const Content*> pictures;
    std::vector<nvds_batch::Frame> names;
    for (const Place& place : places) {
      pictures.push_back(&pictures_[place.view]);
      // Frame metas are listed in reverse order of their places.
      names.insert(names.begin(),
                   {static_cast<std::uint32_t>(7 + place.view),
                    static_cast<std::uint32_t>(pictures.size() - 1), place.pts,
                    place.pad < 0 ? static_cast<std::int64_t>(place.view) : place.pad});
    }
    GstBuffer* buffer = nvmm_buffer(format_, pictures, number_++ * kFrame, 4);
    if (named) nvds_batch::add(buffer, names);
    rig_.push("view0", buffer);
  }
  void push_complete() { push({{0}, {1}, {2}}, false); }

  // Checks that exactly `count` height maps of the set arrived.
  void check(std::size_t count, int reference, const char* what) {
    const ExpectedHeights of = expected(cameras_, pictures_, reference);
    fail_unless_equals_int(rig_.received().buffers.size(), count);
    for (GstBuffer* got : rig_.received().buffers) check_heights(got, of, what);
  }
  Rig& rig() { return rig_; }
  guint gaps() const { return gaps_.count; }

 private:
  const std::vector<BlockCamera> cameras_ = all_alike(3);
  const std::vector<Content> pictures_ = draw(cameras_);
  const GstVideoFormat format_;
  rdp::test::Folder folder_;
  Rig rig_;
  Gaps gaps_;
  guint64 number_ = 0;
};

CHECK_TEST(test_streams) {
  const std::vector<BlockCamera> of = all_alike(2);
  const std::vector<Content> pictures = draw(of);
  rdp::test::Folder folder;
  for (const GstVideoFormat format :
       {GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420}) {
    Rig rig(kQuick + kBackend + " " + calibration_of(&folder, of), {0, 1});
    for (const int pad : {0, 1}) {
      rig.set_caps(Rig::source(pad).c_str(), nvmm_caps(format));
      rig.push(Rig::source(pad).c_str(),
               nvmm_buffer(format, {&pictures[static_cast<std::size_t>(pad)]}, 0));
    }
    rig.check_runs();
    fail_unless_equals_int(rig.received().buffers.size(), 1);
    check_heights(rig.received().buffers[0], expected(of, pictures),
                  gst_video_format_to_string(format));
  }
}

// Without metadata, a surface's place in the batch is its view.
CHECK_TEST(test_by_place) {
  for (const int reference : {0, 2}) {
    Batches batches("reference=" + std::to_string(reference),
                    reference == 0 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_GRAY8);
    for (int i = 0; i < 3; ++i) batches.push_complete();
    batches.rig().check_runs();
    batches.check(3, reference, "by place");
    fail_unless_equals_uint64(GST_BUFFER_PTS(batches.rig().received().buffers[1]), kFrame);
    fail_unless_equals_uint64(batches.rig().stat("sets"), 3);
    fail_unless_equals_uint64(batches.rig().stat("spread"), 0);
    fail_unless_equals_uint64(batches.rig().stat_of(0, "used"), 3);
    fail_unless(batches.rig().warnings.empty(), "%s", batches.rig().warnings[0].c_str());
    const std::string caps = batches.rig().received().caps();
    for (const char* field : {"NVMM", "batch-size", "num-surfaces"}) {
      fail_unless(caps.find(field) == std::string::npos, "%s", caps.c_str());
    }
  }
}

// With metadata, pad_index is the view, in any order, and each frame has its own time.
CHECK_TEST(test_by_pad_index) {
  Batches batches("reference=1");
  batches.push({{2, 1001 * kMs}, {0, 1000 * kMs}, {1, 1003 * kMs}}, true);
  batches.push({{1, 2000 * kMs}, {2, 2000 * kMs}, {0, 2000 * kMs}}, true);
  batches.push({{0, 3002 * kMs}, {1, 3000 * kMs}, {2, 3001 * kMs}}, true);
  batches.rig().check_runs();
  batches.check(3, 1, "by pad_index");
  const guint64 spreads[] = {3 * kMs, 0, 2 * kMs};
  for (std::size_t i = 0; i < 3; ++i) {
    GstRdpHeights* heights = gst_rdp_buffer_get_heights(batches.rig().received().buffers[i]);
    fail_unless_equals_uint64(gst_rdp_heights_get_info(heights)->spread, spreads[i]);
  }
  fail_unless_equals_uint64(batches.rig().stat("spread"), 2 * kMs);
  fail_unless_equals_uint64(batches.rig().stat("largest-spread"), 3 * kMs);
}

// A batch that lacks a view is dropped, counted, and leaves a gap.
CHECK_TEST(test_incomplete) {
  Batches batches;
  batches.push_complete();
  batches.push({{0}, {1}}, false);
  batches.push({{2}, {0}}, true);
  batches.push({{1}}, true);
  batches.push({{0}, {1}, {1}}, true);
  batches.push({{1}, {2}, {0}}, true);
  batches.rig().check_runs();
  batches.check(2, 0, "incomplete");
  fail_unless_equals_uint64(batches.rig().stat("sets"), 2);
  fail_unless_equals_uint64(batches.rig().stat("unpaired"), 4);
  fail_unless_equals_uint64(batches.rig().stat("wide"), 0);
  fail_unless_equals_uint64(batches.rig().stat_of(0, "used"), 2);
  fail_unless_equals_uint64(batches.rig().stat_of(0, "dropped"), 4);
  fail_unless_equals_int(batches.gaps(), 4);
  fail_unless(batches.rig().warnings.empty(), "%s", batches.rig().warnings[0].c_str());
}

// If no batch is complete, a warning explains why there is no output.
CHECK_TEST(test_never_complete) {
  Batches batches;
  for (int i = 0; i < 40; ++i) batches.push({{2}, {0}}, true);
  batches.rig().check_runs();
  fail_unless_equals_int(batches.rig().received().buffers.size(), 0);
  fail_unless_equals_int(batches.rig().warnings.size(), 1);
  check_says(batches.rig().warnings[0],
             {"No complete set in 30 batches", "the last one has 2 frames", "none of view 1",
              "one of each of 3 views", "batched-push-timeout"});
}

CHECK_TEST(test_wide) {
  const std::vector<Place> apart = {{0, 1008 * kMs}, {1, 1002 * kMs}, {2, 1000 * kMs}};
  {
    Batches batches;
    batches.push_complete();
    batches.push(apart, true);
    batches.push(apart, true);
    batches.rig().check_runs();
    batches.check(1, 0, "wide");
    fail_unless_equals_uint64(batches.rig().stat("wide"), 2);
    fail_unless_equals_uint64(batches.rig().stat("unpaired"), 2);
    fail_unless_equals_int(batches.gaps(), 2);
    fail_unless_equals_int(batches.rig().warnings.size(), 1);
    check_says(batches.rig().warnings[0], {"Dropped a batch", "8 ms apart, from view 2 to view 0",
                                           "sync-tolerance is 5 ms", "sync-inputs=true"});
  }
  Batches batches("sync-tolerance=8000000");
  batches.push(apart, true);
  batches.rig().check_runs();
  batches.check(1, 0, "wanted");
  fail_unless_equals_uint64(batches.rig().stat("largest-spread"), 8 * kMs);
  check_says(batches.rig().warnings.at(0), {"The views of a set are 8 ms apart"});
}

// A batch that cannot form a set is an error with its reason.
CHECK_TEST(test_wrong_batches) {
  {
    Batches batches;
    batches.push({{0}, {1}, {2}, {0}}, false);
    check_says(batches.rig().run(), {"a batch has 4 frames, and there are 3 views",
                                     "set batch-size=3 where the element before has it"});
  }
  {
    Batches batches;
    batches.push({{0}, {1}, {2, 0, 5}}, true);
    check_says(batches.rig().run(),
               {"a frame of the multiplexer's pad sink_5", "expected pads from sink_0 to sink_2"});
  }
  {
    Batches batches("reference=3");
    batches.push_complete();
    check_says(batches.rig().run(),
               {"reference=3, and batches have 3 views", "set reference to 0 to 2"});
  }
  const std::vector<BlockCamera> of = all_alike(2);
  const std::vector<Content> pictures = draw(of);
  {
    Rig rig(kQuick + kBackend, {0});
    rig.set_caps("view0", nvmm_caps(GST_VIDEO_FORMAT_GRAY8));
    rig.push("view0", nvmm_buffer(GST_VIDEO_FORMAT_GRAY8, {&pictures[0], &pictures[1]}, 0));
    check_says(rig.run(), {"batches arrive on one pad, but there is no calibration",
                           "expected calibration=FILE"});
  }
  rdp::test::Folder folder;
  {
    Rig rig(kQuick + kBackend + " " + calibration_of(&folder, of), {1});
    rig.set_caps("view1", nvmm_caps(GST_VIDEO_FORMAT_GRAY8));
    rig.push("view1", nvmm_buffer(GST_VIDEO_FORMAT_GRAY8, {&pictures[0], &pictures[1]}, 0));
    check_says(rig.run(), {"batches arrive on the pad sink_1 alone, expected them on sink_0"});
  }
  Rig rig(kQuick + kBackend + " " + calibration_of(&folder, of), {0, 1});
  for (const int pad : {0, 1}) {
    rig.set_caps(Rig::source(pad).c_str(), nvmm_caps(GST_VIDEO_FORMAT_GRAY8));
    rig.push(Rig::source(pad).c_str(),
             nvmm_buffer(GST_VIDEO_FORMAT_GRAY8, {&pictures[0], &pictures[1]}, 0));
  }
  check_says(rig.run(), {"expected one surface in each buffer of 2 pads, got 4 in all",
                         "nvstreamdemux", "to sink_0 alone"});
}

}  // namespace nvmm_views

#endif  // RDP_TESTS_HEIGHTMAP_NVMM_VIEWS_H_
