// SPDX-License-Identifier: LGPL-2.1-or-later
// What klttrack costs beyond its kernels: pictures in CUDA memory through the element, and the same
// memory through the engine alone, in turns.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/klt/engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/element_stream.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/bench/klt_pictures.h"
#include "tests/bench/pushed_stream.h"
#include "tests/support/cuda_rows.h"

namespace {

using Clock = std::chrono::steady_clock;
using rdp::bench::KltPair;
using rdp::bench::summarize;

struct Repeats {
  int width = 640;
  int height = 480;
  int warm_ups = 100;
  int frames = 1000;
};

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// What the element does on the GPU, without the element: the tracks come to the host, too. In a
// context that is current.
class Kernels {
 public:
  void track(const rdp::cuda::DeviceDepthView& frame) {
    const rdp::cuda::KltInput input{frame, &state_, {}};
    engine_.track({&input, 1}, {}, {}, &list_, stream_.get());
  }
  void wait() const { stream_.synchronize(); }
  std::size_t fetch() {
    state_.commit();
    tracks_.resize(list_.track_count());
    lost_.resize(list_.lost_count());
    list_.copy_to(tracks_.data(), lost_.data(), stream_.get());
    return tracks_.size();
  }

 private:
  rdp::cuda::Stream stream_;
  rdp::cuda::KltState state_;
  rdp::cuda::KltEngine engine_;
  rdp::cuda::DeviceTrackList list_;
  std::vector<rdp::klt::Track> tracks_;
  std::vector<rdp::klt::Lost> lost_;
};

frames::Content content_of(const rdp::bench::GrayPicture& picture) {
  frames::Content content({GST_VIDEO_FORMAT_GRAY8, picture.width, picture.height});
  for (int y = 0; y < picture.height; ++y) {
    std::memcpy(content.view().row(y), picture.view().row(y), static_cast<gsize>(picture.width));
  }
  return content;
}

void measure_size(GstCudaContext* context, int width, int height, const Repeats& repeats) {
  const KltPair pair = rdp::bench::made_pair(width, height);
  const frames::Content contents[] = {content_of(pair.first), content_of(pair.second)};
  std::unique_ptr<GstBuffer, decltype(&gst_buffer_unref)> buffers[] = {{nullptr, gst_buffer_unref},
                                                                       {nullptr, gst_buffer_unref}};
  rdp::gst::CudaFrame views[2];
  std::string reason;
  for (int i = 0; i < 2; ++i) {
    buffers[i].reset(rdp::test::new_cuda_buffer(context, contents[i], &reason));
    if (buffers[i] == nullptr) throw std::runtime_error(reason);
  }
  g_autoptr(GstCaps) caps = frames::caps(contents[0].shape, GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
  std::size_t tracks = 0;
  rdp::bench::PushedStream stream(
      "klttrack", caps,
      [](GstElement* element) { gst_util_set_object_arg(G_OBJECT(element), "backend", "cuda"); },
      [&](GstBuffer* buffer) {
        gst_rdp_tracks_peek_tracks(gst_rdp_buffer_get_tracks(buffer), &tracks);
      });
  for (int i = 0; i < 2; ++i) {
    if (!views[i].map(buffers[i].get(), frames::video_info(contents[i].shape),
                      rdp::gst::Access::kRead, &reason)) {
      throw std::runtime_error("a frame in CUDA memory: " + reason);
    }
  }
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  Kernels kernels;
  int which = 0;  // forth and back, so that there is something to find in each
  const auto track = [&] {
    kernels.track(views[which ^= 1].view());
    kernels.wait();
    kernels.fetch();
  };
  if (rdp::bench::measured_energy(
          "klttrack", track, [] {}, [&] { stream.push(buffers[which ^= 1].get()); })) {
    return;
  }
  std::vector<double> alone;
  std::vector<double> fetched;
  std::vector<double> element;
  for (int i = 0; i < repeats.warm_ups + repeats.frames; ++i) {
    which ^= 1;
    Clock::time_point start = Clock::now();
    kernels.track(views[which].view());
    kernels.wait();
    const double work = since(start);
    const std::size_t expected = kernels.fetch();
    const double without = since(start);
    start = Clock::now();
    stream.push(buffers[which].get());
    const double with = since(start);
    if (tracks != expected) {
      throw std::runtime_error("the element and the engine disagree: nothing is timed");
    }
    if (i < repeats.warm_ups) continue;
    alone.push_back(work);
    fetched.push_back(without);
    element.push_back(with);
  }
  const double without = summarize(fetched).median;
  const double with = summarize(element).median;
  std::printf("| %dx%d | %zu | %.1f | %.1f | %.1f | %.1f |\n", width, height, tracks,
              summarize(alone).median, without, with, with - without);
  std::fflush(stdout);
}

void measure(const Repeats& repeats, bool quick) {
  const rdp::bench::BenchContext context;
  std::printf(
      "%s; us, medians of %d frames in CUDA memory after %d to warm up\n\n"
      "| frames | tracks | kernels, wait | and tracks on the host | element | element - all of "
      "that "
      "|\n|---|---|---|---|---|---|\n",
      context.name, repeats.frames, repeats.warm_ups);
  measure_size(context.context, repeats.width, repeats.height, repeats);
  if (!quick) measure_size(context.context, 1920, 1080, repeats);
  if (rdp::bench::energy_seconds > 0) return;
  std::printf("\nThe goal for the last column is 15 us or less.\n");
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_klt_overhead", "klttrack", [](bool quick) {
    measure(quick ? Repeats{160, 96, 4, 8} : Repeats{}, quick);
  });
}
