// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/analyzer_variants.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/picture_pad.h"
#ifdef RDP_HAVE_CUDA
#include "gst/cuda/gpu_session.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#endif

using namespace rdp;
using namespace rdp::gst;

namespace variants {

Script script;
std::string history;

namespace {

void step(const std::string& name) {
  history += " " + name;
  if (script.at) script.at(name);
}

constexpr auto kProperties = base_properties<AnalyzerSettings>("frames and backend");

class VariantMethod final : public Method {
 public:
  void reset(ResetReason reason) noexcept override {
    constexpr const char* kNames[] = {"flush", "discontinuity", "new-caps"};
    history += std::string(" ") + kNames[static_cast<int>(reason)];
  }
  bool engines_interchangeable() const override { return script.interchangeable; }
  Plan plan(const Frame&) override {
    Plan plan;
    plan.writes = script.writes;
    plan.painted = script.painted;
    return plan;
  }
  Worker& cpu() override { return cpu_; }
  std::unique_ptr<Worker> new_gpu_worker(GpuSession& session) override;
  void leave_gpu() override { history += " leave-gpu"; }
  gsize count(GstMiniObject* result) override {
    return GST_BUFFER_OFFSET(reinterpret_cast<GstBuffer*>(result));
  }
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override {
    history += " attach:" + std::to_string(results.size());
    GST_BUFFER_OFFSET(buffer) = count(results[0]);
  }

  class CpuWorker final : public Worker {
   public:
    explicit CpuWorker(std::string prefix = "") : prefix_(std::move(prefix)) {}

    void analyze(const Task& task) override {
      step(prefix_ + "analyze");
      found_.clear();
      for (const FrameSurface& input : task.inputs) {
        found_.push_back(input.host.data != nullptr ? input.host.at(0, 0)
                         : input.bytes.empty()      ? 0
                                                    : std::to_integer<guint64>(input.bytes[0]));
      }
      if (task.outputs.empty()) return;
      const DepthView in = task.inputs[0].host;
      for (int row = 0; row < in.height; ++row) {
        for (int column = 0; column < in.width; ++column) {
          task.outputs[0].host.set(row, column, in.at(row, column) & 0xFF);
        }
      }
    }
    // The first sample as it is now.
    void paint(const Task& task) override {
      step(prefix_ + "paint");
      paint_rows(task, task.picture);
    }
    void write_back(const Task& task) override {
      step(prefix_ + "write_back");
      for (const FrameSurface& input : task.inputs) {
        if (input.host.data != nullptr) input.host.set(0, 0, 7);
        if (!input.bytes.empty()) input.bytes[0] = std::byte{7};
      }
    }
    bool finish(const Task& task) override {
      step(prefix_ + "finish");
      if (script.repeats > 0 && script.repeats-- > 0) return false;
      for (std::size_t i = 0; i < found_.size(); ++i) {
        GstBuffer* result = gst_buffer_new();
        GST_BUFFER_OFFSET(result) = found_[i];
        task.results[i] = GST_MINI_OBJECT_CAST(result);
      }
      return true;
    }

   private:
    static void paint_rows(const Task& task, const RgbaView& picture) {
      const int value = task.inputs[task.painted].host.at(0, 0) & 0xFF;
      for (int row = 0; row < picture.height; ++row) {
        std::memset(picture.data + row * picture.stride, value,
                    4 * static_cast<std::size_t>(picture.width));
      }
    }

    std::string prefix_;
    std::vector<guint64> found_;
  };

 private:
  CpuWorker cpu_;
};

#ifdef RDP_HAVE_CUDA
// Copies everything to the host, runs the CPU code there, and copies the result back.
class VariantGpuWorker final : public Worker {
 public:
  explicit VariantGpuWorker(GpuSession& session) : session_(session) {}

