// SPDX-License-Identifier: LGPL-2.1-or-later
// The filter's engine: when it drops previous frames, and checksums of frames. Independent
// programs, written from the definition alone, gave the checksums of recorded frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/filter/engine.h"
#include "common/image/reference.h"
#include "common/scene/test_pattern.h"
#include "tests/support/crc32.h"
#include "tests/support/test_frame.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/gray_png.h"
#endif

namespace rdp::filter {
namespace {

using rdp::reference::Frame;

MutableDepthView view_of(Frame* frame) {
  return {reinterpret_cast<std::byte*>(frame->samples.data()), std::ptrdiff_t{2} * frame->width,
          frame->width, frame->height, SampleType::kU16};
}

Frame filtered(Engine* engine, const Frame& in, const Parameters& p) {
  Frame out{in.width / p.decimation, in.height / p.decimation, {}};
  out.samples.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  engine->filter(in.view(), p, view_of(&out));
  return out;
}

// A uniform frame.
Frame even(std::uint16_t value, int width = 8) {
  return {width, 4, std::vector<std::uint16_t>(static_cast<std::size_t>(width) * 4, value)};
}

// The filtered value of an unknown pixel after frames of 100 and 104 and a change.
template <typename Change>
int unknown_after(const Change& change) {
  Parameters p;
  p.flying = false;
  p.spatial_radius = 0;
  p.temporal_frames = 4;
  p.persistence = Persistence::kAlways;
  p.motion_check = false;
  p.tolerance = {10, 0};
  Engine engine;
  EXPECT_EQ(filtered(&engine, even(100), p).samples[0], 100);
  EXPECT_EQ(filtered(&engine, even(104), p).samples[0], 102);
  change(&engine, &p);
  return filtered(&engine, even(0), p).samples[0];
}

TEST(FilterState, EndsWithWhatItDescribes) {
  EXPECT_EQ(unknown_after([](Engine*, Parameters*) {}), 102);
  EXPECT_EQ(unknown_after([](Engine* engine, Parameters*) { engine->clear(); }), 0);
  EXPECT_EQ(unknown_after([](Engine*, Parameters* p) { p->temporal_frames = 5; }), 0);
  EXPECT_EQ(unknown_after([](Engine* engine, Parameters* p) {
              Parameters off = *p;
              off.temporal_frames = 1;
              EXPECT_EQ(filtered(engine, even(104), off).samples[0], 104);
            }),
            0);
  EXPECT_EQ(unknown_after([](Engine* engine, Parameters* p) {
              EXPECT_EQ(filtered(engine, even(0, 9), *p).samples[0], 0) << "another size";
            }),
            0);
  EXPECT_EQ(unknown_after([](Engine* engine, Parameters* p) {
              p->decimation = 2;
              EXPECT_EQ(filtered(engine, even(100, 9), *p).samples[0], 100);
            }),
            0)
      << "another size, though that of the result stays";
}

// CRC-32 of the samples after each step alone, and after several.
constexpr int kResults = 14;
struct Known {
  const char* file;  // of RDPSEGMENT_TEST_DATA, or "room" or "street": made ones
  std::uint32_t crcs[kResults];
};
// Frame, range, flying, speckles, decimation by 2, 3, 8; spatial, holes: left, farthest, nearest,
// gap; defaults, all.
constexpr Known kKnown[] = {
    {"rgbd/sequence/000000.png",
     {0x0acff417, 0x89c067da, 0x900e577a, 0xea286bcd, 0x89311664, 0xea1ac917, 0x9df7311b,
      0xa815c059, 0xe6fec2dd, 0xb743596e, 0x66ced70c, 0x9d4d16b8, 0xbb7ead2f, 0xc40d7d0b}},
    {"planes/rooms/room01_n045_depth.png",
     {0x3edc9367, 0xd7e18284, 0x0e7167c8, 0xe59387d1, 0xbb6fcf20, 0xc4656044, 0x4bbf3b64,
      0x878f533e, 0x8d0e804a, 0x4d9ba711, 0x74eb7ff1, 0x206ee1f1, 0xc3de5d2e, 0x82ee9f0f}},
    {"kitti/sequence/000000.png",
     {0x671cff5d, 0x0ac40d4b, 0xc6268b5f, 0xd8d87844, 0x11d00125, 0x764ad7b3, 0x4a04f3c1,
      0x5844d38d, 0x702ebe83, 0x567ce449, 0xef7dcfb5, 0x601f4974, 0xe948d017, 0x56fefe89}},
    {"room",
     {0x6dd128b5, 0x6dd128b5, 0xaffa0584, 0xe39817a4, 0x5e0b75a2, 0xe101f713, 0xf1e3980f,
      0x21956eae, 0x5cbb2c36, 0x74ae7149, 0x07b3a450, 0x14cd9132, 0xf97d1941, 0x745cd0ac}},
    {"street",
     {0xa940d399, 0x4ff4bb70, 0x20c60518, 0x62f7f960, 0x89f0a3fe, 0xb4b18fae, 0xf4494281,
      0xce6343cd, 0xdb16e630, 0xd93f862e, 0xb1a19666, 0x94619940, 0x81e4ff03, 0x838a268a}}};

bool is_disparity(const std::string& name) {
  return name.starts_with("kitti") || name.starts_with("street");
}

// Empty where there is no such file. Recorded samples of 65535 count as unknown.
Frame frame_of(const std::string& name, std::uint64_t number = 0) {
  Frame frame;
  if (name == "room" || name == "street") {
    TestPatternOptions options;
    options.pattern = name == "room" ? TestPattern::kRoom : TestPattern::kStreet;
    options.domain = name == "room" ? TestDomain::kDepth : TestDomain::kDisparity;
    options.noise = name == "room" ? 0.045 : 0.3;
    options.unknown_ratio = 0.1;
    frame = even(0, 200);
    frame.height = 150;
    frame.samples.resize(200 * 150);
    TestPatternRenderer().draw(number, options, view_of(&frame));
    return frame;
  }
#ifdef RDP_TEST_HAVE_PNG
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder != nullptr) frame = bench::read_gray_png(std::filesystem::path(folder) / name);
  if (name.starts_with("rgbd")) std::ranges::replace(frame.samples, 65535, 0);
#endif
  return frame;
}

Parameters no_steps(const std::string& name) {
  Parameters p;
  p.flying = false;
  p.spatial_radius = 0;
  p.disparity = is_disparity(name);
  p.tolerance = p.disparity ? linear_tolerance(1, 1.0 / 256) : inverse_tolerance(6, 1e6);
  return p;
}

std::vector<Parameters> steps_of(const std::string& name) {
  std::vector<Parameters> steps(kResults, no_steps(name));
  steps[1].known = {500, 4000};
  steps[2].flying = steps[12].flying = steps[13].flying = true;
  steps[3].speckle_size = steps[13].speckle_size = 100;
  steps[4].decimation = steps[13].decimation = 2;
  steps[5].decimation = 3;
  steps[6].decimation = 8;
  steps[7].spatial_radius = steps[12].spatial_radius = steps[13].spatial_radius = 4;
  for (std::size_t i = 8; i < 12; ++i) steps[i].hole_filling = static_cast<HoleFilling>(i - 7);
  steps[13].hole_filling = HoleFilling::kGap;
  return steps;
}

TEST(FilterBits, OfFrames) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(known.file);
    const Frame in = frame_of(known.file);
    if (in.width == 0) continue;
    const std::vector<Parameters> steps = steps_of(known.file);
    test::on_every_simd_target([&] {
      Engine engine;
      engine.set_threads(2);
      for (std::size_t i = 0; i < kResults; ++i) {
        EXPECT_EQ(test::crc_of(filtered(&engine, in, steps[i]).samples), known.crcs[i]) << i;
      }
    });
  }
}

