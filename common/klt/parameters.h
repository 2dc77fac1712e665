// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_PARAMETERS_H_
#define RDP_COMMON_KLT_PARAMETERS_H_

#include "common/klt/rules.h"

namespace rdp::klt {

enum class Detector { kShiTomasi, kNone };

// The parameters of finding and tracking features, defined in common/klt/reference.h.
struct Parameters {
  int levels = 4;               // 1 to 6
  int pyramid_step = 2;         // scale between levels: 2 or 4
  int window = 12;              // 8 to kMaxWindow; 8, 12 and 16 are fast
  int max_iterations = 10;      // 5 to 30
  double epsilon = 0.01;        // px
  Light light = Light::kBias;   // modelled change of light between the pictures
  double min_eigenvalue = 1.0;  // (grey levels per px)^2
  double max_residual = 12.0;   // grey levels; 0: any
  double check = 0.5;           // px, forward-backward check; 0: off
  bool predict = true;          // the search starts at the last displacement
  Warp warp = Warp::kTranslation;
  double max_correction = 1.5;     // px, maximum correction by the track's template; 0: any
  double template_residual = 8.0;  // grey levels, above which a template is renewed; 0: never
  Detector detector = Detector::kShiTomasi;
  int cell = 16;           // px, a multiple of kSquare: side of a cell, which gets one new feature
  double quality = 0.001;  // fraction of the frame's highest score that features must exceed
  int max_features = 0;    // live and new ones together; 0: any number

  bool operator==(const Parameters&) const = default;
};

inline StepRules step_rules(const Parameters& parameters) {
  StepRules rules;
  rules.window = parameters.window;
  rules.max_iterations = parameters.max_iterations;
  rules.epsilon = to_fixed(parameters.epsilon);
  rules.light = parameters.light;
  rules.min_eigenvalue = parameters.min_eigenvalue;
  rules.max_residual = parameters.max_residual;
  rules.check = to_fixed(parameters.check);
  rules.warp = parameters.warp;
  rules.max_correction = to_fixed(parameters.max_correction);
  rules.template_residual = parameters.template_residual;
  return rules;
}

// Levels of the pyramid per level of the tracker.
inline int level_stride(const Parameters& parameters) { return parameters.pyramid_step / 2; }

// The level of the pyramid at which the search begins in frames of this size.
inline int coarsest_level(int width, int height, const Parameters& parameters) {
  int coarsest = 0;
  for (int level = 1; level < parameters.levels; ++level) {
    for (int i = 0; i < level_stride(parameters); ++i) {
      width = next_level_size(width);
      height = next_level_size(height);
    }
    if (!has_windows(width, height, parameters.window)) break;
    coarsest += level_stride(parameters);
  }
  return coarsest;
}

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_PARAMETERS_H_
