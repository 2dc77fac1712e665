// SPDX-License-Identifier: LGPL-2.1-or-later
// The base of analysing elements on the GPU and in all memories, on the stand-in driver or a real
// one; see analyzer.cpp.
#include <new>
#include <stdexcept>

#include "common/gpu_error.h"
#include "gst/elements/base/backend_trial.h"
#include "gst/rdpsegment/rdpcamerameta.h"
#include "tests/base/analyzer_variants.h"
#include "tests/base/known_counts.h"
#include "tests/support/allocation_count.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"
#include "tests/support/cuda_frames.h"
#include "tests/support/nvmm_cuda_frames.h"

using frames::Rig;
using frames::Shape;
using known_counts::Expected;
using nvmm_cuda_frames::batch_in;
using nvmm_cuda_frames::Device;
using variants::history;
using variants::script;

namespace {

constexpr int kTypes[] = {nvmm_frames::kDevice, nvmm_frames::kUnified, nvmm_frames::kPinned,
                          nvmm_frames::kSystem};
constexpr Shape kShapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48},
                             {GST_VIDEO_FORMAT_GRAY8, 31, 33},
                             {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1}};
constexpr int kTrial =
    2 * static_cast<int>(rdp::gst::BackendTrial::kWarmUp + rdp::gst::BackendTrial::kCounted);

struct Counter : Rig {
  Counter(const Shape& shape, const char* backend, const std::string& caps,
          const char* overlay_caps = nullptr)
      : Rig(backend, overlay_caps, "countknown"), known(known_of(shape)) {
    g_object_set(element, "min-value", known.first, "max-value", known.last, nullptr);
    gst_harness_set_src_caps_str(main, caps.c_str());
  }
  static rdp::KnownRange known_of(const Shape& shape) {
    return shape.format == GST_VIDEO_FORMAT_GRAY8 ? rdp::KnownRange{60, 180}
                                                  : rdp::KnownRange{9000, 27000};
  }
  void check_picture(const Expected& expected) {
    g_autoptr(GstBuffer) picture = gst_harness_pull(overlay);
    fail_unless(frames::pixels(picture, expected.shape) == expected.picture());
  }

  rdp::KnownRange known;
};

struct Variant : Rig {
  Variant(const char* factory, const char* backend, const std::string& caps,
          const char* overlay_caps = nullptr)
      : Rig(backend, overlay_caps, factory) {
    gst_harness_set_src_caps_str(main, caps.c_str());
  }
};

std::string happened() { return std::exchange(history, ""); }

void check_history(const char* expected) {
  const std::string came = happened();
  fail_unless(came == expected, "%s", came.c_str());
}

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Fails unless the labels are the low bytes of the samples of frames::make() with this seed.
void check_labels(GstBuffer* output, const Shape& shape, unsigned seed) {
  const frames::Content content = frames::draw(shape, frames::Scene::kSurface, seed);
  const std::vector<std::uint8_t> bytes = frames::bytes(output);
  const rdp::DepthView labels =
      frames::view({GST_VIDEO_FORMAT_GRAY8, shape.width, shape.height}, bytes);
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      fail_unless_equals_int(labels.at(row, column), content.view().at(row, column) & 0xFF);
    }
  }
  fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), content.view().at(0, 0));
}

}  // namespace

// --- the complete element: the same counts and pictures everywhere ------------------------------

CHECK_TEST(test_cuda_memory) {
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const Shape& shape : kShapes) {
    for (const char* pictures : {"video/x-raw(memory:CUDAMemory)", "video/x-raw"}) {
      Counter counter(shape, "auto", cuda_frames::caps_string(shape), pictures);
      const Expected expected(shape, 4, counter.known);
      GstBuffer* output =
          gst_harness_push_and_pull(counter.main, cuda_frames::make(context.get(), shape, 4));
      known_counts::check(output, expected);
      counter.check_picture(expected);
      gst_buffer_unref(output);
      fail_unless(frames::backend_in_use(counter.element) == "cuda");
    }
  }
}

