// SPDX-License-Identifier: LGPL-2.1-or-later
// depthobstacles on batches in CPU-readable NVMM memory. Each camera has its own tracks and ground,
// identified by batch index or by DeepStream's metadata.
#include "tests/depthobstacles/obstacles_rig.h"
#include "tests/support/nvds_batch.h"
#include "tests/support/nvmm_surface.h"

using namespace obstacles_rig;

// Cameras appear in any order, and twice in a batch.
CHECK_TEST(test_batches) {
  const std::vector<std::vector<guint>> orders = {{0, 1}, {1, 0}, {1, 1, 0}, {0}, {1, 0}, {0, 1}};
  for (const bool named : {false, true}) {
    Rig rig;
    rig.begin("memory:NVMM");
    std::map<guint, ExpectedTracks> expected;
    std::map<guint, int> seen;
    std::map<guint, GstClockTime> last;
    for (GstClockTime number = 0; number < orders.size(); ++number) {
      const std::vector<guint> order = named ? orders[number] : orders[0];
      nvmm_frames::Batch batch;
      batch.size = 3;
      batch.filled = static_cast<guint>(order.size());
      auto surface =
          std::make_shared<nvmm_frames::Surface>(kShape.format, kShape.width, kShape.height, batch);
      std::vector<nvds_batch::Frame> sources;
      std::vector<Obstacles> found;
      for (guint place = 0; place < batch.filled; ++place) {
        const guint source = order[place];
        const double step = 0.05 * seen[source]++;
        const Board board = {source == 0 ? 1.5 + step : 2.0 - step, 0.3, -0.1, 0.3};
        const Ground ground = ground_at(kHeight, kPitch);
        const Content content = draw(kShape, camera(), ground, {&board, 1});
        surface->write(place, reinterpret_cast<const std::uint8_t*>(content.samples.data()),
                       frames::row_bytes(kShape));
        found.push_back(expect(content.view(), camera(), &ground, near()));
        sources.insert(sources.begin(), {source, place, (number + 1) * GST_SECOND / 10 + place});
      }
      GstBuffer* buffer = nvmm_frames::wrap(surface);
      GST_BUFFER_PTS(buffer) = (number + 1) * GST_SECOND / 10;
      if (named) nvds_batch::add(buffer, sources);
      g_autoptr(GstBuffer) out = rig.search(buffer);
      for (guint place = 0; place < batch.filled; ++place) {
        const guint source = order[place];
        const GstClockTime pts = GST_BUFFER_PTS(out) + (named ? place : 0);
        const auto before = last.find(source);
        expected[source].update(found[place], before == last.end() ? 0 : pts - before->second);
        last[source] = pts;
        std::string wrong =
            difference(obstacles_of(out, place), found[place], near(), GST_RDP_GROUND_GIVEN);
        if (wrong.empty()) wrong = expected[source].difference(obstacles_of(out, place));
        fail_unless(wrong.empty(), "batch %d, place %u: %s", static_cast<int>(number), place,
                    wrong.c_str());
      }
    }
    fail_unless(rig.texts().empty());
  }
}

CHECK_CASE(depthobstacles_nvmm)
