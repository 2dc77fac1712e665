// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements on frames in CUDA memory, and their kernels alone on the same memory. Also frames in
// system memory end to end, which adds the time of transfers.
#include <glib/gstdio.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>

#include "common/heightmap/engine.h"
#include "common/heightmap/ground.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/align/engine.h"
#include "kernels/depthfilter/engine.h"
#include "kernels/heightmap/engine.h"
#include "kernels/klt/engine.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/rdp/engine.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/copy_rows.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/stereo/engine.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/bench_context.h"
#include "tests/bench/crowd_sets.h"
#include "tests/bench/gpu_energy.h"
#include "tests/bench/on_device.h"
#include "tests/bench/stereo_views.h"
#include "tests/depthplanes/planes_expected.h"
#include "tests/heightmap/calibration_text.h"
#include "tests/klt/klt_frames.h"

namespace rdp::bench {
namespace {

constexpr char kGoal15[] = "The goal for the last column is 15 us or less.";

std::string device_name() { return BenchContext().name; }

// A calibration file that exists as long as this object.
class CalibrationFile {
 public:
  explicit CalibrationFile(const std::string& text) {
    g_autofree gchar* path = nullptr;
    const int file = g_file_open_tmp("overhead-XXXXXX.json", &path, nullptr);
    if (file < 0) throw std::runtime_error("there is no temporary file");
    g_close(file, nullptr);
    path_ = path;
    g_file_set_contents(path, text.data(), static_cast<gssize>(text.size()), nullptr);
  }
  ~CalibrationFile() { g_remove(path_.c_str()); }
  CalibrationFile(const CalibrationFile&) = delete;
  CalibrationFile& operator=(const CalibrationFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string size_of(const DepthView& view) { return formatted("%dx%d", view.width, view.height); }

// The columns of an element with results on the host.
std::vector<Column> columns_with(const char* results) {
  return {{"kernels", &Times::kernels},
          {formatted("kernels, wait, %s on the host", results), &Times::finished},
          {"element", &Times::element},
          {"element - kernels", less(&Times::element, &Times::kernels)},
          {"element - all of that", less(&Times::element, &Times::finished)}};
}

std::string medians_of(const Repeats& repeats) {
  return formatted("us, medians of %d frames in CUDA memory after %d to warm up", repeats.frames,
                   repeats.warm_ups);
}

// -- rdpsegment

class SegmentKernels : public OnDevice {
 public:
  SegmentKernels(const ElementStream& stream, const Parameters& parameters, bool reconstruct,
                 bool overlay)
      : OnDevice(stream), parameters_(parameters), reconstruct_(reconstruct) {
    const DeviceDepthView& frame = view(0);
    original_ = output(frame.width, frame.height, frame.type);
    cuda::copy_rows(frame, original_, this->stream(), "copying a frame");
    if (overlay) {
      const DeviceDepthView rows = output(4 * frame.width, frame.height, SampleType::kU8);
      picture_ = {rows.data, rows.pitch, frame.width, frame.height};
    }
    do {
      restore(0);
      enqueue(0);
      wait();
    } while (list_.grow_if_truncated());
    restore(0);
    wait();
  }

  void enqueue(std::size_t number) {
    const DeviceDepthView& frame = view(number);
    engine_.segment(frame, parameters_, &list_, stream());
    if (picture_.data != 0) {
      engine_.paint(frame, list_, 0, parameters_, {}, picture_, stream());
    }
    if (reconstruct_) engine_.reconstruct(frame, parameters_, list_, stream());
  }
  // True if reconstruction overwrites samples.
  bool restores() const { return reconstruct_; }
  void restore(std::size_t number) {
    cuda::copy_rows(original_, view(number), stream(), "copying a frame");
  }
  std::size_t found() const { return list_.segment_count(); }

 private:
  const Parameters parameters_;
  const bool reconstruct_;
  DeviceDepthView original_;
  cuda::DeviceRgbaView picture_{};
  cuda::SegmentEngine engine_;
  cuda::DeviceSegmentList list_;
};

std::size_t segments_of(GstBuffer* buffer) {
  return gst_rdp_segmentation_get_n_segments(gst_rdp_buffer_get_segmentation(buffer));
}

void measure_segments(const Run& run) {
  Parameters parameters;
  parameters.sample_scale = 1.0 / 256;
  const std::string element = "rdpsegment sample-scale=0.00390625";
  const std::vector<StreamInput> inputs{
      {"sink", {frames::draw({.width = 1242, .height = 1024}, test::Scene::kStreet, 0)}}};
  const Repeats repeats = run.repeats({200, 2000, 25, 200});
  Table table(
      run, repeats,
      device_name() + formatted(", %u CPU threads; street 1242x1024 GRAY16_LE, epsilon %g px; us a "
                                "frame; %d frames after %d to warm up, 8 buffers",
                                std::thread::hardware_concurrency(), parameters.epsilon,
                                repeats.frames, repeats.warm_ups),
      "in CUDA memory",
      {{"kernels", &Times::kernels},
       {"enqueueing them", &Times::enqueueing},
       {"kernels + wait", &Times::waited},
       {"element, median", &Times::element},
       {"element, mean", &Times::mean},
       {"element - kernels", less(&Times::element, &Times::kernels)}});
  for (const bool overlay : {false, true}) {
    for (const bool reconstruct : {false, true}) {
      Contest contest =
          contest_of<SegmentKernels>(std::string("segment") + (overlay ? ", overlay" : "") +
                                         (reconstruct ? ", reconstruct" : ""),
                                     element + (reconstruct ? " output=reconstruct" : ""), inputs,
                                     parameters, reconstruct, overlay);
      contest.stream.buffers = 8;
      if (overlay) contest.stream.outputs = {{"overlay", kCudaCaps}};
      contest.found = [](const ElementStream& stream) { return segments_of(stream.last()); };
      table.add(contest);
      if (run.energy > 0) return;
    }
  }
  table.end(
      "The goal for element - kernels of the first row is 15 us or less. Where enqueueing takes as "
      "long as the kernels,\nthey wait for the host: gpu_bench has their time alone.");

  Table whole(run, repeats, device_name() + "; the same frames; us",
              "from end to end, segments read by the CPU",
              {{"median", &Times::element}, {"mean", &Times::mean}});
  struct Row {
    const char* name;
    const char* backend;
    const char* feature;
    bool page_locked;
  };
  for (const Row& row : {Row{"CUDA memory", "cuda", kCudaMemory, false},
                         Row{"page-locked memory, backend=cuda", "cuda", nullptr, true},
                         Row{"system memory, backend=cuda", "cuda", nullptr, false},
                         Row{"system memory, backend=cpu", "cpu", nullptr, false}}) {
    Contest contest{
        row.name, {element + " backend=" + row.backend, inputs, row.feature}, row.backend};
    contest.stream.buffers = 8;
    contest.stream.page_locked = row.page_locked;
    contest.stream.look = [](GstBuffer* buffer) {
      gsize count = 0;
      gst_rdp_segmentation_peek_segments(gst_rdp_buffer_get_segmentation(buffer), &count);
    };
    whole.add(contest);
  }
}

// -- depthstereo

class StereoKernels : public OnDevice {
 public:
  StereoKernels(const ElementStream& stream, const stereo::Parameters& parameters, bool data_pads)
      : OnDevice(stream), parameters_(parameters) {
    const auto like_view = [&](SampleType type) {
      return output(view(0).width, view(0).height, type);
    };
    result_.disparity = like_view(SampleType::kU16);
    if (!data_pads) return;
    result_.confidence = like_view(SampleType::kU8);
    rectified_ = like_view(SampleType::kU8);
  }
  void enqueue(std::size_t number) {
    const DeviceDepthView& left = view(number, 0);
    if (rectified_.data != 0) cuda::copy_rows(left, rectified_, stream(), "copying a view");
    matcher_.match({left, view(number, 1), {}, {}}, parameters_, result_, stream());
  }

 private:
  const stereo::Parameters parameters_;
  cuda::StereoEngine matcher_;
  cuda::DeviceResult result_{};
  DeviceDepthView rectified_{};
};

void measure_stereo(const Run& run) {
  stereo::Parameters parameters;
  const StereoViews views(run.quick, &parameters);
  const Repeats repeats = run.repeats({});
  const std::string caption =
      device_name() + "; " + size_of(views.left.view()) +
      formatted(", %d disparities; us, medians of %d pairs after %d to warm up",
                parameters.disparities, repeats.frames, repeats.warm_ups);
  Table table(run, repeats, caption, "in CUDA memory, depthstereo",
              {{"kernels", &Times::kernels},
               {"kernels + wait", &Times::waited},
               {"element, pair complete to src", &Times::element},
               {"of it, from its thread having the pair", &Times::taken},
               {"element - kernels", less(&Times::element, &Times::kernels)},
               {"element - (kernels + wait)", less(&Times::element, &Times::waited)},
               {"the same from its thread", less(&Times::taken, &Times::waited)}});
  for (const int paths : {4, 8}) {
    parameters.paths = paths;
    for (const bool data_pads : {false, true}) {
      const Contest plain = views.contest(parameters, "cuda", 1);
      Contest contest = contest_of<StereoKernels>(
          formatted("%s, %d paths", data_pads ? "src, rectified, confidence" : "src", paths),
          plain.stream.element, plain.stream.inputs, parameters, data_pads);
      if (data_pads) {
        contest.stream.outputs = {{"rectified", kCudaCaps}, {"confidence", kCudaCaps}};
      }
      contest.found = plain.found;
      table.add(contest);
    }
  }
  table.end("The goal for element - kernels of the first row is 25 us or less.");
  Table whole(run, {repeats.warm_ups / 4, repeats.frames / 4}, caption,
              "in system memory, from end to end",
              {{"median", &Times::element}, {"mean", &Times::mean}});
  for (const int paths : {4, 8}) {
    parameters.paths = paths;
    for (const char* backend : {"cuda", "cpu"}) {
      Contest contest = views.contest(parameters, backend, 0);
      contest.name = formatted("backend=%s, %d paths", backend, paths);
      whole.add(contest);
    }
  }
}

// -- depthplanes, depthfilter, depthalign: drawn planes

class PlaneKernels : public OnDevice {
 public:
  PlaneKernels(const ElementStream& stream, const MetricCamera& camera)
      : OnDevice(stream),
        camera_(camera),
        labels_(output(view(0).width, view(0).height, SampleType::kU8)) {}
  void enqueue(std::size_t number) { finder_.find(view(number), camera_, {}, labels_, stream()); }
  void take_results() { planes_ = finder_.planes().planes.size(); }
  std::size_t found() const { return planes_; }

 private:
  const MetricCamera camera_;
  DeviceDepthView labels_;
  cuda::FramePlanesEngine finder_;
  std::size_t planes_ = 0;
};

// The kernels of depthfilter, in place.
class FilterKernels : public OnDevice {
 public:
  explicit FilterKernels(const ElementStream& stream) : OnDevice(stream) {
    parameters_.tolerance = filter::inverse_tolerance(6.0, 1e6);
  }
  void enqueue(std::size_t number) {
    filter_.start(view(number), parameters_, view(number), stream());
  }
  void take_results() { filter_.take_counts(); }

 private:
  filter::Parameters parameters_;
  cuda::DepthFilter filter_;
};

planes_rig::Drawn drawn(int width, int height) {
  return planes_rig::Drawn({GST_VIDEO_FORMAT_GRAY16_LE, width, height});
}

std::vector<planes_rig::Drawn> drawn_frames(const Run& run) {
  if (run.quick) return {drawn(160, 96)};
  return {drawn(640, 480), drawn(1280, 720)};
}

void measure_planes(const Run& run) {
  const Repeats repeats = run.repeats({});
  Table table(run, repeats, device_name() + ", depthplanes; " + medians_of(repeats), "frames",
              columns_with("planes"));
  for (const planes_rig::Drawn& frame : drawn_frames(run)) {
    const MetricCamera& camera = frame.camera;
    Contest contest = contest_of<PlaneKernels>(
        size_of(frame.content.view()),
        formatted("depthplanes focal-length=%.17g focal-length-y=%.17g principal-x=%.17g "
                  "principal-y=%.17g depth-unit=%.17g",
                  camera.focal_x, camera.focal_y, camera.principal_x, camera.principal_y,
                  camera.depth.factor),
        {{"sink", {frame.content}}}, camera);
    auto found = std::make_shared<std::size_t>();
    contest.stream.look = [found](GstBuffer* buffer) {
      *found = gst_rdp_planes_get_n_planes(gst_rdp_buffer_get_planes(buffer));
    };
    contest.found_of_each = found.get();
    table.add(contest);
  }
  table.end(kGoal15);
}

void measure_filter(const Run& run) {
  const Repeats repeats = run.repeats({});
  Table table(run, repeats, device_name() + ", depthfilter; " + medians_of(repeats), "frames",
              columns_with("counts"));
  for (const planes_rig::Drawn& frame : drawn_frames(run)) {
    table.add(contest_of<FilterKernels>(size_of(frame.content.view()),
                                        "depthfilter depth-unit=0.001",
                                        {{"sink", {frame.content}}}));
  }
  table.end(kGoal15);
}

class AlignKernels : public OnDevice {
 public:
  AlignKernels(const ElementStream& stream, const align::Parameters& parameters, int width,
               int height)
      : OnDevice(stream),
        parameters_(parameters),
        aligned_(output(width, height, SampleType::kU16)) {}
  void enqueue(std::size_t number) {
    aligner_.align(view(number), parameters_, aligned_, stream());
  }
  void take_results() { aligner_.take_counts(); }

 private:
  const align::Parameters parameters_;
  const DeviceDepthView aligned_;
  cuda::DepthAligner aligner_;
};

void measure_align(const Run& run) {
  constexpr double kFocal = 525;  // px
  const planes_rig::Drawn frame = drawn_frames(run)[0];
  const DepthView depth = frame.content.view();
  const int width = 2 * depth.width;
  const int height = 3 * depth.height / 2;
  const auto lens = [](int w, int h, double focal) {
    return CameraLens{focal, focal, (w - 1) / 2.0, (h - 1) / 2.0, {}};
  };
  align::Parameters parameters;
  static_cast<CameraLens&>(parameters.source) = lens(depth.width, depth.height, kFocal);
  parameters.source.depth = {false, 0.0, 0.001, 0.0};
  parameters.target = lens(width, height, 920.0 / 1280 * width);
  parameters.movement.m[3] = -0.015;
  const CalibrationFile target(
      formatted("{\"size\":[%d,%d],\"focal-length\":%.17g,\"principal-x\":%g,\"principal-y\":%g}",
                width, height, parameters.target.focal_x, parameters.target.principal_x,
                parameters.target.principal_y));
  const Repeats repeats = run.repeats({});
  Table table(run, repeats, device_name() + ", depthalign; " + medians_of(repeats), "frames",
              {{"kernels", &Times::kernels},
               {"kernels + wait", &Times::finished},
               {"element", &Times::element},
               {"of it, from its thread having the frame", &Times::taken},
               {"element - (kernels + wait)", less(&Times::element, &Times::finished)},
               {"the same from its thread", less(&Times::taken, &Times::finished)}});
  table.add(contest_of<AlignKernels>(
      size_of(depth) + formatted(" to %dx%d", width, height),
      formatted("depthalign depth-unit=0.001 focal-length=%g target-calibration=", kFocal) +
          target.path() + " extrinsics=<1.,0.,0.,-0.015,0.,1.,0.,0.,0.,0.,1.,0.>",
      {{"depth", {frame.content}}}, parameters, width, height));
  table.end(kGoal15);
}

// -- heightmap

class HeightKernels : public OnDevice {
 public:
  HeightKernels(const ElementStream& stream, const heightmap::Rig& rig,
                const heightmap::Parameters& parameters)
      : OnDevice(stream), heights_(output(rig.seen().width, rig.seen().height, SampleType::kU16)) {
    engine_.prepare(rig, parameters);
    for (std::size_t number = 0; number < buffers(); ++number) {
      std::vector<DeviceDepthView> set;
      for (std::size_t input = 0; input < inputs(); ++input) set.push_back(view(number, input));
      sets_.push_back(std::move(set));
    }
  }
  void enqueue(std::size_t number) {
    engine_.run(sets_[number % sets_.size()], stream());
    engine_.write_heights(heights_, stream());
  }
  void take_results() { engine_.finish({}); }

 private:
  DeviceDepthView heights_;
  cuda::HeightEngine engine_;
  std::vector<std::vector<DeviceDepthView>> sets_;
};

std::vector<std::uint16_t> heights_by_cpu(const CrowdSet& set,
                                          const heightmap::Parameters& parameters) {
  heightmap::Engine engine;
  engine.prepare(set.rig, parameters, {}, UINT64_MAX);
  const heightmap::Result result = engine.run(set.pictures());
  const heightmap::View& seen = set.rig.seen();
  std::vector<std::uint16_t> samples(result.labels.size());
  heightmap::write_heights(parameters, result.labels,
                           {reinterpret_cast<std::byte*>(samples.data()), 2 * seen.width,
                            seen.width, seen.height, SampleType::kU16});
  return samples;
}

void measure_heights(const Run& run) {
  DrawnCrowd crowd;
  if (run.quick) crowd.width = 160;
  if (run.quick) crowd.height = 128;
  const CrowdSet set = draw_crowd(crowd);
  const CalibrationFile calibration(test::calibration_text(set.rig.views));
  std::vector<StreamInput> inputs;
  for (std::size_t i = 0; i < set.pixels.size(); ++i) {
    const heightmap::View& view = set.rig.views[i];
    frames::Content content({GST_VIDEO_FORMAT_GRAY8, view.width, view.height});
    std::memcpy(content.samples.data(), set.pixels[i].data(), set.pixels[i].size());
    inputs.push_back({formatted("sink_%zu", i), {content}});
  }
  const Repeats repeats = run.repeats({50, 400, 15, 20});
  Table table(run, repeats,
              device_name() + formatted("; %dx%d, %zu views; us, medians of %d sets in CUDA memory "
                                        "after %d to warm up",
                                        crowd.width, crowd.height, set.rig.views.size(),
                                        repeats.frames, repeats.warm_ups),
              "half-iterations",
              {{"kernels", &Times::kernels},
               {"kernels + wait", &Times::waited},
               {"and finish()", &Times::finished},
               {"element, set complete to src", &Times::element},
               {"of it, from its thread having the set", &Times::taken},
               {"element - kernels", less(&Times::element, &Times::kernels)},
               {"element - (kernels, wait, finish())", less(&Times::element, &Times::finished)},
               {"the same from its thread", less(&Times::taken, &Times::finished)}});
  for (const int iterations : {4, 40}) {
    heightmap::Parameters parameters;
    parameters.iterations = iterations;
    Contest contest = contest_of<HeightKernels>(
        std::to_string(iterations),
        formatted("heightmap iterations=%d calibration=", iterations) + calibration.path(), inputs,
        set.rig, parameters);
    contest.found = [expected = heights_by_cpu(set, parameters)](const ElementStream& stream) {
      return different_samples(stream, expected);
    };
    table.add(contest);
  }
  table.end("The goal for the element - (kernels, wait, finish()) is 30 us or less.");
}

// -- klttrack

class TrackKernels : public OnDevice {
 public:
  static constexpr bool kOneByOne = true;  // each frame depends on the previous one's commit

  explicit TrackKernels(const ElementStream& stream) : OnDevice(stream) {}
  void enqueue(std::size_t number) {
    const cuda::KltInput input{view(number), &state_, {}};
    engine_.track({&input, 1}, {}, {}, &list_, stream());
  }
  // Commits, and copies the tracks to the host.
  void take_results() {
    state_.commit();
    tracks_.resize(list_.track_count());
    lost_.resize(list_.lost_count());
    list_.copy_to(tracks_.data(), lost_.data(), stream());
  }
  std::size_t found() const { return tracks_.size(); }

 private:
  cuda::KltState state_;
  cuda::KltEngine engine_;
  cuda::DeviceTrackList list_;
  std::vector<klt::Track> tracks_;
  std::vector<klt::Lost> lost_;
};

void measure_tracks(const Run& run) {
  const Repeats repeats = run.repeats({});
  Table table(run, repeats, device_name() + ", klttrack; " + medians_of(repeats), "frames",
              {{"tracks", &Times::found, 0},
               {"kernels, wait", &Times::waited},
               {"and tracks on the host", &Times::finished},
               {"element", &Times::element},
               {"element - all of that", less(&Times::element, &Times::finished)}});
  for (const auto& [width, height] : {std::pair{640, 480}, std::pair{1920, 1080}}) {
    const frames::Shape shape{GST_VIDEO_FORMAT_GRAY8, run.quick ? 160 : width,
                              run.quick ? 96 : height};
    // A texture that moves back and forth, so that each frame has features to find.
    std::vector<frames::Content> contents;
    for (const int step : {0, 1}) {
      const test::TestFrame frame = test::klt_picture(test::PictureKind::kTexture, shape.width,
                                                      shape.height, 1, 5 * step, -3 * step);
      contents.emplace_back(shape);
      for (int row = 0; row < shape.height; ++row) {
        std::memcpy(contents.back().view().row(row), frame.view().row(row),
                    frames::row_bytes(shape));
      }
    }
    auto found = std::make_shared<std::size_t>();
    Contest contest = contest_of<TrackKernels>(formatted("%dx%d", shape.width, shape.height),
                                               "klttrack", {{"sink", contents}});
    contest.stream.look = [found](GstBuffer* buffer) {
      gst_rdp_tracks_peek_tracks(gst_rdp_buffer_get_tracks(buffer), found.get());
    };
    contest.found_of_each = found.get();
    table.add(contest);
    if (run.quick) break;
  }
  table.end(kGoal15);
}

}  // namespace

std::vector<Subject> gpu_subjects() {
  return {{"gpu/rdpsegment", measure_segments}, {"gpu/depthstereo", measure_stereo},
          {"gpu/depthplanes", measure_planes},  {"gpu/depthfilter", measure_filter},
          {"gpu/depthalign", measure_align},    {"gpu/heightmap", measure_heights},
          {"gpu/klttrack", measure_tracks}};
}

std::string gpu_missing() {
  std::string reason;
  if (!gst::cuda_memory_usable(&reason)) return reason;
  if (cuda::load_driver(&reason) != nullptr && cuda::device_count() > 0) return "";
  return "no CUDA device: " + reason;
}

void run_gpu_energy(double seconds, const std::string& what, std::vector<EnergySide>* sides) {
  run_energy(current_gpu_energy(), seconds, what, sides);
}

}  // namespace rdp::bench
