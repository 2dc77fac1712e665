// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_KLTTRACK_NVMM_BATCHES_H_
#define RDP_TESTS_KLTTRACK_NVMM_BATCHES_H_

// klttrack on NV12 batches in NVMM memory: each camera has its own ids and metadata. A frame
// belongs to a camera by its batch index while the batch size is constant, or by DeepStream's
// metadata. Two programs run these tests, one on the CPU and one on the GPU. Each defines kBackend
// and new_batch().
#include <map>

#include "tests/klttrack/track_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/nvds_batch.h"
#include "tests/support/nvmm_surface.h"

namespace nvmm_batches {

using namespace tracks_rig;
using nvmm_frames::Surface;

// Defined by each program.
extern const char* const kBackend;
nvmm_frames::Batch new_batch();

// The next batch: the camera of each frame, by batch index.
struct Step {
  std::vector<guint> sources;
  GstClockTime pts;
  bool named = true;  // the batch carries NvDsBatchMeta
  bool ends = false;  // all tracks end
  const char* warning = "";
};

// Batches from cameras that move differently, compared with one scalar reference per camera.
class Cameras {
 public:
  explicit Cameras(const Way& way = {"", {}})
      : stream_((std::string(kBackend) + " " + way.settings).c_str()), parameters_(way.parameters) {
    gst_harness_set_src_caps(stream_.harness,
                             frames::caps({GST_VIDEO_FORMAT_NV12, kWidth, kHeight}, "memory:NVMM"));
  }

  GstBuffer* make(const Step& step) {
    nvmm_frames::Batch batch = new_batch();
    batch.size = 6;
    batch.filled = static_cast<guint>(step.sources.size());
    auto surface = std::make_shared<Surface>(GST_VIDEO_FORMAT_NV12, kWidth, kHeight, batch);
    pictures_.clear();
    for (guint place = 0; place < batch.filled; ++place) {
      const guint source = step.sources[place];
      const int number = seen_[source]++;
      const int speed = static_cast<int>(source % 5) + 1;
      pictures_.push_back(
          klt_picture(PictureKind::kTexture, kWidth, kHeight, source, speed * number, 2 - number));
      std::vector<std::uint8_t> luma;
      for (int row = 0; row < kHeight; ++row) {
        for (int column = 0; column < kWidth; ++column) {
          luma.push_back(static_cast<std::uint8_t>(pictures_[place].view().at(row, column)));
        }
      }
      surface->write(place, luma.data(), kWidth);
    }
    GstBuffer* buffer = nvmm_frames::wrap(surface);
    GST_BUFFER_PTS(buffer) = step.pts;
    return buffer;
  }

  // With NvDsBatchMeta, each frame has its own timestamp.
  static GstClockTime pts_of(const Step& step, guint place) {
    return step.pts + (step.named ? place + 1 : 0);
  }
  static void name(GstBuffer* buffer, const Step& step) {
    std::vector<nvds_batch::Frame> frames;
    for (guint place = 0; place < step.sources.size(); ++place) {
      // The list is in reverse order of batch indices.
      frames.insert(frames.begin(), {step.sources[place], place, pts_of(step, place)});
    }
    nvds_batch::add(buffer, frames);
  }

  // Ends all tracks of a camera.
  void end(guint source) {
    end_tracks(&states_[source]);
    before_.erase(source);
  }

  void expect(GstBuffer* buffer, const Step& step, const std::vector<rdp::klt::Point>& points = {},
              guint points_place = 0) {
    if (step.ends) {
      for (const auto& [source, state] : std::map(states_)) end(source);
    }
    fail_unless_equals_int(gst_harness_push(stream_.harness, buffer), GST_FLOW_OK);
    g_autoptr(GstBuffer) output = gst_harness_pull(stream_.harness);
    const auto count = static_cast<guint>(step.sources.size());
    fail_unless_equals_int(gst_buffer_get_n_meta(output, GST_RDP_TRACKS_META_API_TYPE), count);
    for (guint place = 0; place < count; ++place) {
      const guint source = step.sources[place];
      GstRdpTracks* tracks = gst_rdp_buffer_get_batch_tracks(output, place);
      reference::Result expected;
      const std::vector<rdp::klt::Point> none;
      const rdp::klt::Input input = {
          pictures_[place].view(), {}, place == points_place ? points : none};
      reference::State& state = states_[source];
      state = reference::advance(state, input, parameters_, &expected);
      const std::string wrong = difference(tracks, expected);
      fail_unless(wrong.empty(), "batch %d, frame %u: %s", number_, place, wrong.c_str());
      const auto before = before_.find(source);
      fail_unless_equals_uint64(gst_rdp_tracks_get_info(tracks)->template_pts,
                                before == before_.end() ? GST_CLOCK_TIME_NONE : before->second);
      before_[source] = pts_of(step, place);
    }
    const std::string said = rdp::test::bus_texts(stream_.bus);
    const bool right =
        *step.warning == 0 ? said.empty() : said.find(step.warning) != std::string::npos;
    fail_unless(right, "batch %d: %s", number_, said.c_str());
    ++number_;
  }

