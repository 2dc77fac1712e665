// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/count_known.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/image/known_range.h"
#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/metadata/recycling_pool.h"
#include "tests/base/count_known_arguments.h"
#ifdef RDP_HAVE_CUDA
#include "gst/cuda/gpu_session.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"
extern "C" const unsigned char rdp_count_known_fatbin[];
#endif

using namespace rdp;
using namespace rdp::gst;

GST_DEBUG_CATEGORY_STATIC(count_known_debug);

// --- the result, which copies of the frame share, in a custom meta of the frame ------------------

namespace {

struct KnownCounts : GstMiniObject, RecyclingPool<KnownCounts>::Item {
  std::vector<std::uint32_t> columns;
  // The camera and meaning that the method received.
  std::optional<MetricCamera> camera;
  SampleMeaning meaning;
};
GST_DEFINE_MINI_OBJECT_TYPE(KnownCounts, known_counts)

constexpr const char* kMeta = "KnownCountsMeta";

std::string field_of(guint surface) { return "surface-" + std::to_string(surface); }

// --- the settings and the method ----------------------------------------------------------------

struct CountSettings : AnalyzerSettings {
  guint min_value = 1;
  guint max_value = 65535;
  bool metres = false;
};

using Of = PropertyOf<CountSettings>;
constexpr auto kProperties =
    join(std::to_array<PropertyRow<CountSettings>>({
             {{.name = "min-value",
               .nick = "Least value",
               .blurb = "The least sample that is known",
               .flags = kControllable},
              Of::as_uint<&CountSettings::min_value>(0, 65535)},
             {{.name = "max-value",
               .nick = "Largest value",
               .blurb = "The largest sample that is known",
               .flags = kControllable},
              Of::as_uint<&CountSettings::max_value>(0, 65535)},
             {{.name = "metres",
               .nick = "Metres",
               .blurb = "Whether the picture needs metres",
               .flags = kWhilePlaying},
              Of::as_boolean<&CountSettings::metres>()},
         }),
         properties_of_member<CountSettings, &CountSettings::camera, kCameraProperties>(),
         base_properties<CountSettings>(
             "frames, known samples, mean-time, backend and pictures-dropped"));

class CountMethod final : public Method, private Worker {
 public:
  explicit CountMethod(GstRdpAnalyzer* element) : element_(element) {}

  Plan plan(const Frame&) override {
    settings_ = copy_settings<CountSettings>(element_);
    known_ = {settings_.min_value, settings_.max_value};
    Plan plan;
    plan.camera.measures = true;
    plan.camera.metres_for = settings_.metres ? "metres=true" : nullptr;
    plan.camera_settings = &settings_.camera;
    return plan;
  }
  Worker& cpu() override { return *this; }
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
  gsize count(GstMiniObject* result) override {
    const std::vector<std::uint32_t>& columns = static_cast<KnownCounts*>(result)->columns;
    return std::accumulate(columns.begin(), columns.end(), gsize{0});
  }
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override {
    GstCustomMeta* meta = gst_buffer_get_custom_meta(buffer, kMeta);
    if (meta == nullptr) meta = gst_buffer_add_custom_meta(buffer, kMeta);
    GstStructure* fields = gst_custom_meta_get_structure(meta);
    for (guint i = 0; i < results.size(); ++i) {
      gst_structure_set(fields, field_of(i).c_str(), known_counts_get_type(), results[i], nullptr);
    }
  }

  const KnownRange& known() const { return known_; }
  // Starts a result of one number per column of the frame, and returns the numbers.
  std::vector<std::uint32_t>& start_result(const Task& task, std::size_t input) {
    const int columns = task.inputs[input].width();
    KnownCounts* counts = pool_.acquire().release();
    gst_mini_object_init(counts, 0, G_TYPE_NONE, nullptr, nullptr, [](GstMiniObject* gone) {
      RecyclingPool<KnownCounts>::give_back(static_cast<KnownCounts*>(gone));
    });
    task.results[input] = counts;
    counts->camera.reset();
    if (task.camera != nullptr) counts->camera = *task.camera;
    counts->meaning = task.meaning;
    counts->columns.assign(static_cast<std::size_t>(columns), 0);
    return counts->columns;
  }

 private:
  // On the CPU.
  void analyze(const Task& task) override {
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      const DepthView frame = task.inputs[i].host;
      std::vector<std::uint32_t>& counts = start_result(task, i);
      for (int row = 0; row < frame.height; ++row) {
        for (int column = 0; column < frame.width; ++column) {
          counts[static_cast<std::size_t>(column)] += known_.contains(frame.at(row, column));
        }
      }
    }
  }
  void paint(const Task& task) override {
    const auto& counts = static_cast<KnownCounts*>(task.results[task.painted])->columns;
    for (int row = 0; row < task.picture.height; ++row) {
      auto* pixels =
          reinterpret_cast<std::uint32_t*>(task.picture.data + row * task.picture.stride);
      std::transform(counts.begin(), counts.end(), pixels, [&](std::uint32_t count) {
        return test::bar_pixel(count, row, task.picture.height);
      });
    }
  }

  GstRdpAnalyzer* const element_;
  CountSettings settings_;
  KnownRange known_{};
  RecyclingPool<KnownCounts> pool_;
};

