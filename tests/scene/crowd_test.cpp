// SPDX-License-Identifier: LGPL-2.1-or-later
// The crowd scene: people walk as documented and never overlap. Pictures, depths and heights of
// every view agree, with the same bits everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <vector>

#include "common/scene/crowd_scene.h"
#include "tests/support/test_frame.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/crowd_sets.h"
#endif

namespace rdp {
namespace {

using test::TestFrame;
using Vector = std::array<double, 3>;

constexpr int kWidth = 781;
constexpr int kHeight = 621;
constexpr std::int64_t kSecond = 1000000000;

std::vector<CrowdPerson> crowd_of(std::uint32_t seed, int count, std::int64_t moment) {
  std::vector<CrowdPerson> people;
  find_crowd({.seed = seed, .people = count}, moment, &people);
  return people;
}

Vector ray_of(const CrowdCamera& camera, double column, double row) {
  const double x = (column - camera.centre_column) / camera.focal;
  const double y = (row - camera.centre_row) / camera.focal;
  Vector ray;
  for (std::size_t i = 0; i < 3; ++i) {
    ray[i] = x * camera.right[i] + y * camera.down[i] + camera.ahead[i];
  }
  return ray;
}

// The nearest ellipsoid along a ray, computed independently; in metres.
struct Hit {
  double depth = 1e9;
  int person = CrowdRenderer::kSky;
  double margin = 1e9;  // distance of the ray from the nearest outline; 0 touches it
};
Hit cast(const std::vector<CrowdPerson>& people, const Vector& eye, const Vector& ray) {
  Hit hit;
  if (ray[2] < 0.0) hit = {-eye[2] / ray[2], CrowdRenderer::kGround, 1e9};
  for (std::size_t i = 0; i < people.size(); ++i) {
    const CrowdPerson& p = people[i];
    const Vector middles[2] = {{p.x, p.y, (p.height - 0.26) / 2}, {p.x, p.y, p.height - 0.12}};
    const Vector halves[2] = {
        {p.along_x ? 0.16 : 0.22, p.along_x ? 0.22 : 0.16, (p.height - 0.22) / 2},
        {0.085, 0.085, 0.12}};
    for (int part = 0; part < 2; ++part) {
      double a = 0.0;
      double b = 0.0;
      double c = -1.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double square = halves[part][k] * halves[part][k];
        const double from = eye[k] - middles[part][k];
        a += ray[k] * ray[k] / square;
        b += ray[k] * from / square;
        c += from * from / square;
      }
      const double inner = b * b - a * c;
      hit.margin = std::min(hit.margin, std::abs(inner) / (a * c));
      if (inner <= 0.0) continue;
      const double depth = (-b - std::sqrt(inner)) / a;
      if (depth < hit.depth) {
        hit.depth = depth;
        hit.person = static_cast<int>(i);
      }
    }
  }
  return hit;
}

TEST(Crowd, NobodyOverlapsAnybody) {
  std::int64_t moment = -40 * kSecond;
  for (int k = 0; k < 1000; ++k, moment += 97654321) {
    const std::int64_t at = k % 10 == 0 ? moment * 1000003 : moment;  // also years away
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      const std::vector<CrowdPerson> people = crowd_of(seed, kMaxCrowdPeople, at);
      ASSERT_EQ(people.size(), std::size_t{kMaxCrowdPeople});
      for (std::size_t i = 0; i < people.size(); ++i) {
        const CrowdPerson& a = people[i];
        ASSERT_LE(std::abs(a.x), 0.5 * kCrowdAreaX);
        ASSERT_LE(std::abs(a.y), 0.5 * kCrowdAreaY);
        ASSERT_EQ(a.along_x, seed % 2 != 0);
        for (std::size_t j = 0; j < i; ++j) {
          const CrowdPerson& b = people[j];
          // Two equal ellipses side by side.
          const double dx = (a.x - b.x) / (2.0 * a.half_x());
          const double dy = (a.y - b.y) / (2.0 * a.half_y());
          ASSERT_GE(dx * dx + dy * dy, 1.0) << seed << ", at " << at << ": " << i << " " << j;
        }
      }
    }
  }
}

