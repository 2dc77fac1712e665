// SPDX-License-Identifier: LGPL-2.1-or-later
// The throughput of several rdpsegment in one process: each has its own thread with a continuous
// supply of frames in CUDA memory. GST_PLUGIN_PATH selects the plugin, so that the same program
// measures other builds, too.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/rdp/engine.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/bench_context.h"
#include "tests/bench/element_stream.h"
#include "tests/bench/gpu_energy.h"
#include "tests/bench/gray_png.h"
#include "tests/bench/many_threads.h"
#include "tests/support/command_line.h"
#include "tests/support/depth_patterns.h"

using rdp::bench::ElementStream;
using rdp::bench::measure_threads;
using rdp::bench::Rate;
using rdp::bench::StreamSetup;
using rdp::cuda::check;
using rdp::cuda::driver;

namespace {

struct Frame {
  std::string name;
  frames::Content content;
  rdp::Parameters parameters;

  rdp::DepthView view() const { return content.view(); }
};

Frame street() {
  Frame frame{
      "street", frames::draw({.width = 1242, .height = 1024}, rdp::test::Scene::kStreet, 0), {}};
  frame.parameters.sample_scale = 1.0 / 256;
  return frame;
}

// Scales to the street's size by nearest samples, so that unknown samples stay unknown.
Frame recorded(const std::filesystem::path& file) {
  const rdp::reference::Frame picture = rdp::bench::read_gray_png(file.string());
  if (picture.width == 0) throw std::runtime_error(file.string() + " is no PNG of 16-bit gray");
  Frame frame = street();
  frame.name = file.stem().string();
  const rdp::MutableDepthView to = frame.content.view();
  for (int row = 0; row < to.height; ++row) {
    auto* samples = reinterpret_cast<std::uint16_t*>(to.row(row));
    const int from = row * picture.height / to.height;
    for (int column = 0; column < to.width; ++column) {
      const int of = column * picture.width / to.width;
      samples[column] = picture.samples[static_cast<std::size_t>(from) * picture.width + of];
    }
  }
  return frame;
}

struct Setup {
  double seconds = 1;
  double energy = 0;
  bool read = false;
  bool own_contexts = false;
  bool kernels = true;
};

struct ContextUnref {
  void operator()(GstContext* context) const { gst_context_unref(context); }
};

using SharedContext = std::unique_ptr<GstContext, ContextUnref>;

SharedContext new_shared_context() {
  GstCudaContext* cuda = gst_cuda_context_new(0);
  if (cuda == nullptr) throw std::runtime_error("no CUDA context can be made");
  SharedContext context(gst_context_new_cuda_context(cuda));
  gst_object_unref(cuda);
  return context;
}

std::vector<std::unique_ptr<ElementStream>> elements_of(const Frame& frame, const Setup& setup,
                                                        int count, GstContext* context) {
  char element[128];
  std::snprintf(element, sizeof element, "rdpsegment epsilon=%.17g sample-scale=%.17g",
                frame.parameters.epsilon, frame.parameters.sample_scale);
  StreamSetup stream{element, {{"sink", {frame.content}}}, "memory:CUDAMemory"};
  stream.buffers = 8;
  stream.context = context;
  if (setup.read) {
    stream.look = [](GstBuffer* buffer) {
      gsize segments = 0;
      gst_rdp_segmentation_peek_segments(gst_rdp_buffer_get_segmentation(buffer), &segments);
    };
  }
  std::vector<std::unique_ptr<ElementStream>> elements;
  for (int i = 0; i < count; ++i) {
    elements.push_back(std::make_unique<ElementStream>(stream));
  }
  return elements;
}

// Elements in their own threads, which count frames.
class RunningElements {
 public:
  RunningElements(const Frame& frame, const Setup& setup, int count, GstContext* context)
      : elements_(elements_of(frame, setup, count, context)),
        threads_(count, [this](int i, const std::atomic<bool>& stop, std::atomic<long>* frames) {
          elements_[static_cast<std::size_t>(i)]->run(stop, frames);
        }) {}

  // The number of frames since the last call, after a few milliseconds.
  long frames() {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const long before = std::exchange(counted_, threads_.total());
    return counted_ - before;
  }
  void stop() { threads_.stop(); }

 private:
  std::vector<std::unique_ptr<ElementStream>> elements_;
  rdp::bench::CountingThreads threads_;
  long counted_ = 0;
};

void measure_energy(const std::vector<Frame>& frames, const std::vector<int>& counts,
                    const Setup& setup) {
  const SharedContext context = new_shared_context();
  std::vector<rdp::bench::EnergySide> sides;
  for (const Frame& frame : frames) {
    for (const int count : counts) {
      const auto elements = std::make_shared<std::unique_ptr<RunningElements>>();
      sides.push_back({frame.name + ", " + std::to_string(count) + " elements",
                       [elements] { return (*elements)->frames(); },
                       [elements, &frame, &setup, count, &context] {
                         *elements =
                             std::make_unique<RunningElements>(frame, setup, count, context.get());
                       },
                       [elements] {
                         (*elements)->stop();
                         elements->reset();
                       }});
    }
  }
  const rdp::bench::BenchContext device;
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(device.context));
  rdp::bench::run_energy(rdp::bench::current_gpu_energy(), setup.energy, "elements", &sides);
}

Rate measure_elements(const Frame& frame, const Setup& setup, int count, GstContext* context) {
  const auto elements = elements_of(frame, setup, count, context);
  return measure_threads(count, setup.seconds,
                         [&](int i, const std::atomic<bool>& stop, std::atomic<long>* frames) {
                           elements[static_cast<std::size_t>(i)]->run(stop, frames);
                         });
}

