// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/bench_frames.h"

#include <cstdlib>
#include <filesystem>
#include <opencv2/imgproc.hpp>

#include "tests/bench/gray_png.h"
#include "tests/support/depth_patterns.h"

namespace rdp::bench {
namespace {

constexpr double kDisparityScale = 1.0 / 256;

cv::Mat read_picture(const std::filesystem::path& path) {
  reference::Frame frame = read_gray_png(path);
  return cv::Mat(frame.height, frame.width, CV_16UC1, frame.samples.data()).clone();
}

BenchFrame from_picture(const std::string& name, const cv::Mat& picture,
                        const Parameters& parameters) {
  BenchFrame frame{name, picture.cols, picture.rows, {}, parameters};
  for (int row = 0; row < picture.rows; ++row) {
    const auto* samples = picture.ptr<std::uint16_t>(row);
    frame.samples.insert(frame.samples.end(), samples, samples + picture.cols);
  }
  return frame;
}

BenchFrame from_pattern(const std::string& name, int width, int height,
                        const TestPatternOptions& options) {
  BenchFrame frame{name, width, height, {}, {}};
  frame.parameters.sample_scale = kDisparityScale;
  frame.samples.resize(static_cast<std::size_t>(width) * height);
  TestPatternRenderer renderer;
  renderer.draw(0, options,
                {reinterpret_cast<std::byte*>(frame.samples.data()),
                 static_cast<std::ptrdiff_t>(width) * 2, width, height, SampleType::kU16});
  return frame;
}

// A frame that repeats one hard column.
BenchFrame from_column(const std::string& name, test::ColumnKind kind, int width, int height) {
  BenchFrame frame{name, width, height, {}, {}};
  frame.parameters.sample_scale = kDisparityScale;
  for (int row = 0; row < height; ++row) {
    const std::uint16_t value = test::hard_sample(kind, row, height, 65535, 0);
    frame.samples.insert(frame.samples.end(), static_cast<std::size_t>(width), value);
  }
  return frame;
}

}  // namespace

std::vector<BenchFrame> recorded_frames() {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  std::vector<BenchFrame> frames;
  if (folder == nullptr) return frames;
  const std::filesystem::path root(folder);
  const auto read = [&](const char* file) { return read_picture(root / file); };

  Parameters disparity;
  disparity.sample_scale = kDisparityScale;
  for (const char* file :
       {"kitti/sequence/000000.png", "kitti/sequence/000008.png", "kitti/sequence/000015.png",
        "kitti/kitti_raw0926_0048_0_3way.png", "kitti/kitti_redtail_3way.png",
        "kitti/kitti_obj_stereorcnn_3way.png", "kitti/kitti2015_aanet_000151_10_3way.png",
        "kitti/kitti_soft_000000_3way.png", "kitti/kitti2015_000046_10_3way.png",
        "kitti/kitti2015_000046_10_hh.png", "kitti/kitti2015_000046_10_nofilter.png",
        "kitti/groundtruth/kitti2015_devkit_disp_est.png", "synthia/disparity.png"}) {
    cv::Mat picture = read(file);
    if (picture.empty()) continue;
    const std::string name = std::filesystem::path(file).stem().string();
    frames.push_back(from_picture(name, picture, disparity));
    cv::medianBlur(picture, picture, 5);
    cv::resize(picture, picture, {1242, 1024}, 0, 0, cv::INTER_NEAREST);
    frames.push_back(from_picture(name + " scaled", picture, disparity));
  }
  for (const char* file : {"middlebury/motorcycle_disp0GT_x256.png"}) {
    const cv::Mat picture = read(file);
    if (!picture.empty()) {
      frames.push_back(
          from_picture(std::filesystem::path(file).stem().string(), picture, disparity));
    }
  }
  Parameters depth;
  depth.domain = Domain::kInverse;
  for (const char* file : {"rgbd/realsense_felix_0.png", "rgbd/tum_fr_1_depth.png",
                           "rgbd/xtion_copyroom.png", "rgbd/sequence/000000.png"}) {
    const cv::Mat picture = read(file);
    if (picture.empty()) continue;
    frames.push_back(
        from_picture(std::filesystem::path(file).stem().string() + " inverse", picture, depth));
  }
  return frames;
}

std::vector<BenchFrame> made_frames() {
  TestPatternOptions clean;
  const TestPatternOptions matched = test::matched_street();
  TestPatternOptions noise;
  noise.pattern = TestPattern::kNoise;
  std::vector<BenchFrame> frames;
  for (const auto& [width, height] : {std::pair{1242, 375}, std::pair{1242, 1024}}) {
    frames.push_back(from_pattern("street", width, height, clean));
    frames.push_back(from_pattern("street, noisy", width, height, matched));
    frames.push_back(from_pattern("noise", width, height, noise));
    // Each split removes one row at the lower end, since steps grow towards it.
    frames.push_back(from_column("stairs", test::ColumnKind::kStairsDown, width, height));
    frames.push_back(
        from_column("alternating extremes", test::ColumnKind::kAlternating, width, height));
  }
  return frames;
}

}  // namespace rdp::bench