TEST(Crowd, PeopleWalkAndTurnBackAtTheEdge) {
  constexpr std::int64_t kStep = 5000000;
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const bool along_x = seed % 2 != 0;
    const double edge = 0.5 * (along_x ? kCrowdAreaX : kCrowdAreaY);
    const auto along = [&](const CrowdPerson& person) { return along_x ? person.x : person.y; };
    const auto across = [&](const CrowdPerson& person) { return along_x ? person.y : person.x; };
    std::vector<CrowdPerson> before = crowd_of(seed, 40, -4 * kSecond);
    std::vector<int> turns(before.size()), steps_aside(before.size());
    std::vector<double> most(before.size()), least(before.size()), sign(before.size());
    std::set<double> heights;
    for (const CrowdPerson& person : before) heights.insert(person.height);
    EXPECT_GE(*heights.begin(), 1.5);
    EXPECT_LT(*heights.rbegin(), 1.95);
    EXPECT_GT(*heights.rbegin() - *heights.begin(), 0.35);
    EXPECT_EQ(heights.size(), 40U);
    for (std::int64_t moment = kStep - 4 * kSecond; moment < 8 * kSecond; moment += kStep) {
      const std::vector<CrowdPerson> now = crowd_of(seed, 40, moment);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const double moved = along(now[i]) - along(before[i]);
        const double aside = across(now[i]) - across(before[i]);
        // 1.4 m/s, also around corners.
        ASSERT_NEAR(std::abs(moved) + std::abs(aside), 0.007, 1e-8);
        ASSERT_EQ(now[i].height, before[i].height);
        ASSERT_EQ(now[i].key, before[i].key);
        if (aside != 0.0) {
          ++steps_aside[i];
          ASSERT_NEAR(std::abs(along(now[i])), edge, 0.0071);
        }
        most[i] = std::max(most[i], along(now[i]));
        least[i] = std::min(least[i], along(now[i]));
        if (moved * sign[i] < 0.0) ++turns[i];
        if (moved != 0.0) sign[i] = moved;
      }
      before = now;
    }
    // A loop takes 6.4 s along Y, 7.9 s along X.
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_GE(turns[i], 3) << i;
      EXPECT_LE(turns[i], 4) << i;
      EXPECT_GT(steps_aside[i], 0) << i;
      EXPECT_NEAR(most[i], edge, 0.0071) << i;
      EXPECT_NEAR(least[i], -edge, 0.0071) << i;
    }
  }
}

TEST(Crowd, FewerPeopleAndOtherHeights) {
  for (const int count : {0, 1, 4, 5, 39, kMaxCrowdPeople}) {
    for (std::uint32_t seed = 0; seed < 2; ++seed) {
      std::vector<CrowdPerson> people = crowd_of(1, 7, 0);
      find_crowd({.seed = seed, .people = count, .least_height = 1.2, .most_height = 1.2}, 123,
                 &people);
      ASSERT_EQ(people.size(), static_cast<std::size_t>(count));
      for (const CrowdPerson& person : people) ASSERT_EQ(person.height, 1.2);
    }
  }
}