CHECK_TEST(test_nvmm_batches) {
  const auto device = std::make_shared<Device>();
  for (const Shape& shape : kShapes) {
    for (const int type : kTypes) {
      for (const char* backend : {"cpu", "auto", "cuda"}) {
        const bool for_host = type == nvmm_frames::kSystem || type == nvmm_frames::kPinned;
        if (!for_host && g_str_equal(backend, "cpu")) continue;
        nvmm_frames::Batch batch = batch_in(device, type);
        batch.size = 4;
        batch.filled = 3;
        Counter counter(shape, backend, nvmm_frames::caps_string(shape), "video/x-raw");
        // One camera, of the frames' size, for all of them.
        g_object_set(counter.element, "focal-length", 70.0, "depth-unit", 0.001, nullptr);
        g_autoptr(GstBuffer) output =
            gst_harness_push_and_pull(counter.main, nvmm_frames::make(shape, batch, 20));
        fail_unless(output != nullptr);
        const GstRdpCameraMeta* meta = gst_buffer_get_rdp_camera_meta(output);
        fail_unless(meta != nullptr && gst_rdp_camera_get_info(meta->camera)->width ==
                                           static_cast<guint>(shape.width));
        for (guint i = 0; i < batch.filled; ++i) {
          known_counts::check(output, Expected(shape, 20 + i, counter.known), i);
          rdp::gst::SampleMeaning meaning;
          const rdp::MetricCamera* camera = count_known_camera(output, &meaning, i);
          fail_unless(camera != nullptr && camera->focal_x == 70);
          fail_unless(meaning.unit == 0.001);
        }
        fail_unless(count_known_get(output, batch.filled).empty());
        counter.check_picture(Expected(shape, 20, counter.known));
      }
    }
  }
}

// One call of the method handles a whole batch.
CHECK_TEST(test_one_call_a_batch) {
  const auto device = std::make_shared<Device>();
  nvmm_frames::Batch batch = batch_in(device, nvmm_frames::kDevice);
  batch.size = batch.filled = 3;
  variants::start_anew();
  Variant variant("variantvideo", "auto", nvmm_frames::caps_string(kShapes[0]));
  happened();
  for (const bool writes : {false, true}) {
    script.writes = writes;
    const auto surface = nvmm_frames::make_surface(kShapes[0], batch, 20);
    g_autoptr(GstBuffer) output =
        gst_harness_push_and_pull(variant.main, nvmm_frames::wrap(surface));
    check_history(writes ? " gpu:analyze gpu:write_back gpu:finish attach:3"
                         : " new-gpu-worker gpu:analyze gpu:finish attach:3");
    for (guint i = 0; i < batch.filled; ++i) {
      const frames::Content content = frames::draw(kShapes[0], frames::Scene::kSurface, 20 + i);
      std::vector<std::uint8_t> expected = rdp::test::tight_samples(content.view());
      if (writes) {
        expected[0] = 7;
        expected[1] = 0;
      }
      fail_unless(surface->samples(i) == expected);
    }
  }
}

// The picture shows the input that the method selects, as it arrived. If a batch has no such input,
// nothing is painted, a GAP continues the overlay's stream, and the user is warned.
CHECK_TEST(test_picture_of_any_input) {
  const auto device = std::make_shared<Device>();
  for (const char* backend : {"cpu", "cuda"}) {
    nvmm_frames::Batch batch = batch_in(device, nvmm_frames::kSystem);
    batch.size = batch.filled = 3;
    variants::start_anew();
    script.writes = true;
    Variant variant("variantvideo", backend, nvmm_frames::caps_string(kShapes[0]), "video/x-raw");
    for (const gsize painted : {0, 2, 1, 3, 2}) {
      script.painted = painted;
      happened();
      const auto surface = nvmm_frames::make_surface(kShapes[0], batch, 20);
      GstBuffer* output = gst_harness_push_and_pull(variant.main, nvmm_frames::wrap(surface));
      fail_unless_equals_int(occurrences(happened(), "paint"), painted < 3 ? 1 : 0);
      GstMessage* message = gst_bus_pop_filtered(variant.bus, GST_MESSAGE_WARNING);
      fail_unless((message != nullptr) == (painted == 3));
      if (message != nullptr) gst_message_unref(message);
      gst_buffer_unref(output);
      if (painted == 3) continue;
      const auto seed = static_cast<unsigned>(20 + painted);
      const frames::Content content = frames::draw(kShapes[0], frames::Scene::kSurface, seed);
      g_autoptr(GstBuffer) picture = gst_harness_pull(variant.overlay);
      for (const std::uint8_t byte : frames::bytes(picture)) {
        fail_unless_equals_int(byte, content.view().at(0, 0) & 0xFF);
      }
    }
    int gaps = 0;
    while (GstEvent* event = gst_harness_try_pull_event(variant.overlay)) {
      if (GST_EVENT_TYPE(event) == GST_EVENT_GAP) ++gaps;
      gst_event_unref(event);
    }
    fail_unless_equals_int(gaps, 1);
  }
}

