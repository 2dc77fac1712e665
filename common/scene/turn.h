// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TURN_H_
#define RDP_COMMON_SCENE_TURN_H_

#include <cmath>

namespace rdp {

// A turn. Sine and cosine of libraries differ in their last bits.
struct Turn {
  double cosine = 1.0, sine = 0.0;

  // Rotation by `degrees`, -45 to 45: the first ten terms of both series, summed from the last one,
  // with an error below 1e-18, normalised.
  static Turn of_degrees(double degrees) {
    constexpr double kPi = 3.14159265358979323846;
    const double angle = degrees * kPi / 180.0;
    const double square = angle * angle;
    double cosine = 1.0;
    double sine = 1.0;
    for (int i = 9; i > 0; --i) {
      cosine = 1.0 - square / (2.0 * i * (2.0 * i - 1.0)) * cosine;
      sine = 1.0 - square / (2.0 * i * (2.0 * i + 1.0)) * sine;
    }
    return scaled({cosine, angle * sine});
  }
  static Turn scaled(const Turn& turn) {
    const double length = std::sqrt(turn.cosine * turn.cosine + turn.sine * turn.sine);
    return {turn.cosine / length, turn.sine / length};
  }

  Turn then(const Turn& other) const {
    return scaled(
        {cosine * other.cosine - sine * other.sine, sine * other.cosine + cosine * other.sine});
  }
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TURN_H_