TEST(Crowd, CamerasStandRoundTheArea) {
  for (const double angle : {0.0, 1.0, 17.0, 30.0, kMaxCrowdAngle}) {
    for (int index = 0; index < kMaxCrowdCameras; ++index) {
      const CrowdCamera camera = crowd_camera(index, angle, kWidth, kHeight);
      const double turn = (index % 2 != 0 ? 1.0 : -1.0) * ((index + 1) / 2) * angle;
      const double radians = turn * 3.14159265358979323846 / 180.0;
      EXPECT_NEAR(camera.eye[0], 11.0 * std::sin(radians), 1e-13) << index;
      EXPECT_NEAR(camera.eye[1], -11.0 * std::cos(radians), 1e-13) << index;
      EXPECT_EQ(camera.eye[2], 8.0);
      const Vector* axes[3] = {&camera.right, &camera.down, &camera.ahead};
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          double product = 0.0;
          for (std::size_t k = 0; k < 3; ++k) product += (*axes[a])[k] * (*axes[b])[k];
          EXPECT_NEAR(product, a == b ? 1.0 : 0.0, 1e-15);
        }
      }
      EXPECT_LT(camera.down[2], 0.0);
      EXPECT_EQ(camera.right[2], 0.0);
      // The camera looks at (0, 0, 1.2); a nonzero shift moves the principal point.
      for (const double shift : {0.0, 2.5}) {
        const CrowdMatrix p = camera.projection(shift);
        const double w = p[2][2] * 1.2 + p[2][3];
        EXPECT_NEAR((p[0][2] * 1.2 + p[0][3]) / w, 390.0 + shift, 1e-9);
        EXPECT_NEAR((p[1][2] * 1.2 + p[1][3]) / w, 310.0, 1e-9);
        EXPECT_NEAR(w, std::sqrt(121.0 + 6.8 * 6.8), 1e-12);
        EXPECT_NEAR(camera.focal / w, crowd_scale(kWidth), 1e-9);
        for (std::size_t row = 0; row < 3; ++row) {
          double at_eye = p[row][3];
          for (std::size_t k = 0; k < 3; ++k) at_eye += p[row][k] * camera.eye[k];
          EXPECT_NEAR(at_eye, 0.0, 1e-9);
        }
      }
    }
  }
  EXPECT_EQ(crowd_camera(0, 17.0, 781, 621).focal, 1750.0);
  EXPECT_EQ(crowd_camera(0, 17.0, 1562, 621).focal, 3500.0);
}

// Each pixel shows the first hit of its central ray, which projects back into the pixel.
TEST(Crowd, DepthsAndHeightsAreThoseOfThePicture) {
  std::array<int, 2> seen{};
  for (const int index : {0, 2, 7}) {
    for (std::uint32_t seed = 1; seed < 3; ++seed) {
      const std::vector<CrowdPerson> people = crowd_of(seed, 50, kSecond * seed);
      const CrowdCamera camera = crowd_camera(index, 17.0, kWidth, kHeight);
      const CrowdMatrix p = camera.projection();
      const CrowdLook look;
      TestFrame depth(kWidth, kHeight, SampleType::kU16);
      TestFrame bytes(kWidth, kHeight, SampleType::kU8);
      TestFrame heights(kWidth, kHeight, SampleType::kU16);
      CrowdRenderer().draw_depth(people, p, depth.view());
      CrowdRenderer().draw_depth(people, p, bytes.view());
      CrowdRenderer().draw_heights(people, p, heights.view());
      CrowdRenderer renderer;
      renderer.begin(people, p, kWidth, &look);
      for (int r = 0; r < kHeight; ++r) {
        const CrowdRenderer::Row row = renderer.next_row();
        for (int c = 0; c < kWidth; ++c) {
          const auto column = static_cast<std::size_t>(c);
          const double z = row.depths[column];
          const Vector ray = ray_of(camera, c, r);
          const double height = camera.eye[2] + z * ray[2];
          ASSERT_NEAR(row.heights[column], std::max(height, 0.0), 1e-9);
          const Vector point = {camera.eye[0] + z * ray[0], camera.eye[1] + z * ray[1],
                                row.heights[column]};
          double image[3];
          for (std::size_t i = 0; i < 3; ++i) {
            image[i] = p[i][0] * point[0] + p[i][1] * point[1] + p[i][2] * point[2] + p[i][3];
          }
          ASSERT_NEAR(image[0] / image[2], c, 1e-6);
          ASSERT_NEAR(image[1] / image[2], r, 1e-6);
          ASSERT_NEAR(image[2], z, 1e-9);
          ASSERT_EQ(depth.view().at(r, c), static_cast<int>(1000.0 * z + 0.5));
          ASSERT_EQ(bytes.view().at(r, c), static_cast<int>(10.0 * z + 0.5));
          ASSERT_EQ(heights.view().at(r, c),
                    std::max(static_cast<int>(1000.0 * row.heights[column] + 0.5), 1));
          if ((r + c) % 3 != 0) continue;
          const Hit hit = cast(people, camera.eye, ray);
          if (hit.margin < 1e-9) continue;  // rounding decides
          ASSERT_EQ(row.persons[column], hit.person) << r << " " << c;
          ASSERT_NEAR(z, hit.depth, 1e-8) << r << " " << c;
          ++seen[hit.person >= 0 ? 1 : 0];
        }
      }
    }
  }
  EXPECT_GT(seen[0], 400000);
  EXPECT_GT(seen[1], 150000);
}