  void analyze(const Task& task) override {
    fetch(task.inputs, &inputs_);
    fetch(task.outputs, &outputs_);
    worker_.analyze(on_host(task));
    store(outputs_);
  }
  void paint(const Task& task) override {
    const cuda::DeviceRgbaView& to = task.device_picture;
    std::vector<std::byte> pixels(static_cast<std::size_t>(to.pitch) *
                                  static_cast<std::size_t>(to.height));
    Task host = on_host(task);
    host.picture = {pixels.data(), to.pitch, to.width, to.height};
    worker_.paint(host);
    const auto row_bytes = 4 * static_cast<std::size_t>(to.width);
    for (int row = 0; row < to.height; ++row) {
      upload(to.data + static_cast<std::size_t>(row * to.pitch), pixels.data() + row * to.pitch,
             row_bytes);
    }
    session_.synchronize();
  }
  void write_back(const Task& task) override {
    worker_.write_back(on_host(task));
    store(inputs_);
  }
  bool finish(const Task& task) override { return worker_.finish(task); }

 private:
  struct Copy {
    std::vector<std::byte> bytes;
    FrameSurface surface;  // the task's surface; `bytes` is its host copy
  };

  static std::size_t size_of(const FrameSurface& surface) {
    return surface.device_bytes != 0
               ? surface.bytes.size()
               : static_cast<std::size_t>(surface.device.pitch) *
                         static_cast<std::size_t>(surface.device.height - 1) +
                     static_cast<std::size_t>(surface.device.width) *
                         static_cast<std::size_t>(bytes_per_sample(surface.device.type));
  }
  static cuda::DevicePointer data_of(const FrameSurface& surface) {
    return surface.device_bytes != 0 ? surface.device_bytes : surface.device.data;
  }
  void fetch(std::span<const FrameSurface> surfaces, std::vector<Copy>* copies) {
    copies->resize(surfaces.size());
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      Copy& copy = (*copies)[i];
      copy.surface = surfaces[i];
      copy.bytes.resize(size_of(surfaces[i]));
      cuda::check(cuda::driver().cuMemcpyDtoHAsync_v2(copy.bytes.data(), data_of(surfaces[i]),
                                                      copy.bytes.size(), session_.stream()),
                  "test");
      const cuda::DeviceDepthView& device = surfaces[i].device;
      if (surfaces[i].device_bytes != 0) {
        copy.surface.bytes = copy.bytes;
      } else {
        copy.surface.host = {copy.bytes.data(), device.pitch, device.width, device.height,
                             device.type};
      }
    }
    session_.synchronize();
  }
  void upload(cuda::DevicePointer to, const std::byte* from, std::size_t bytes) {
    cuda::check(cuda::driver().cuMemcpyHtoDAsync_v2(to, from, bytes, session_.stream()), "test");
  }
  void store(const std::vector<Copy>& copies) {
    for (const Copy& copy : copies) {
      upload(data_of(copy.surface), copy.bytes.data(), copy.bytes.size());
    }
    session_.synchronize();
  }
  Task on_host(Task task) {
    surfaces_.clear();
    for (const auto* copies : {&inputs_, &outputs_}) {
      for (const Copy& copy : *copies) surfaces_.push_back(copy.surface);
    }
    task.inputs = std::span(surfaces_).first(inputs_.size());
    task.outputs = std::span(surfaces_).subspan(inputs_.size());
    return task;
  }

