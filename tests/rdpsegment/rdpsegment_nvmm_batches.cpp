// SPDX-License-Identifier: LGPL-2.1-or-later
// NVMM batches on the GPU. The surfaces of a batch go through each step together and share one
// segment list; all features of single frames work. The same program runs on the stand-in driver,
// which counts, and on a real one.
#include <algorithm>
#include <set>
#include <thread>

#include "tests/support/check_test.h"
#include "tests/support/nvmm_cuda_frames.h"
#include "tests/support/overlay_surface.h"

using frames::Shape;
using nvmm_cuda_frames::batch_in;
using nvmm_cuda_frames::Device;
using namespace nvmm_frames;

namespace {

std::shared_ptr<Device> new_device() { return std::make_shared<Device>(); }

Batch batch_of(const std::shared_ptr<Device>& device, guint surfaces,
               int type = nvmm_frames::kDevice) {
  Batch batch = batch_in(device, type);
  batch.size = batch.filled = surfaces;
  return batch;
}

// Outputs requested besides the segments.
struct Options {
  bool reconstruct = false;
  int median = 0;
  guint column_width = 1;
  bool refine = false;

  rdp::Parameters parameters() const {
    rdp::Parameters parameters = nvmm_frames::test_parameters();
    parameters.median = median == 3 ? rdp::Median::k3x3 : rdp::Median::kNone;
    parameters.column_width = static_cast<int>(column_width);
    parameters.refine = refine;
    return parameters;
  }
  void set_on(GstElement* element) const {
    gst_util_set_object_arg(G_OBJECT(element), "median", median == 3 ? "3x3" : "none");
    g_object_set(element, "column-width", column_width, "refine", refine ? TRUE : FALSE, nullptr);
  }
};

// Streets and surfaces, or noise, whose segments exceed the capacity.
frames::Content content_of(const Shape& shape, guint surface, bool noise) {
  if (noise) return frames::draw(shape, frames::Scene::kNoise, surface + 1);
  const frames::Scene scenes[] = {frames::Scene::kStreet, frames::Scene::kSurface};
  return frames::draw(shape, scenes[surface % 2], surface + 1);
}

// Pushes a batch in which the surfaces of `noisy` are noise, and compares everything.
void check_surfaces(Rig* rig, const Shape& shape, const Batch& batch, const Options& options,
                    const std::set<guint>& noisy = {}, guint painted = 0) {
  const auto surface = nvmm_frames::make_surface(shape, batch);
  for (guint i = 0; i < batch.filled; ++i) {
    const frames::Content content = content_of(shape, i, noisy.contains(i));
    surface->write(i, content.samples.data(), frames::row_bytes(shape));
  }
  g_autoptr(GstBuffer) output = gst_harness_push_and_pull(rig->main, nvmm_frames::wrap(surface));
  fail_unless(output != nullptr);
  for (guint i = 0; i < batch.filled; ++i) {
    const frames::Content content = content_of(shape, i, noisy.contains(i));
    const Expected expected = rdp::test::expect(content.view(), options.parameters());
    const std::string wrong =
        frames::difference(expected.segments, gst_rdp_buffer_get_batch_segmentation(output, i));
    fail_unless(wrong.empty(), "surface %u of %u: %s", i, batch.filled, wrong.c_str());
    fail_unless(
        surface->samples(i) == (options.reconstruct ? expected.reconstructed : expected.samples),
        "surface %u of %u", i, batch.filled);
    if (rig->overlay == nullptr || i != painted) continue;
    g_autoptr(GstBuffer) picture = gst_harness_pull(rig->overlay);
    nvmm_frames::check_picture(picture, shape, expected.picture, i);
  }
}

}  // namespace

// Each step is one launch, for up to 32 surfaces.
CHECK_TEST(test_launches) {
  if (!standin::available()) return;
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 20, 15};
  for (const bool reconstruct : {false, true}) {
    for (const int median : {0, 3}) {
      for (const guint column_width : {1, 2}) {
        for (const bool overlay : {false, true}) {
          const Options options{reconstruct, median, column_width};
          const int steps =
              1 + (reconstruct ? 1 : 0) + (median > 0 ? 1 : 0) + (column_width > 1 ? 1 : 0);
          Rig rig(shape, "cuda", reconstruct, overlay ? "video/x-raw" : nullptr);
          options.set_on(rig.element);
          for (const guint surfaces : {1, 8, 32, 33, 65}) {
            const int groups = (static_cast<int>(surfaces) + 31) / 32;
            const int before = standin::count("cuLaunchKernel");
            check_surfaces(&rig, shape, batch_of(device, surfaces), options);
            // From the second batch on, whose predecessor was read, one launch per group copies
            // the segments. An overlay adds two: the palette's range and one surface's picture.
            const int copies = surfaces == 1 ? 0 : groups;
            fail_unless_equals_int(standin::count("cuLaunchKernel") - before,
                                   groups * steps + copies + (overlay ? 2 : 0));
          }
        }
      }
    }
  }
}