// A point has the same grey in two cameras. Compares points at a pixel centre of one camera that
// project close to a pixel centre of the other.
TEST(Crowd, AllCamerasSeeTheSameTexture) {
  const std::vector<CrowdPerson> people = crowd_of(4, 40, 0);
  const CrowdLook look;
  const CrowdCamera one = crowd_camera(0, 17.0, kWidth, kHeight);
  for (const int index : {1, 2}) {
    const CrowdMatrix p = crowd_camera(index, 17.0, kWidth, kHeight).projection();
    std::vector<double> depths;
    std::vector<int> greys;
    CrowdRenderer other;
    const CrowdLook its_look = {.view = index, .moment = 7};
    other.begin(people, p, kWidth, &its_look);
    for (int r = 0; r < kHeight; ++r) {
      const CrowdRenderer::Row row = other.next_row();
      depths.insert(depths.end(), row.depths.begin(), row.depths.end());
      greys.insert(greys.end(), row.greys.begin(), row.greys.end());
    }
    int count[2] = {}, difference[2] = {}, difference_beside[2] = {};
    CrowdRenderer renderer;
    renderer.begin(people, one.projection(), kWidth, &look);
    for (int r = 0; r < kHeight; ++r) {
      const CrowdRenderer::Row row = renderer.next_row();
      for (int c = 0; c < kWidth; ++c) {
        const auto column = static_cast<std::size_t>(c);
        const Vector ray = ray_of(one, c, r);
        double image[3];
        for (std::size_t i = 0; i < 3; ++i) {
          image[i] = p[i][3];
          for (std::size_t k = 0; k < 3; ++k) {
            image[i] += p[i][k] * (one.eye[k] + row.depths[column] * ray[k]);
          }
        }
        const double x = image[0] / image[2];
        const double y = image[1] / image[2];
        const int nearest_x = static_cast<int>(std::lround(x));
        const int nearest_y = static_cast<int>(std::lround(y));
        if (nearest_x < 4 || nearest_x >= kWidth - 4 || nearest_y < 0 || nearest_y >= kHeight) {
          continue;
        }
        const auto there = static_cast<std::size_t>(nearest_y * kWidth + nearest_x);
        const bool hidden = std::abs(depths[there] - image[2]) > 0.02;
        if (hidden || std::abs(x - nearest_x) > 0.1 || std::abs(y - nearest_y) > 0.1) continue;
        const int what = row.persons[column] >= 0 ? 1 : 0;
        ++count[what];
        difference[what] += std::abs(row.greys[column] - greys[there]);
        difference_beside[what] += std::abs(row.greys[column] - greys[there + 4]);
      }
    }
    for (int what = 0; what < 2; ++what) {
      EXPECT_GT(count[what], 1000);
      EXPECT_LT(difference[what], 2 * count[what]);
      EXPECT_GT(difference_beside[what], 8 * count[what]);
    }
  }
}

