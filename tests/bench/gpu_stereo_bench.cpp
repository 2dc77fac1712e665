// SPDX-License-Identifier: LGPL-2.1-or-later
// How long stereo matching takes on a GPU, from pictures in device memory to the disparity there,
// by CUDA events. First the result is compared with the reference, on as many rows as --check says:
// a pair of its own, because paths cross the whole picture. --help has the options.
//
//   match   a replay of a CUDA graph of one match: what a stream of pairs takes for each
//   single  one match started without a graph
//   rdp_... the time of each kernel: of a graph with it alone, many times one after the other, so
//           that its launch hides behind the one before it
//
// Times are the median and the least of --replays.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/stereo/reference.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/stereo/engine.h"
#include "tests/bench/gray_png.h"
#include "tests/bench/launch_timer.h"
#include "tests/stereo/stereo_patterns.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

struct Options {
  int width = 1242;
  int height = 375;
  int replays = 101;
  int check_rows = 40;
  int device = 0;
  bool confidence = false;
  bool quick = false;
  std::string left;
  std::string right;
  stereo::Parameters parameters;
};

Options read_options(int argc, char** argv) {
  Options o;
  stereo::Parameters& p = o.parameters;
  test::CommandLine line("How long stereo matching takes on a GPU.");
  line.file("left", &o.left, "an 8-bit gray PNG instead of a made pair");
  line.file("right", &o.right, "the right view of it");
  line.number("width", &o.width, {1, kMaxSide}, "of the made pair (1242)");
  line.number("height", &o.height, {1, kMaxSide}, "of the made pair (375)");
  line.number("disparities", &p.disparities, {16, stereo::kMaxDisparities}, "16 to 256 (128)");
  line.number("min-disparity", &p.min_disparity, {}, "the first of them (0)");
  line.number("paths", &p.paths, {}, "4 or 8 (4)");
  line.number("median", &p.median, {}, "0, 3 or 5 (3)");
  line.number("speckle-size", &p.speckle_size, {0, 65535}, "pixels, 0: off (100)");
  line.flag("confidence", &o.confidence, "the confidence, too");
  line.number("replays", &o.replays, {1, 100000}, "each time is their median (101)");
  line.number("check", &o.check_rows, {0, kMaxSide}, "rows that are compared first (40)");
  line.number("device", &o.device, {}, "which GPU (0)");
  line.flag("quick", &o.quick, "a small pair, 5 replays");
  line.read(argc, argv);
  if (o.left.empty() != o.right.empty()) test::wrong_usage("--left and --right need each other");
  if (o.quick) {
    o.width = 160;
    o.height = 40;
    o.replays = 5;
    o.check_rows = 10;
    p.disparities = 32;
  }
  test::check_range("--min-disparity", p.min_disparity, -stereo::kMaxMinDisparity,
                    std::min(stereo::kMaxMinDisparity, stereo::kMaxDisparities - p.disparities));
  if (p.disparities % stereo::kDisparityStep != 0) {
    test::wrong_usage("--disparities is a multiple of 16");
  }
  if (p.paths != 4 && p.paths != 8) test::wrong_usage("--paths is 4 or 8");
  if (p.median != 0 && p.median != 3 && p.median != 5) test::wrong_usage("--median is 0, 3 or 5");
  return o;
}

// Both views, 8 bits, without padding.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::byte> left;
  std::vector<std::byte> right;

  DepthView view(const std::vector<std::byte>& bytes, int rows) const {
    return {bytes.data(), width, width, rows, SampleType::kU8};
  }
};

std::vector<std::byte> bytes_of(const reference::Frame& frame) {
  std::vector<std::byte> bytes;
  for (const std::uint16_t sample : frame.samples) bytes.push_back(static_cast<std::byte>(sample));
  return bytes;
}

Picture picture_of(const Options& options) {
  Picture picture;
  if (!options.left.empty()) {
    const reference::Frame left = read_gray_png(options.left);
    const reference::Frame right = read_gray_png(options.right);
    if (left.width == 0 || left.width != right.width || left.height != right.height) {
      std::fprintf(stderr, "%s and %s are no gray PNGs of one size\n", options.left.c_str(),
                   options.right.c_str());
      std::exit(2);
    }
    picture = {left.width, left.height, bytes_of(left), bytes_of(right)};
    return picture;
  }
  const std::size_t pixels =
      static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
  picture = {options.width, options.height, std::vector<std::byte>(pixels),
             std::vector<std::byte>(pixels)};
  const auto writable = [&](std::vector<std::byte>& bytes) {
    return MutableDepthView{bytes.data(), options.width, options.width, options.height,
                            SampleType::kU8};
  };
  draw_pair(test::PairKind::kTextured, {writable(picture.left), writable(picture.right), {}, {}},
            options.parameters, 1);
  return picture;
}

// A pair and its result in device memory.
class DevicePictures {
 public:
  DevicePictures(const Picture& picture, int rows, bool confidence)
      : width_(picture.width), rows_(rows) {
    pitch_ = (static_cast<std::size_t>(width_) + 255) / 256 * 256;
    upload(picture.left, &left_);
    upload(picture.right, &right_);
    disparity_.ensure(2 * pitch_ * static_cast<std::size_t>(rows));
    if (confidence) confidence_.ensure(pitch_ * static_cast<std::size_t>(rows));
  }

