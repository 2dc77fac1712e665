// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_REFERENCE_H_
#define RDP_COMMON_KLT_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/klt/input.h"
#include "common/klt/parameters.h"
#include "common/klt/registration.h"
#include "common/klt/step.h"
#include "common/klt/track.h"

// The definition of tracked features: plain scalar code that is meant to be read. Faster engines
// are bit-identical. Nothing here is used while streaming.
//
// Lucas-Kanade on a pyramid: B. Lucas, T. Kanade, "An Iterative Image Registration Technique with
// an Application to Stereo Vision", IJCAI 1981; J. Shi, C. Tomasi, "Good Features to Track", CVPR
// 1994; J.-Y. Bouguet, "Pyramidal Implementation of the Lucas Kanade Feature Tracker", 2000.
namespace rdp::klt::reference {

// A level of a pyramid. Beyond its borders it shows its mirror image, and its gradients are 0.
struct Level {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int16_t> gx;  // 32 times the slope, at most 4080
  std::vector<std::int16_t> gy;

  int pixel(int row, int column) const;
  int gradient_x(int row, int column) const;
  int gradient_y(int row, int column) const;
};

// Level 0 is the frame, and each level is half as large as the one before. Levels down to a single
// pixel are made; coarsest_level() says which are used.
using Pyramid = std::vector<Level>;
Pyramid pyramid_of(const DepthView& frame);

// The normal equations of the template's window around a place of a level, fixed.
Equations equations_at(const Level& level, Place centre, const StepRules& rules);

// Finds a feature of one picture in another one; the search begins at a displacement.
Found find(const Pyramid& from, const Pyramid& to, Place place, Place start,
           const Parameters& parameters);
// find(), then the test of the residual, and the forward-backward check if parameters.check asks
// for it.
Found find_and_check(const Pyramid& from, const Pyramid& to, Place place, Place start,
                     const Parameters& parameters);

// The score of each pixel as a feature, row by row.
std::vector<float> scores(const Level& level);

// A track's own template with Warp::kAffine: its samples row by row.
struct Patch {
  std::vector<int> intensity;
  std::vector<int> gx;
  std::vector<int> gy;
};
struct Shape {
  TrackShape track;
  Patch patch;  // where the track has one
};

// The tracker's knowledge of a camera after a frame.
struct State {
  Pyramid picture;            // the template; empty: there is none
  std::vector<Track> tracks;  // in the order of their birth
  std::vector<Place> starts;  // for each, where the next search begins
  std::vector<Shape> shapes;  // for each, with Warp::kAffine
  int window = 0;             // of the patches
  Light light{};
  std::uint32_t next_id = 1;
};

struct Result {
  std::vector<Track> tracks;
  std::vector<Lost> lost;
  std::vector<TrackWarp> warps = {};  // one for each track with Warp::kAffine, else none
  std::size_t templates = 0;          // number taken by tracks in this frame
};

// The state after one more frame. `before` stays as it is: a frame that fails has changed nothing,
// and used no id. `trace`: see register_track().
State advance(const State& before, const Input& input, const Parameters& parameters, Result* result,
              std::vector<double>* trace = nullptr);

// Call it after a lost frame: no search then begins at the last displacement.
void end_prediction(State* state);

}  // namespace rdp::klt::reference

#endif  // RDP_COMMON_KLT_REFERENCE_H_