TEST(Crowd, NoiseAndContrastAreWhatTheyAreSaidToBe) {
  const std::vector<CrowdPerson> people = crowd_of(3, 40, 0);
  const CrowdMatrix p = crowd_camera(0, 17.0, 300, 240).projection();
  const auto drawn = [&](const CrowdLook& look) {
    TestFrame frame(300, 240, SampleType::kU8);
    CrowdRenderer().draw_picture(people, p, look, frame.view());
    return frame;
  };
  const TestFrame plain = drawn({.seed = 3});
  std::vector<TestFrame> noisy;
  for (const CrowdLook& look : {CrowdLook{.noise = 8.0, .seed = 3},
                                {.noise = 8.0, .seed = 3, .view = 1},
                                {.noise = 8.0, .seed = 3, .moment = 1},
                                {.noise = 0.2, .seed = 3}}) {
    noisy.push_back(drawn(look));
  }
  const TestFrame half = drawn({.contrast = 0.5, .seed = 3});
  const TestFrame none = drawn({.contrast = 0.0, .seed = 3});
  double squares[4] = {}, sums[4] = {};
  int count = 0;
  int same[2] = {};
  for (int r = 0; r < 240; ++r) {
    for (int c = 0; c < 300; ++c) {
      const int grey = plain.view().at(r, c);
      ASSERT_EQ(none.view().at(r, c), 128);
      ASSERT_NEAR(half.view().at(r, c), 128 + 0.5 * (grey - 128), 1.0);
      if (grey < 45 || grey > 210) continue;
      ++count;
      for (std::size_t i = 0; i < 4; ++i) {
        const int off = noisy[i].view().at(r, c) - grey;
        squares[i] += off * off;
        sums[i] += off;
      }
      for (std::size_t i = 0; i < 2; ++i) {
        same[i] += noisy[0].view().at(r, c) == noisy[i + 1].view().at(r, c) ? 1 : 0;
      }
    }
  }
  ASSERT_GT(count, 60000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::sqrt(squares[i] / count), 8.0, 0.1) << i;
    EXPECT_NEAR(sums[i] / count, 0.0, 0.2) << i;
  }
  EXPECT_LT(squares[3] / count, 0.1);
  EXPECT_LT(same[0], count / 20);
  EXPECT_LT(same[1], count / 20);
}

// Pixels above the horizon are unknown. Points too far for a depth sample are unknown in depth, but
// known as ground in heights.
TEST(Crowd, SkyAndFarGround) {
  const CrowdMatrix p = crowd_camera(0, 17.0, 200, 1200).projection();
  TestFrame depth(200, 1200, SampleType::kU16);
  TestFrame bytes(200, 1200, SampleType::kU8);
  TestFrame heights(200, 1200, SampleType::kU16);
  const std::vector<CrowdPerson> people = crowd_of(0, 10, 0);
  CrowdRenderer renderer;
  renderer.draw_depth(people, p, depth.view());
  renderer.draw_depth(people, p, bytes.view());
  renderer.draw_heights(people, p, heights.view());
  EXPECT_EQ(depth.view().at(0, 100), 0);
  EXPECT_EQ(heights.view().at(0, 100), 0);
  int far = 0;
  int near = 0;
  for (int r = 1; r < 1200; ++r) {
    const int mm = depth.view().at(r, 100);
    const int dm = bytes.view().at(r, 100);
    const int height = heights.view().at(r, 100);
    if (mm == 0 && height == 1) ++far;
    if (mm != 0) {
      ASSERT_GE(height, 1);
      ++near;
    }
    if (dm != 0) {
      ASSERT_NEAR(mm, 100 * dm, 51);
    }
    ASSERT_EQ(dm != 0, mm != 0 && mm < 25550) << mm;
  }
  EXPECT_GT(far, 3);
  EXPECT_GT(near, 500);
}

TEST(Crowd, FitsAtAnySize) {
  CrowdRenderer renderer;
  for (auto [width, height] :
       {std::pair{1, 1}, {1, 9}, {9, 1}, {kMaxSide, 3}, {3, kMaxSide}, {64, 48}}) {
    TestFrame grey(width, height, SampleType::kU8);
    TestFrame depth(width, height, SampleType::kU16);
    const std::vector<CrowdPerson> people = crowd_of(5, kMaxCrowdPeople, 0);
    const CrowdMatrix p = crowd_camera(15, 45.0, width, height).projection();
    renderer.draw_picture(people, p, {.noise = 64.0, .scale = crowd_scale(width)}, grey.view());
    renderer.draw_heights(people, p, depth.view());
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < width; ++c) ASSERT_LE(depth.view().at(r, c), 1950);
    }
  }
}