// System-memory frames with backend=auto run on both engines in turn, then on the faster one.
// Counts and pictures do not depend on the engine.
CHECK_TEST(test_trial) {
  const Shape& shape = kShapes[0];
  for (const bool slow_gpu : {false, true}) {
    if (slow_gpu && !standin::available()) continue;
    if (slow_gpu) standin::set_kernel_milliseconds(3);
    Counter counter(shape, "auto", frames::caps_string(shape), "video/x-raw");
    bool on_cpu = false;
    bool on_gpu = false;
    for (int number = 0; number < kTrial + 3; ++number) {
      const auto seed = static_cast<unsigned>(number % 5);
      GstBuffer* output = gst_harness_push_and_pull(counter.main, frames::make(shape, seed));
      const Expected expected(shape, seed, counter.known);
      known_counts::check(output, expected);
      counter.check_picture(expected);
      gst_buffer_unref(output);
      (frames::backend_in_use(counter.element) == "cuda" ? on_gpu : on_cpu) = true;
    }
    fail_unless(on_cpu && on_gpu);
    if (slow_gpu) {
      fail_unless(frames::backend_in_use(counter.element) == "cpu");
      standin::set_kernel_milliseconds(0);
    }
  }
}

// --- what else the base can do ------------------------------------------------------------------

// A method with state is not tried on the GPU, which does not even start. It runs there for frames
// in GPU memory and with backend=cuda.
CHECK_TEST(test_state_is_not_tried) {
  const std::string system = frames::caps_string(kShapes[0]);
  variants::start_anew();
  script.interchangeable = false;
  const int streams = standin::available() ? standin::count("cuStreamCreate") : 0;
  {
    Variant variant("variantvideo", "auto", system);
    for (int number = 0; number < kTrial; ++number) {
      fail_unless_equals_int(gst_harness_push(variant.main, frames::make(kShapes[0])), GST_FLOW_OK);
    }
    fail_unless_equals_int(occurrences(happened(), "gpu"), 0);
    if (standin::available()) {
      fail_unless_equals_int(standin::count("cuStreamCreate"), streams);
    }
  }
  {
    Variant variant("variantvideo", "cuda", system);
    happened();
    gst_harness_push(variant.main, frames::make(kShapes[0]));
    check_history(" gpu:analyze gpu:finish attach:1");
  }
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  Variant variant("variantvideo", "auto", cuda_frames::caps_string(kShapes[0]));
  gst_harness_push(variant.main, cuda_frames::make(context.get(), kShapes[0]));
  fail_unless(frames::backend_in_use(variant.element) == "cuda");
}

// Each engine gets half of the trial's frames; then the faster engine remains.
CHECK_TEST(test_trial_is_shared) {
  variants::start_anew();
  Variant variant("variantvideo", "auto", frames::caps_string(kShapes[0]));
  script.at = [](const std::string& step) {
    if (step == "gpu:analyze") g_usleep(2000);
  };
  for (int number = 0; number < kTrial + 4; ++number) {
    fail_unless_equals_int(gst_harness_push(variant.main, frames::make(kShapes[0])), GST_FLOW_OK);
  }
  const std::string came = happened();
  fail_unless_equals_int(occurrences(came, " gpu:analyze"), kTrial / 2);
  fail_unless_equals_int(occurrences(came, " analyze"), kTrial / 2 + 4);
  fail_unless_equals_int(occurrences(came, " leave-gpu"), 1);
}