// Varying numbers of surfaces, all memory types, and options that change the kernels.
CHECK_TEST(test_surfaces) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 21, 30};
  const Options all[] = {
      {}, {true}, {true, 3}, {true, 3, 4}, {false, 0, 2, true}, {true, 0, 1, true}};
  for (const Options& options : all) {
    Rig rig(shape, "cuda", options.reconstruct);
    options.set_on(rig.element);
    for (const int type : {nvmm_frames::kDevice, nvmm_frames::kUnified, nvmm_frames::kPinned,
                           nvmm_frames::kSystem}) {
      for (const guint surfaces : {2, 33, 5, 1, 32, 70}) {
        check_surfaces(&rig, shape, batch_of(device, surfaces, type), options);
      }
    }
  }
}

// The segments of some surfaces exceed the capacity, in any group of 32: surfaces already written
// are segmented and painted once, from their original samples.
CHECK_TEST(test_growing) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 10, 256};
  const std::set<guint> cases[] = {{0}, {33}, {0, 33}, {39}, {5, 20, 38}};
  for (const Options& options : {Options{true, 0, 1, true}, Options{true, 3, 1, true},
                                 Options{true, 0, 2}, Options{false, 3, 2}}) {
    for (const std::set<guint>& noisy : cases) {
      for (const guint painted : {0, 34}) {
        Rig rig(shape, "cuda", options.reconstruct, "video/x-raw");
        options.set_on(rig.element);
        gst_child_proxy_set(GST_CHILD_PROXY(rig.element), "overlay::surface", painted, nullptr);
        // The second time there is room.
        for (int i = 0; i < 2; ++i) {
          check_surfaces(&rig, shape, batch_of(device, 40), options, noisy, painted);
        }
      }
    }
  }
}

// Noise in one group of a batch does not affect another group's kernels. In every batch from the
// third on, one group takes one launch and the other two.
CHECK_TEST(test_noise_in_one_group) {
  if (!standin::available()) return;
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 10, 90};
  const Options options{false, 0, 1, true};
  Rig rig(shape, "cuda", options.reconstruct);
  options.set_on(rig.element);
  for (int i = 0; i < 6; ++i) {
    const int before = standin::count("cuLaunchKernel");
    check_surfaces(&rig, shape, batch_of(device, 40), options, {33});
    constexpr int kCopies = 2;  // for their reader
    if (i >= 2) fail_unless_equals_int(standin::count("cuLaunchKernel") - before, 3 + kCopies);
  }
}

// Reading one surface's segments copies only these. Several threads may read different surfaces at
// the same time.
CHECK_TEST(test_reading) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 60, 44};
  Rig rig(shape, "cuda");
  g_autoptr(GstBuffer) output =
      gst_harness_push_and_pull(rig.main, nvmm_frames::make(shape, batch_of(device, 8), 3));
  fail_unless(output != nullptr);
  GstRdpSegmentation* one = gst_rdp_buffer_get_batch_segmentation(output, 5);
  if (standin::available()) {
    const gsize segments = gst_rdp_segmentation_get_n_segments(one);
    const auto before = standin::bytes_copied(nullptr);
    fail_unless(gst_rdp_segmentation_fetch(one, nullptr));
    fail_unless_equals_uint64(standin::bytes_copied(nullptr) - before,
                              61 * sizeof(guint32) + segments * sizeof(GstRdpSegment));
  }
  std::vector<std::thread> readers;
  for (guint i = 0; i < 8; ++i) {
    readers.emplace_back([output, i] {
      fail_unless(
          gst_rdp_segmentation_fetch(gst_rdp_buffer_get_batch_segmentation(output, i), nullptr));
    });
  }
  for (std::thread& reader : readers) reader.join();
  check_batch(output, shape, 8, 3);
}

// Segments that are held while the next batches arrive.
CHECK_TEST(test_kept_segments) {
  const auto device = new_device();
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 40, 30};
  std::vector<GstRdpSegmentation*> kept;
  {
    Rig rig(shape, "cuda");
    for (unsigned i = 0; i < 25; ++i) {
      g_autoptr(GstBuffer) output = gst_harness_push_and_pull(
          rig.main, nvmm_frames::make(shape, batch_of(device, 3), 10 * i, i));
      kept.push_back(gst_rdp_segmentation_ref(gst_rdp_buffer_get_batch_segmentation(output, 1)));
    }
  }
  for (unsigned i = 0; i < kept.size(); ++i) {
    g_autoptr(GstBuffer) source = frames::make(shape, 10 * i + 1);
    frames::check_segmentation(kept[i], shape, frames::bytes(source),
                               nvmm_frames::test_parameters());
    gst_rdp_segmentation_unref(kept[i]);
  }
}

CHECK_TEST(test_overlay_surface) {
  const auto device = new_device();
  for (const int type : {nvmm_frames::kDevice, nvmm_frames::kSystem}) {
    for (const bool reconstruct : {false, true}) {
      nvmm_frames::check_overlay_surface(batch_in(device, type), "cuda", reconstruct);
    }
    nvmm_frames::check_overlay_without_surface(batch_in(device, type), "cuda");
  }
}

CHECK_CASE(rdpsegment_nvmm_batches, .missing = nvmm_cuda_frames::missing)