#ifdef RDP_TEST_HAVE_PNG
// The recorded crowd has people of the same shape: its people and matrix reproduce its heights.
TEST(Crowd, DrawsTheRecordedCrowd) {
  const auto set = bench::recorded_crowd();
  if (!set.has_value()) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no stereo/crowd-synthetic";
  ASSERT_EQ(set->people.size(), 40U);
  std::vector<CrowdPerson> people;
  for (const bench::Person& one : set->people) {
    people.push_back({.x = one.x, .y = one.y, .height = one.height});
  }
  const heightmap::View& view = set->rig.views[0];
  CrowdMatrix p;
  for (std::size_t r = 0; r < 3; ++r) std::copy_n(view.projection[r], 4, p[r].data());
  TestFrame heights(view.width, view.height, SampleType::kU16);
  CrowdRenderer().draw_heights(people, p, heights.view());
  int other = 0;
  for (int r = 0; r < view.height; ++r) {
    for (int c = 0; c < view.width; ++c) {
      const int recorded = set->truth[static_cast<std::size_t>(r * view.width + c)];
      if (std::abs(heights.view().at(r, c) - std::max(recorded, 1)) > 1) ++other;
    }
  }
  EXPECT_LT(other, 100);  // outlines, in 485,001 pixels
}
#endif

std::uint64_t checksum(const DepthView& frame) {
  std::uint64_t sum = 0xCBF29CE484222325U;  // FNV-1a
  for (int r = 0; r < frame.height; ++r) {
    for (int c = 0; c < frame.width; ++c) {
      sum = (sum ^ (frame.at(r, c) & 255U)) * 0x100000001B3U;
      sum = (sum ^ (frame.at(r, c) >> 8U)) * 0x100000001B3U;
    }
  }
  return sum;
}

// Detects any difference between machines, compilers or versions. After an intended change, copy
// the new checksums from the failures.
TEST(Crowd, HasTheSameBitsEverywhere) {
  struct Golden {
    int width, height, index;
    double angle;
    std::int64_t moment;
    std::uint32_t seed;
    std::uint64_t picture, depth, heights;
  };
  const Golden goldens[] = {
      {781, 621, 0, 17.0, 0, 1, 0x9D63549E79FA12E6U, 0x731B845EE1561AF3U, 0xCFCF3583C49AAC79U},
      {781, 621, 2, 17.0, 33333333, 2, 0xB734DC3800ABA5B9U, 0x6750785AF8E898FCU,
       0x463A89654F034601U},
      {160, 120, 5, 31.7, -1234567890123, 4294967295U, 0x4727840D80BDA55AU, 0x2C6E247685B78DBU,
       0xA4E216A741B41934U},
  };
  for (const Golden& golden : goldens) {
    const auto [width, height, index, angle, moment, seed, picture, depth, heights] = golden;
    const std::vector<CrowdPerson> people = crowd_of(seed, 40, moment);
    const CrowdMatrix p = crowd_camera(index, angle, width, height).projection();
    TestFrame grey(width, height, SampleType::kU8);
    TestFrame samples(width, height, SampleType::kU16);
    CrowdRenderer renderer;
    renderer.draw_picture(people, p,
                          {.contrast = 0.9,
                           .noise = 2.0,
                           .seed = seed,
                           .view = index,
                           .moment = moment,
                           .scale = crowd_scale(width)},
                          grey.view());
    EXPECT_EQ(checksum(grey.view()), picture) << std::hex << checksum(grey.view());
    renderer.draw_depth(people, p, samples.view());
    EXPECT_EQ(checksum(samples.view()), depth) << std::hex << checksum(samples.view());
    renderer.draw_heights(people, p, samples.view());
    EXPECT_EQ(checksum(samples.view()), heights) << std::hex << checksum(samples.view());
  }
}

}  // namespace
}  // namespace rdp
