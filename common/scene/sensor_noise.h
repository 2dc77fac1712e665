// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_SENSOR_NOISE_H_
#define RDP_COMMON_SCENE_SENSOR_NOISE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "common/scene/hash_random.h"

namespace rdp {

// Sensor noise of a camera: nearly Gaussian, rounded to whole grey steps. Uses only integers after
// the constructor.
class SensorNoise {
 public:
  SensorNoise() = default;
  // deviation: in grey steps, 0 or above.
  explicit SensorNoise(double deviation)
      : scale_(static_cast<std::int64_t>(
            std::floor(deviation * 0x1p32 / kSumOfBytesDeviation + 0.5))) {}

  bool none() const { return scale_ == 0; }

  // Adds noise to the row with this key.
  void add(std::uint64_t key, std::span<std::uint8_t> greys) const {
    std::uint64_t counter = key;
    for (std::uint8_t& grey : greys) {
      const std::uint64_t bits = mix_bits(counter += kGoldenRatio64);
      const std::int64_t noise = (sum_of_bytes(bits) * scale_ + (std::int64_t{1} << 31)) >> 32;
      grey = static_cast<std::uint8_t>(std::clamp<std::int64_t>(grey + noise, 0, 255));
    }
  }

 private:
  std::int64_t scale_ = 0;  // from sum_of_bytes() to grey steps, in 2^-32
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_SENSOR_NOISE_H_