CHECK_TEST(test_labels) {
  variants::start_anew();
  for (const Shape& shape : kShapes) {
    Variant variant("variantlabels", "cuda", frames::caps_string(shape));
    gst_harness_set_sink_caps_str(variant.main, "video/x-raw,format=GRAY8");
    for (unsigned seed = 1; seed < 4; ++seed) {
      g_autoptr(GstBuffer) output =
          gst_harness_push_and_pull(variant.main, frames::make(shape, seed));
      check_labels(output, shape, seed);
    }
    fail_unless(frames::backend_in_use(variant.element) == "cuda");
  }
}

// The GPU fails in any step of its trial: the CPU continues with the same frame.
CHECK_TEST(test_trial_fails) {
  for (const char* factory : {"variantlabels", "variantvideo"}) {
    for (const char* bad : {"gpu:analyze", "gpu:write_back", "gpu:finish"}) {
      variants::start_anew();
      const bool labels = g_str_equal(factory, "variantlabels");
      script.writes = !labels;
      if (labels && g_str_equal(bad, "gpu:write_back")) continue;
      const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 33, 20};
      Variant variant(factory, "auto", frames::caps_string(shape));
      if (labels) gst_harness_set_sink_caps_str(variant.main, "video/x-raw,format=GRAY8");
      int left = 2;
      script.at = [&](const std::string& step) {
        if (step == bad && --left == 0) throw rdp::GpuError("lost its fan");
      };
      for (unsigned seed = 1; seed < 9; ++seed) {
        g_autoptr(GstBuffer) output =
            gst_harness_push_and_pull(variant.main, frames::make(shape, seed));
        fail_unless(output != nullptr);
        if (labels) check_labels(output, shape, seed);
        const frames::Content content = frames::draw(shape, frames::Scene::kSurface, seed);
        fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), content.view().at(0, 0));
        if (!labels) fail_unless_equals_int(frames::bytes(output)[0], 7);
      }
      GstMessage* warning = gst_bus_pop_filtered(variant.bus, GST_MESSAGE_WARNING);
      fail_unless(warning != nullptr);
      gst_message_unref(warning);
      fail_unless(gst_bus_pop_filtered(variant.bus, GST_MESSAGE_ERROR) == nullptr);
      fail_unless(frames::backend_in_use(variant.element) == "cpu");
    }
  }
}

CHECK_TEST(test_points) {
  variants::start_anew();
  Variant variant("variantpoints", "cuda", "application/x-points,format=(string)XYZ32F");
  const std::string points(36, 'p');
  for (const bool writes : {false, true}) {
    script.writes = writes;
    g_autoptr(GstBuffer) output = gst_harness_push_and_pull(
        variant.main, gst_buffer_new_memdup(points.data(), points.size()));
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(output), 'p');
    const std::vector<std::uint8_t> bytes = frames::bytes(output);
    fail_unless_equals_int(bytes[0], writes ? 7 : 'p');
    fail_unless_equals_int(bytes[1], 'p');
  }
  fail_unless(frames::backend_in_use(variant.element) == "cuda");
}

CHECK_TEST(test_exceptions) {
  const std::function<void()> all[] = {[] { throw std::bad_alloc(); },
                                       [] { throw rdp::GpuError("lost its fan"); },
                                       [] { throw std::runtime_error("no idea"); }};
  const char* const texts[] = {"Not enough memory to vary a frame.",
                               "The GPU engine failed: lost its fan.",
                               "A frame could not be varied: no idea."};
  for (std::size_t i = 0; i < std::size(all); ++i) {
    for (const char* bad : {"gpu:analyze", "gpu:write_back", "gpu:finish"}) {
      variants::start_anew();
      Variant variant("variantvideo", "cuda", frames::caps_string(kShapes[0]));
      script.writes = true;
      script.at = [&](const std::string& step) {
        if (step == bad) all[i]();
      };
      fail_unless_equals_int(gst_harness_push(variant.main, frames::make(kShapes[0])),
                             GST_FLOW_ERROR);
      fail_unless_equals_text(rdp::test::next_text(variant.bus, GST_MESSAGE_ERROR).text, texts[i]);
      fail_unless(gst_bus_pop_filtered(variant.bus, GST_MESSAGE_ERROR) == nullptr);
      script.at = nullptr;
      script.repeats = 1;
      happened();
      fail_unless_equals_int(gst_harness_push(variant.main, frames::make(kShapes[0])), GST_FLOW_OK);
      const std::string came = happened();
      fail_unless_equals_int(occurrences(came, "gpu:write_back"), 2);
      // After a GPU error the session is never used again.
      fail_unless_equals_int(occurrences(came, "new-gpu-worker"), i == 1 ? 1 : 0);
    }
  }
}

