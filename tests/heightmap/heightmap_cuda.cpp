// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap on the GPU, over the stand-in driver or a real one: cases that the suite of all
// elements lacks. All pads in CUDA memory, and the copies then made; lens distortion; mixed
// memories; changing rigs and settings; the backend trial.
#include <optional>

#include "tests/heightmap/heights_rig.h"
#include "tests/support/check_test.h"
#include "tests/support/cuda_frames.h"

using namespace heights_rig;
using rdp::test::await;
using rdp::test::ExpectedHeights;

namespace {

const std::string kCudaCaps = " ! video/x-raw(memory:CUDAMemory) ";

GstBuffer* on_device(GstCudaContext* context, const Content& picture, GstClockTime pts) {
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(context, picture, &reason);
  fail_unless(buffer != nullptr, "%s", reason.c_str());
  return timed(buffer, pts);
}

void set_cuda_caps(const Rig& rig, const std::vector<Content>& pictures) {
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    rig.set_caps(Rig::source(static_cast<int>(i)).c_str(),
                 cuda_frames::caps_string(pictures[i].shape));
  }
}

void check_on_gpu(const Rig& rig) {
  g_autoptr(GstStructure) stats = rig.stats();
  fail_unless_equals_string(gst_structure_get_string(stats, "backend"), "cuda");
}

// Bytes copied between host and device so far, if the stand-in counts them.
struct Traffic {
  std::uint64_t to_device = 0;
  std::uint64_t to_host = 0;

  static Traffic now() {
    if (!standin::available()) return {};
    return {standin::bytes_copied("HtoD"), standin::bytes_copied("DtoH")};
  }
};

// If downstream caps name CUDA memory, all outputs stay on the GPU. Only heads and counts go to the
// host, and only the overlay's lines and texts come from it.
void check_all_pads(bool with_pictures) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const std::vector<BlockCamera> cameras = heights_rig::cameras({{160, 120}, {150, 110}});
  const std::vector<Content> pictures = draw(cameras);
  const rdp::heightmap::Area area = {{-1000, -800}, {1000, -800}, {1000, 800}, {-1000, 800}};
  const ExpectedHeights of = expected(cameras, pictures, 0, quick(), area);
  const rdp::heightmap::GroundGrid grid = rdp::heightmap::ground_grid(area, 50);
  const auto columns = static_cast<int>(grid.columns);
  const auto rows = static_cast<int>(grid.rows);
  std::vector<std::uint16_t> cells(static_cast<std::size_t>(columns) *
                                   static_cast<std::size_t>(rows));
  rdp::heightmap::draw_ground(of.rig, of.parameters, of.map.labels, grid,
                              {reinterpret_cast<std::byte*>(cells.data()), 2 * columns, columns,
                               rows, rdp::SampleType::kU16});
  rdp::test::Folder folder;
  const std::string sink = "! fakesink sync=false async=false name=";
  const std::string overlay = with_pictures ? " h.overlay " + kCudaCaps + sink + "pictures" : "";
  Rig rig(kQuick + calibration_of(&folder, cameras) + "area=\"-1,-.8 1,-.8 1,.8 -1,.8\" " +
              (with_pictures ? "" : "output=depth-mm"),
          {0, 1}, kCudaCaps + sink + "main" + overlay + " h.ground " + kCudaCaps);
  rdp::test::Received main(rig.get("main"));
  std::optional<rdp::test::Received> painted;
  if (with_pictures) painted.emplace(rig.get("pictures"));
  set_cuda_caps(rig, pictures);
  rig.play();
  constexpr std::uint64_t kSets = 8;
  constexpr std::uint64_t kSettled = 3;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    std::vector<GstBuffer*> frames;
    for (const Content& picture : pictures) {
      frames.push_back(on_device(context.get(), picture, set * kFrame));
    }
    const Traffic before = Traffic::now();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      rig.push(Rig::source(static_cast<int>(i)).c_str(), frames[i]);
    }
    fail_unless(await([&] {
      return main.count > set && rig.received().count > set && (!painted || painted->count > set);
    }));
    if (set < kSettled) continue;
    // A picture has 19200 bytes, the map of the ground 2560.
    const Traffic now = Traffic::now();
    const std::uint64_t to_device = now.to_device - before.to_device;
    const std::uint64_t to_host = now.to_host - before.to_host;
    fail_unless(to_device <= (with_pictures ? 8192 : 0), "%d bytes to the device",
                static_cast<int>(to_device));
    fail_unless(to_host < 1024, "%d bytes to the host", static_cast<int>(to_host));
  }
  rig.end_all();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  check_on_gpu(rig);
  fail_unless_equals_int(main.buffers.size(), kSets);
  for (std::size_t set = 0; set < kSets; ++set) {
    GstBuffer* ground = rig.received().buffers[set];
    fail_unless(rdp::gst::is_cuda_buffer(main.buffers[set]) && rdp::gst::is_cuda_buffer(ground));
    fail_unless(!painted || rdp::gst::is_cuda_buffer(painted->buffers[set]));
    check_heights(main.buffers[set], of, "set " + std::to_string(set), !with_pictures);
    fail_unless(heights_rig::samples(ground, columns, rows) == cells);
  }
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

}  // namespace