  void push(const Step& step) {
    GstBuffer* buffer = make(step);
    if (step.named) name(buffer, step);
    expect(buffer, step);
  }
  Stream& stream() { return stream_; }

 private:
  Stream stream_;
  Parameters parameters_;
  std::vector<TestFrame> pictures_;
  std::map<guint, int> seen_;
  std::map<guint, reference::State> states_;
  std::map<guint, GstClockTime> before_;
  int number_ = 0;
};

// Until the batch size changes, the batch index identifies the camera, also of points.
CHECK_TEST(test_by_place) {
  Cameras cameras;
  for (guint number = 0; number < 8; ++number) {
    Step step = {{0, 1, 2}, GstClockTime{number} * 1000000, false};
    if (number >= 4) step.sources = {0, 1};
    step.ends = number == 4;
    if (step.ends) step.warning = "A batch has 2 frames, the previous one had 3";
    GstBuffer* buffer = cameras.make(step);
    std::vector<rdp::klt::Point> points;
    if (number == 2) {
      points = {{33, 44, 0, 0}};
      add_points(buffer, points)->batch_index = 1;
    }
    cameras.expect(buffer, step, points, 1);
  }
  fail_unless_equals_uint64(cameras.stream().stat("frames"), 4 * 3 + 4 * 2);
}

// Cameras appear in any order, leave and return, and contribute several frames to a batch.
CHECK_TEST(test_by_source) {
  const std::vector<std::vector<guint>> batches = {
      {7, 3}, {3, 7}, {3}, {4000000000, 7, 3}, {7, 7, 3, 7}, {3, 4000000000, 3}, {7}, {3, 7}};
  for (const Way& way : both_warps()) {
    Cameras cameras(way);
    GstClockTime pts = 0;
    for (const std::vector<guint>& sources : batches) cameras.push({sources, pts += GST_SECOND});
  }
}

// The state of a camera absent for more than ten seconds is dropped; its ids continue.
CHECK_TEST(test_absent) {
  Cameras cameras;
  cameras.push({{5, 9}, 0});
  cameras.push({{9, 5}, GST_SECOND});
  cameras.push({{9}, 11 * GST_SECOND});
  cameras.push({{5, 9}, 11 * GST_SECOND + 1});  // it was there ten seconds ago
  cameras.push({{9}, 21 * GST_SECOND + 2});
  cameras.end(5);
  cameras.push({{9, 5}, 22 * GST_SECOND});
  cameras.push({{5}, 23 * GST_SECOND});
}

// All tracks end, with a warning, when NvDsBatchMeta appears or disappears. Incomplete metadata is
// ignored and counts as missing.
CHECK_TEST(test_names_change) {
  const char* warning = "Only some batches carry NvDsBatchMeta";
  Cameras cameras;
  cameras.push({{0, 1}, 0});
  cameras.push({{0, 1}, GST_SECOND});
  cameras.push({{0, 1}, 2 * GST_SECOND, false, true, warning});
  cameras.push({{0, 1}, 3 * GST_SECOND, true, true, warning});
  using Spoil = void (*)(nvds_batch::Batch*);
  const auto spoil = [&](guint number, const Spoil& how) {
    const Step step = {{0, 1},
                       GstClockTime{4 + number} * 1000000000,
                       false,
                       number == 0,
                       number == 0 ? warning : ""};
    GstBuffer* buffer = cameras.make(step);
    how(nvds_batch::add(buffer, {{1, 0, 5}, {0, 1, 6}}));
    cameras.expect(buffer, step);
  };
  guint number = 0;
  for (const Spoil how : std::initializer_list<Spoil>{
           [](auto* batch) { batch->all.put(nvds_abi::base::kType, 100); },
           [](auto* batch) { batch->all.put(nvds_abi::batch::kFrames, 3); },
           [](auto* batch) { batch->frames[0]->put(nvds_abi::frame::kPlace, 2); },
           [](auto* batch) { batch->frames[0]->put(nvds_abi::frame::kPlace, 1); },
           [](auto* batch) { batch->frames[1]->put(nvds_abi::base::kType, 3); },
           [](auto* batch) { batch->frames[1]->put(nvds_abi::base::kBatch, nullptr); },
           [](auto* batch) { batch->list->next->data = nullptr; },
       }) {
    spoil(number++, how);
  }
  const Step step = {{0, 1}, 30 * GST_SECOND, false};
  GstBuffer* buffer = cameras.make(step);
  nvds_batch::add(buffer, {{1, 0, 5}, {0, 1, 6}}, nvds_abi::kBatchGst + 1);
  cameras.expect(buffer, step);
}

}  // namespace nvmm_batches

#endif  // RDP_TESTS_KLTTRACK_NVMM_BATCHES_H_