  GpuSession& session_;
  VariantMethod::CpuWorker worker_{"gpu:"};
  std::vector<Copy> inputs_;
  std::vector<Copy> outputs_;
  std::vector<FrameSurface> surfaces_;
};

std::unique_ptr<Worker> VariantMethod::new_gpu_worker(GpuSession& session) {
  history += " new-gpu-worker";
  return std::make_unique<VariantGpuWorker>(session);
}
#else
std::unique_ptr<Worker> VariantMethod::new_gpu_worker(GpuSession&) { return nullptr; }
#endif

constexpr const char* kDepth = "format = (string) { GRAY8, GRAY16_LE }";
constexpr CapsWords kVideoWords = {"format GRAY16_LE or GRAY8", "put videoconvert before it"};
constexpr CapsWords kPointsWords = {"format XYZ32F", "put something that makes points before it",
                                    "application/x-points in system memory",
                                    "application/x-points,format=(string)XYZ32F"};

void init_class(GstRdpAnalyzerClass* klass, const CapsWords* words) {
  install_element_properties<gst_rdp_analyzer_core, AnalyzerSettings, kProperties>(klass);
  klass->category = GST_CAT_DEFAULT;
  klass->caps_words = words;
  klass->verb = "vary";
  klass->participle = "varied";
  klass->new_method = [](GstRdpAnalyzer*) -> Method* { return new VariantMethod(); };
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Variant", "Filter/Analyzer",
                                        "Does what tests tell it", "The rdpsegment authors");
}

void add_pads(GstRdpAnalyzerClass* klass, const char* caps_text) {
  g_autoptr(GstCaps) caps = gst_caps_from_string(caps_text);
  auto* element_class = GST_ELEMENT_CLASS(klass);
  for (const auto& [name, direction] : {std::pair{"sink", GST_PAD_SINK}, {"src", GST_PAD_SRC}}) {
    gst_element_class_add_pad_template(element_class,
                                       gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps));
  }
}

}  // namespace
}  // namespace variants

using namespace variants;

typedef GstRdpAnalyzer VariantVideo;
typedef GstRdpAnalyzerClass VariantVideoClass;
G_DEFINE_TYPE(VariantVideo, variant_video, GST_TYPE_RDP_ANALYZER)
static void variant_video_init(VariantVideo*) {}
static void variant_video_class_init(VariantVideoClass* klass) {
  init_class(klass, &kVideoWords);
  gst_rdp_analyzer_class_add_video_pads(klass, kDepth, "format = (string) RGBA",
                                        GST_TYPE_RDP_PICTURE_PAD);
}

typedef GstRdpAnalyzer VariantLabels;
typedef GstRdpAnalyzerClass VariantLabelsClass;
G_DEFINE_TYPE(VariantLabels, variant_labels, GST_TYPE_RDP_ANALYZER)
static void variant_labels_init(VariantLabels*) {}
static void variant_labels_class_init(VariantLabelsClass* klass) {
  init_class(klass, &kVideoWords);
  add_pads(klass, "video/x-raw, format = (string) { GRAY8, GRAY16_LE }");
  // Both sides have the same size and rate, but independent formats.
  klass->transform_caps = [](GstRdpAnalyzer*, GstPadDirection, GstCaps* caps) {
    GstCaps* sizes = gst_caps_copy(caps);
    for (guint i = 0; i < gst_caps_get_size(sizes); ++i) {
      gst_structure_remove_field(gst_caps_get_structure(sizes, i), "format");
    }
    GstCaps* formats = gst_caps_from_string("video/x-raw, format = (string) { GRAY8, GRAY16_LE }");
    GstCaps* both = gst_caps_intersect_full(sizes, formats, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(sizes);
    gst_caps_unref(formats);
    return both;
  };
}

typedef GstRdpAnalyzer VariantPoints;
typedef GstRdpAnalyzerClass VariantPointsClass;
G_DEFINE_TYPE(VariantPoints, variant_points, GST_TYPE_RDP_ANALYZER)
static void variant_points_init(VariantPoints*) {}
static void variant_points_class_init(VariantPointsClass* klass) {
  init_class(klass, &kPointsWords);
  add_pads(klass, "application/x-points, format = (string) XYZ32F");
}

void variants::register_all() {
  const struct {
    const char* name;
    GType type;
  } types[] = {{"variantvideo", variant_video_get_type()},
               {"variantlabels", variant_labels_get_type()},
               {"variantpoints", variant_points_get_type()}};
  for (const auto& each : types) {
    gst_element_register(nullptr, each.name, GST_RANK_NONE, each.type);
  }
}

void variants::start_anew() {
  script = Script();
  history.clear();
}