TEST(FilterBits, OfSequences) {
  struct Sequence {
    const char* name;
    int frames;
    Persistence persistence;
    bool motion_check;
    std::uint32_t second, last;
  };
  for (const Sequence& known :
       {Sequence{"rgbd/sequence/00000", 4, Persistence::kTwoOf4, true, 0x2ce5c3b9, 0xde5619a4},
        {"rgbd/sequence/00000", 8, Persistence::kOneOf8, true, 0x3432b149, 0x851e0f45},
        {"rgbd/sequence/00000", 4, Persistence::kTwoOf4, false, 0x0aa88288, 0xabe7c2b7},
        {"room", 4, Persistence::kTwoOf4, true, 0x332e0a93, 0x1e5dbdf0},
        {"street", 8, Persistence::kOneOf8, true, 0x9063d3df, 0xf2da1f3e}}) {
    SCOPED_TRACE(known.name);
    test::on_every_simd_target([&] {
      Parameters p = no_steps(known.name);
      p.temporal_frames = known.frames;
      p.persistence = known.persistence;
      p.motion_check = known.motion_check;
      Engine engine;
      engine.set_threads(2);
      for (std::uint64_t i = 0; i < 10; ++i) {
        const std::string name = known.name;
        const Frame in =
            frame_of(name.starts_with("rgbd") ? name + std::to_string(i) + ".png" : name, i);
        if (in.width == 0) break;
        const std::uint32_t crc = test::crc_of(filtered(&engine, in, p).samples);
        if (i != 1 && i != 9) continue;
        EXPECT_EQ(crc, i == 1 ? known.second : known.last) << i;
      }
    });
  }
}

}  // namespace
}  // namespace rdp::filter