// --- on the GPU ---------------------------------------------------------------------------------

#ifdef RDP_HAVE_CUDA
class CountGpuWorker final : public Worker {
 public:
  CountGpuWorker(CountMethod& method, GpuSession& session) : method_(method), session_(session) {}

  void analyze(const Task& task) override {
    const auto width = static_cast<std::size_t>(task.inputs[0].width());
    const std::size_t bytes = width * task.inputs.size() * sizeof(std::uint32_t);
    counts_.ensure(bytes);
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      const cuda::DeviceDepthView& frame = task.inputs[i].device;
      kernels_.of(frame.type)
          .start(shape(frame.width), session_.stream(),
                 test::CountKnownArguments{frame.bytes(), frame.pitch, frame.width, frame.height,
                                           method_.known().first, method_.known().last,
                                           counts_.as<std::uint32_t>() + i * width});
    }
    cuda::check(cuda::driver().cuMemcpyDtoHAsync_v2(on_host_.ensure(bytes), counts_.get(), bytes,
                                                    session_.stream()),
                "fetching counts");
  }
  void paint(const Task& task) override {
    const cuda::DeviceRgbaView& picture = task.device_picture;
    const auto first = task.painted * static_cast<std::size_t>(picture.width);
    paint_.start(shape(picture.width), session_.stream(),
                 test::PaintCountsArguments{counts_.as<std::uint32_t>() + first, picture.bytes(),
                                            picture.pitch, picture.width, picture.height});
  }
  bool finish(const Task& task) override {
    session_.synchronize();
    const auto* from = reinterpret_cast<const std::uint32_t*>(on_host_.get());
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      auto& counts = method_.start_result(task, i);
      std::copy_n(from + i * counts.size(), counts.size(), counts.begin());
    }
    return true;
  }

 private:
  static cuda::LaunchShape shape(int columns) {
    return cuda::tiled(columns, 1, test::kCountThreads, 1, test::kCountThreads);
  }

  CountMethod& method_;
  GpuSession& session_;
  cuda::KernelModule module_{rdp_count_known_fatbin};
  cuda::SampleKernels kernels_{module_, "count_known_u8", "count_known_u16"};
  cuda::Kernel paint_{module_, "count_known_paint"};
  cuda::DeviceBuffer counts_;
  cuda::PinnedBuffer on_host_;
};

std::unique_ptr<Worker> CountMethod::new_gpu_worker(GpuSession& session) {
  return std::make_unique<CountGpuWorker>(*this, session);
}
#else
std::unique_ptr<Worker> CountMethod::new_gpu_worker(GpuSession&) { return nullptr; }
#endif

}  // namespace

// --- the element --------------------------------------------------------------------------------

typedef GstRdpAnalyzer CountKnown;
typedef GstRdpAnalyzerClass CountKnownClass;
G_DEFINE_TYPE(CountKnown, count_known, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE(countknown, "countknown", GST_RANK_NONE, count_known_get_type())

static void count_known_class_init(CountKnownClass* klass) {
  static const CapsWords words = {"format GRAY16_LE or GRAY8",
                                  "put videoconvert before it, or take a depth stream"};
  install_element_properties<gst_rdp_analyzer_core, CountSettings, kProperties>(klass);
  static const gchar* no_tags[] = {nullptr};
  gst_meta_register_custom(kMeta, no_tags, nullptr, nullptr, nullptr);
  GST_DEBUG_CATEGORY_INIT(count_known_debug, "countknown", 0, "counts of known samples");
  klass->category = count_known_debug;
  klass->caps_words = &words;
  klass->verb = "count";
  klass->participle = "counted";
  klass->items = "known";
  klass->new_method = [](GstRdpAnalyzer* self) -> Method* { return new CountMethod(self); };
  gst_rdp_analyzer_class_add_video_pads(klass, "format = (string) { GRAY16_LE, GRAY8 }",
                                        "format = (string) RGBA", GST_TYPE_RDP_PICTURE_PAD);
  gst_element_class_set_static_metadata(
      GST_ELEMENT_CLASS(klass), "Known samples", "Filter/Analyzer/Video",
      "Counts the known samples of each column", "The rdpsegment authors");
}

static void count_known_init(CountKnown*) {}

static const KnownCounts* counts_of(GstBuffer* buffer, guint surface) {
  GstCustomMeta* meta = gst_buffer_get_custom_meta(buffer, kMeta);
  if (meta == nullptr) return nullptr;
  const GValue* value =
      gst_structure_get_value(gst_custom_meta_get_structure(meta), field_of(surface).c_str());
  return value == nullptr ? nullptr : static_cast<const KnownCounts*>(g_value_get_boxed(value));
}

std::span<const std::uint32_t> count_known_get(GstBuffer* buffer, guint surface) {
  const KnownCounts* counts = counts_of(buffer, surface);
  if (counts == nullptr) return {};
  return counts->columns;
}

const rdp::MetricCamera* count_known_camera(GstBuffer* buffer, rdp::gst::SampleMeaning* meaning,
                                            guint surface) {
  const KnownCounts* counts = counts_of(buffer, surface);
  if (counts == nullptr) return nullptr;
  *meaning = counts->meaning;
  return counts->camera ? &*counts->camera : nullptr;
}