  cuda::DevicePair pair() const { return {gray(left_), gray(right_), {}, {}}; }
  cuda::DeviceResult result() const {
    cuda::DeviceDepthView disparity{disparity_.get(), static_cast<std::int64_t>(2 * pitch_), width_,
                                    rows_, SampleType::kU16};
    return {disparity, confidence_.get() == 0 ? cuda::DeviceDepthView{} : gray(confidence_)};
  }
  std::vector<std::uint16_t> disparities() const {
    std::vector<std::uint16_t> all(static_cast<std::size_t>(width_) *
                                   static_cast<std::size_t>(rows_));
    for (int row = 0; row < rows_; ++row) {
      const auto r = static_cast<std::size_t>(row);
      check(driver().cuMemcpyDtoHAsync_v2(&all[r * static_cast<std::size_t>(width_)],
                                          disparity_.get() + r * 2 * pitch_,
                                          2 * static_cast<std::size_t>(width_), nullptr),
            "copying the disparity");
    }
    check(driver().cuStreamSynchronize(nullptr), "copying the disparity");
    return all;
  }

 private:
  cuda::DeviceDepthView gray(const cuda::DeviceBuffer& buffer) const {
    return {buffer.get(), static_cast<std::int64_t>(pitch_), width_, rows_, SampleType::kU8};
  }
  void upload(const std::vector<std::byte>& bytes, cuda::DeviceBuffer* to) const {
    to->ensure(pitch_ * static_cast<std::size_t>(rows_));
    for (int row = 0; row < rows_; ++row) {
      const auto r = static_cast<std::size_t>(row);
      check(driver().cuMemcpyHtoDAsync_v2(to->get() + r * pitch_,
                                          &bytes[r * static_cast<std::size_t>(width_)],
                                          static_cast<std::size_t>(width_), nullptr),
            "copying a picture");
    }
    check(driver().cuStreamSynchronize(nullptr), "copying a picture");
  }

  int width_;
  int rows_;
  std::size_t pitch_;
  cuda::DeviceBuffer left_, right_, disparity_, confidence_;
};

// Ends the program where the GPU's first rows differ from the reference's.
void compare(const Picture& picture, const Options& options, cuda::StereoEngine* matcher) {
  const int rows = std::min(options.check_rows, picture.height);
  if (rows == 0) return;
  const DevicePictures device(picture, rows, options.confidence);
  const cuda::Stream stream;
  matcher->match(device.pair(), options.parameters, device.result(), stream.get());
  std::vector<std::uint16_t> expected(static_cast<std::size_t>(picture.width) *
                                      static_cast<std::size_t>(rows));
  const MutableDepthView out{reinterpret_cast<std::byte*>(expected.data()), 2 * picture.width,
                             picture.width, rows, SampleType::kU16};
  const stereo::Counts counts = stereo::reference::match(
      {picture.view(picture.left, rows), picture.view(picture.right, rows), {}, {}},
      options.parameters, {out, {}});
  stream.synchronize();
  if (device.disparities() != expected || matcher->counts().known != counts.known) {
    std::fprintf(stderr, "the GPU's disparities are not those of the reference\n");
    std::exit(1);
  }
  std::printf("%d rows have the bits of the reference, %.1f %% of their pixels are known\n", rows,
              100.0 * static_cast<double>(counts.known) / static_cast<double>(expected.size()));
}

void run(const Options& options) {
  const Picture picture = picture_of(options);
  const stereo::Parameters& p = options.parameters;
  cuda::StereoEngine matcher;
  compare(picture, options, &matcher);

  const std::size_t bytes = cuda::StereoEngine::memory_for(picture.width, picture.height, p);
  std::printf("%dx%d, %d disparities, %d paths, %zu MB on the device\n", picture.width,
              picture.height, p.disparities, p.paths, bytes >> 20);
  const DevicePictures device(picture, picture.height, options.confidence);
  matcher.prepare(picture.width, picture.height, p);
  const LaunchTimer timer;
  const auto match = [&] { matcher.match(device.pair(), p, device.result(), timer.stream()); };
  std::printf("%-22s %10s %10s\n", "us", "median", "least");
  print("match", timer.time_graph(match, options.replays));
  print("single", timer.time(match, options.replays));
  // Each pixel as often as it is written and read: what the memory takes at the least.
  const double traffic =
      2.0 * static_cast<double>(picture.width) * picture.height * p.disparities * p.paths;
  std::printf("%-22s %10.1f MB\n", "paths, written and read", traffic * 1e-6);
  constexpr int kTimes = 16;
  Launches& launches = Launches::get();
  launches.look_at(-1, 1);
  match();
  check(driver().cuStreamSynchronize(timer.stream()), "waiting for the GPU");
  const std::vector<std::string> names = launches.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    launches.look_at(static_cast<int>(i), kTimes);
    const Times times = timer.time_graph(
        [&] {
          launches.begin();
          match();
        },
        options.replays, kTimes);
    print(names[i].c_str(), times);
  }
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options = rdp::bench::read_options(argc, argv);
  return rdp::bench::run_on_device(options.device, [&] { rdp::bench::run(options); });
}