// --- the cost of a frame ------------------------------------------------------------------------

// A meta as countknown attaches it.
static void attach_something(GstBuffer* buffer, GstBuffer* something) {
  GstCustomMeta* meta = gst_buffer_add_custom_meta(buffer, "KnownCountsMeta");
  gst_structure_set(gst_custom_meta_get_structure(meta), "surface-0", GST_TYPE_BUFFER, something,
                    nullptr);
}

// Allocations for 20 frames after ten warm-up frames: by the host and by the driver.
static std::pair<std::uint64_t, int> cost_of(GstHarness* harness, bool attach, GstBuffer* source) {
  std::pair<std::uint64_t, int> cost;
  GstBuffer* something = gst_buffer_new();
  for (int number = 0; number < 30; ++number) {
    GstBuffer* buffer = gst_buffer_new();
    gst_buffer_copy_into(
        buffer, source,
        static_cast<GstBufferCopyFlags>(GST_BUFFER_COPY_META | GST_BUFFER_COPY_MEMORY), 0,
        static_cast<gsize>(-1));
    const int driver = standin::count("cuMemAlloc_v2") + standin::count("cuMemHostAlloc");
    const std::uint64_t before = allocation_count::count;
    if (attach) attach_something(buffer, something);
    fail_unless_equals_int(gst_harness_push(harness, buffer), GST_FLOW_OK);
    if (number >= 10) {
      cost.first += allocation_count::count - before;
      cost.second += standin::count("cuMemAlloc_v2") + standin::count("cuMemHostAlloc") - driver;
    }
    gst_buffer_unref(gst_harness_pull(harness));
  }
  gst_buffer_unref(something);
  return cost;
}

CHECK_TEST(test_allocations) {
  if (RDP_COUNTS_ALLOCATIONS == 0 || !standin::available()) return;
  const Shape shape{GST_VIDEO_FORMAT_GRAY16_LE, 320, 240};
  const cuda_frames::ContextRef context = cuda_frames::new_context();
  for (const char* backend : {"cpu", "cuda"}) {
    for (const bool in_cuda : {false, true}) {
      if (in_cuda && g_str_equal(backend, "cpu")) continue;
      const std::string caps =
          in_cuda ? cuda_frames::caps_string(shape) : frames::caps_string(shape);
      g_autoptr(GstBuffer) source =
          in_cuda ? cuda_frames::make(context.get(), shape) : frames::make(shape);
      Counter counter(shape, backend, caps);
      g_autoptr(GstHarness) plain = gst_harness_new("identity");
      gst_harness_set_src_caps_str(plain, caps.c_str());
      const auto allowed = cost_of(plain, true, source);
      const auto cost = cost_of(counter.main, false, source);
      fail_unless(cost.first <= allowed.first,
                  "%s, %d: %" G_GUINT64_FORMAT " allocations, %" G_GUINT64_FORMAT " allowed",
                  backend, in_cuda, cost.first, allowed.first);
      fail_unless_equals_int(cost.second, 0);
    }
  }
}

static void register_elements() {
  GST_ELEMENT_REGISTER(countknown, nullptr);
  variants::register_all();
  allocation_count::not_counted = standin::available() ? standin::inside() : nullptr;
}

CHECK_CASE(analyzer_cuda, .before = register_elements, .missing = cuda_frames::missing)
