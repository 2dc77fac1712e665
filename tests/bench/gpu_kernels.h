// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_KERNELS_H_
#define RDP_TESTS_BENCH_GPU_KERNELS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/stereo/parameters.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/device_view.h"
#include "tests/bench/launch_timer.h"

// Kernel times of operations, one row per operation.
namespace rdp::bench {

struct KernelOptions {
  int replays = 0;
  bool quick = false;
  bool check = false;  // only compare results
  bool unchecked = false;
  bool kernels = false;
  int rounds = 0;
  // stereo
  std::string left, right;
  int width = 1242, height = 375;
  int check_rows = 40;
  bool confidence = false;
  stereo::Parameters stereo;
  // tracks
  int window = 16, levels = 3, pyramid_step = 2;
  int columns = 66, rows = 50;
  // planes and clouds
  std::string frame, cloud;
  double unit = 0.001, focal = 0.0;
  std::vector<int> streams;
  double seconds = 1.0;
  int points = 0;
  double noise = 0.008;
  // heights
  bool drawn = false;
  int views = 3;
  // drawing
  int threads = 1;

  int replays_or(int usual) const { return quick ? 5 : replays > 0 ? replays : usual; }
};

void measure_stereo(const KernelOptions& options);
void measure_tracks(const KernelOptions& options);
void measure_planes(const KernelOptions& options);
void measure_clouds(const KernelOptions& options);
void measure_obstacles(const KernelOptions& options);
void measure_heights(const KernelOptions& options);
void measure_drawing(const KernelOptions& options);

// Throws `wrong` unless `right`.
void require(bool right, const std::string& wrong);
void wait_for(CUstream stream);

// An image in device memory, with a stride that is a multiple of `align` bytes.
class DeviceImage {
 public:
  explicit DeviceImage(const DepthView& from, std::size_t align = 128);
  DeviceImage(int width, int height, SampleType type, std::size_t align = 128);

  const cuda::DeviceDepthView& view() const { return view_; }
  std::vector<std::byte> bytes() const;  // row after row, without padding

 private:
  void copy(const std::byte* from, std::byte* to, std::ptrdiff_t stride) const;

  cuda::DeviceBuffer memory_;
  cuda::DeviceDepthView view_;
};
// Copies bytes from the device.
std::vector<std::byte> bytes_on_device(CUdeviceptr data, std::size_t size);

// Median and minimum time of calls on the host, in microseconds.
Times time_on_host(int warm_ups, int calls, const std::function<void()>& work);

// The kernel names of a call's launches.
std::vector<std::string> launches_of(const std::function<void()>& call, CUstream stream);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_KERNELS_H_
