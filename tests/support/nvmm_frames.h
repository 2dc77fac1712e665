// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_NVMM_FRAMES_H_
#define RDP_TESTS_SUPPORT_NVMM_FRAMES_H_

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/rdp/reference.h"
#include "tests/support/frames.h"
#include "tests/support/nvmm_surface.h"

// Buffers in NVMM memory for the element tests, with the frames of frames::make().
namespace nvmm_frames {

using frames::Shape;

// Writes the samples of frames::make() into a surface of `shape`.
inline void fill(Surface* surface, guint index, const Shape& shape, unsigned seed) {
  const frames::Content content = frames::draw(shape, frames::Scene::kSurface, seed);
  surface->write(index, content.samples.data(), frames::row_bytes(shape));
}

inline std::string caps_string(const Shape& shape) {
  return frames::caps_string(shape, "memory:NVMM");
}

// A batch whose surfaces hold the frames of frames::make(), with seeds from `seed` on.
inline std::shared_ptr<Surface> make_surface(const Shape& shape, const Batch& batch = {},
                                             unsigned seed = 1) {
  auto result = std::make_shared<Surface>(shape.format, shape.width, shape.height, batch);
  for (guint i = 0; i < batch.size; ++i) fill(result.get(), i, shape, seed + i);
  return result;
}

inline GstBuffer* make(const Shape& shape, const Batch& batch = {}, unsigned seed = 1,
                       unsigned number = 0) {
  return wrap(make_surface(shape, batch, seed), number);
}

// A producer with a pool of a few buffers that it reuses. `size` is the structure's.
using Producer = std::function<GstBuffer*()>;
GstBufferPool* new_pool(guint most, Producer produce, gsize size = kClassic.surface);

}  // namespace nvmm_frames

#endif  // RDP_TESTS_SUPPORT_NVMM_FRAMES_H_