// The kernels of the program's own engine: as many streams, with a wait only after many frames.
class KernelStream {
 public:
  explicit KernelStream(const Frame& frame) : parameters_(frame.parameters) {
    const rdp::DepthView from = frame.view();
    const rdp::cuda::HostRows rows{from.data, from.stride, static_cast<std::size_t>(from.width) * 2,
                                   from.height};
    const std::size_t pitch = rdp::cuda::device_pitch(rows.row_bytes);
    view_ = {memory_.ensure(pitch * static_cast<std::size_t>(from.height)),
             static_cast<std::int64_t>(pitch), from.width, from.height, rdp::SampleType::kU16};
    transfer_.upload(rows, {view_.data, pitch}, stream_.get());
    do {
      engine_.segment(view_, parameters_, &list_, stream_.get());
      stream_.synchronize();
    } while (list_.grow_if_truncated());
  }

  void run(const std::atomic<bool>& stop, std::atomic<long>* frames) {
    constexpr int kAtATime = 32;
    while (!stop) {
      for (int i = 0; i < kAtATime; ++i) {
        engine_.segment(view_, parameters_, &list_, stream_.get());
      }
      stream_.synchronize();
      frames->fetch_add(kAtATime, std::memory_order_relaxed);
    }
  }

 private:
  rdp::Parameters parameters_;
  rdp::cuda::Stream stream_;
  rdp::cuda::BandTransfer transfer_;
  rdp::cuda::DeviceBuffer memory_;
  rdp::cuda::DeviceDepthView view_;
  rdp::cuda::SegmentEngine engine_;
  rdp::cuda::DeviceSegmentList list_;
};

double kernel_rate(const Frame& frame, const Setup& setup, int count) {
  GstCudaContext* context = gst_cuda_context_new(0);
  if (context == nullptr) throw std::runtime_error("no CUDA context can be made");
  const std::shared_ptr<void> keeper(context, gst_object_unref);
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  std::vector<std::unique_ptr<KernelStream>> streams;
  for (int i = 0; i < count; ++i) streams.push_back(std::make_unique<KernelStream>(frame));
  return measure_threads(count, setup.seconds,
                         [&](int i, const std::atomic<bool>& stop, std::atomic<long>* frames) {
                           const rdp::cuda::ContextScope own(rdp::gst::cuda_handle(context));
                           streams[static_cast<std::size_t>(i)]->run(stop, frames);
                         })
      .frames;
}

int measure(const std::vector<int>& counts, const Setup& setup,
            const std::vector<std::string>& files) {
  std::string reason;
  if (!rdp::gst::cuda_memory_usable(&reason)) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  std::vector<Frame> frames{street()};
  for (const std::string& file : files) frames.push_back(recorded(file));
  std::printf("%u CPU threads; frames of %dx%d GRAY16_LE in CUDA memory, epsilon %g px%s; %s\n\n",
              std::thread::hardware_concurrency(), frames[0].view().width, frames[0].view().height,
              frames[0].parameters.epsilon, setup.read ? ", segments read by the CPU" : "",
              setup.own_contexts ? "a CUDA context for each element" : "one CUDA context");
  if (setup.energy > 0) {
    measure_energy(frames, counts, setup);
    return 0;
  }
  std::printf(
      "| frame | elements | frames/s | us a frame | CPU us a frame | frames/s of the kernels "
      "alone, "
      "in one context |\n|---|---|---|---|---|---|\n");
  for (const Frame& frame : frames) {
    for (const int count : counts) {
      const SharedContext context = setup.own_contexts ? nullptr : new_shared_context();
      const Rate rate = measure_elements(frame, setup, count, context.get());
      std::printf("| %s | %d | %.0f | %.2f | %.1f | %.0f |\n", frame.name.c_str(), count,
                  rate.frames, 1e6 / rate.frames, rate.busy_us,
                  setup.kernels ? kernel_rate(frame, setup, count) : 0.0);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  std::string elements = "1,8,32";
  bool quick = false;
  bool no_kernels = false;
  rdp::test::CommandLine line(
      "Frames a second of many rdpsegment in one process, each in a thread of its own.\n"
      "PNG: recorded disparity, 16 bit, in 1/256 px; scaled to 1242x1024.\n"
      "GST_PLUGIN_PATH and LD_LIBRARY_PATH choose the build that is measured.");
  line.word("elements", &elements, "how many at a time (1,8,32; with --quick 1,4)", "N,N...");
  line.number("seconds", &setup.seconds, "for each measurement (1)", "S");
  line.number("energy", &setup.energy,
              "joules a frame instead of times: for so long each number, 20 or more", "SECONDS");
  line.flag("read", &setup.read, "the CPU reads the segments of each frame");
  line.flag("own-contexts", &setup.own_contexts,
            "a CUDA context for each element, as pipelines have that share none");
  line.flag("no-kernels", &no_kernels, "the elements alone");
  line.flag("quick", &quick, "a few frames, whose times mean nothing");
  line.group(gst_init_get_option_group());
  const std::vector<std::string> files = line.read(argc, argv, "[PNG...]");
  setup.kernels = !no_kernels;
  if (quick) {
    setup.seconds = 0.05;
    if (elements == "1,8,32") elements = "1,4";
  }
  if (!(setup.seconds > 0 && setup.seconds <= 60)) {
    rdp::test::wrong_usage("--seconds takes a time up to 60");
  }
  try {
    return measure(rdp::bench::thread_counts("elements", elements), setup, files);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_streams: %s\n", error.what());
    return 1;
  }
}