CHECK_TEST(test_all_pads_in_cuda_memory) {
  check_all_pads(true);
  check_all_pads(false);
}

// Lens distortion in system and CUDA memory. Another camera gives its view another map.
CHECK_TEST(test_lenses_that_distort) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  const std::vector<double> bends = {-0.12, -0.12, 0.2, 0.0, 0.2};
  for (const bool cuda : {false, true}) {
    for (const int reference : {0, 1}) {
      Rig rig(kQuick + "backend=cuda reference=" + std::to_string(reference), {0, 1});
      if (cuda) {
        set_cuda_caps(rig, pictures);
      } else {
        rig.set_caps_of(pictures);
      }
      for (std::size_t set = 0; set < bends.size(); ++set) {
        for (std::size_t i = 0; i < 2; ++i) {
          GstBuffer* frame = cuda ? on_device(context.get(), pictures[i], set * kFrame)
                                  : timed(frames::new_buffer(pictures[i]), set * kFrame);
          rig.push(Rig::source(static_cast<int>(i)).c_str(),
                   heights_rig::with_lens(frame, cameras[i], i == 1 ? bends[set] : 0.0));
        }
      }
      rig.check_runs();
      check_on_gpu(rig);
      for (std::size_t set = 0; set < bends.size(); ++set) {
        std::vector<Content> straight = pictures;
        if (bends[set] != 0.0) {
          straight[1] = heights_rig::straightened(cameras[1], pictures[1], bends[set]);
        }
        check_heights(rig.received().buffers.at(set), expected(cameras, straight, reference),
                      "set " + std::to_string(set));
      }
    }
  }
}

// One view on the GPU, the others in system memory; sizes differ.
CHECK_TEST(test_mixed_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  const std::vector<BlockCamera> cameras = three();
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  for (const int device : {0, 1}) {
    Rig rig(kQuick + calibration_of(&folder, cameras), {0, 1, 2});
    rig.set_caps_of(pictures);
    const auto view = static_cast<std::size_t>(device);
    rig.set_caps(Rig::source(device).c_str(), cuda_frames::caps_string(pictures[view].shape));
    for (std::size_t i = 0; i < 3; ++i) {
      rig.push(Rig::source(static_cast<int>(i)).c_str(),
               i == view ? on_device(context.get(), pictures[i], 0)
                         : timed(frames::new_buffer(pictures[i]), 0));
    }
    rig.check_runs();
    check_on_gpu(rig);
    check_heights(rig.received().buffers.at(0), expected(cameras, pictures), "mixed");
  }
}

// Heights and other settings change between sets, and with them the prepared data.
CHECK_TEST(test_settings_that_change) {
  const std::vector<BlockCamera> cameras = two();
  const std::vector<Content> pictures = draw(cameras);
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras) + "backend=cuda", {0, 1});
  rig.set_caps_of(pictures);
  rig.play();
  std::vector<rdp::heightmap::Parameters> used;
  rdp::heightmap::Parameters now = quick();
  const auto play = [&] {
    rig.push_set(pictures, used.size() * kFrame);
    used.push_back(now);
    fail_unless(await([&] { return rig.received().count == used.size(); }));
  };
  play();
  g_object_set(rig.element(), "max-height", 0.7, "unknown-cost", 60U, "slope", FALSE, nullptr);
  now.max_height = 700;
  now.unknown_cost = 60;
  now.slope = false;
  play();
  g_object_set(rig.element(), "window", 5U, "iterations", 30U, "tolerance", 2000U, "slope", TRUE,
               nullptr);
  now.window = 5;
  now.iterations = 30;
  now.tolerance = 2000;
  now.slope = true;
  play();
  g_object_set(rig.element(), "low-step", 0.0, "speckle", -1, "edge-contrast", 0U, nullptr);
  now.low_step = 0;
  now.speckle = -1;
  now.edge_contrast = 0;
  play();
  play();
  rig.end_all();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  check_on_gpu(rig);
  for (std::size_t i = 0; i < used.size(); ++i) {
    check_heights(rig.received().buffers[i], expected(cameras, pictures, 0, used[i]),
                  "set " + std::to_string(i));
  }
}

// backend=auto tries both backends on frames in system memory: the results are bit-identical.
CHECK_TEST(test_backend_trial) {
  const std::vector<BlockCamera> cameras = three();
  const std::vector<Content> pictures = draw(cameras);
  const ExpectedHeights of = expected(cameras, pictures);
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras), {0, 1, 2});
  rig.set_caps_of(pictures);
  for (guint64 set = 0; set < 30; ++set) rig.push_set(pictures, set * kFrame);
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 30);
  for (GstBuffer* got : rig.received().buffers) check_heights(got, of, "trial");
}

CHECK_CASE(heightmap_cuda, .seconds = 120, .missing = cuda_frames::missing)
