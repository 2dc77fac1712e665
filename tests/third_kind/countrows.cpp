// SPDX-License-Identifier: LGPL-2.1-or-later
// A plugin with an element that counts the known samples of each row, as countknown does it of each
// column, and with the rdpmetaconvert of this build, which has been told of the kind.
#include <tests/third_kind/rdprowskind.h>

#include <vector>

#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/gstrdpanalyzer.h"
#include "gst/elements/base/picture_pad.h"
#include "gst/elements/rdpmetaconvert/gstrdpmetaconvert.h"
#include "gst/metadata/attach_results.h"
#include "gst/metadata/result_pool.h"
#include "tests/third_kind/rows_json.h"

using namespace rdp;
using namespace rdp::gst;

GST_DEBUG_CATEGORY_STATIC(count_rows_debug);

namespace {

struct RowsContent {
  using Kind = meta::RowsKind;
  bool fetch(std::string*) noexcept { return true; }
  GstRdpRowsArrays arrays() const { return {counts.data(), counts.size()}; }
  void clear() { counts.clear(); }
  void recycled() noexcept {}
  std::vector<guint32> counts;
};

class CountMethod final : public Method, private Worker {
 public:
  Plan plan(const Arrival&) override { return {}; }
  Worker& cpu() override { return *this; }
  gsize count(GstMiniObject*) override { return 1; }
  void attach(GstBuffer* buffer, std::span<GstMiniObject* const> results) override {
    attach_results<meta::RowsKind>(buffer, results);
  }

 private:
  void analyze(const Task& task) override {
    const DepthView frame = task.inputs[0].host;
    auto draft = pool_.acquire();
    draft->counts.resize(static_cast<std::size_t>(frame.height));
    for (int row = 0; row < frame.height; ++row) {
      for (int column = 0; column < frame.width; ++column) {
        draft->counts[static_cast<std::size_t>(row)] += frame.at(row, column) > 0;
      }
    }
    task.results[0] = GST_MINI_OBJECT_CAST(draft.finish(
        {task.frame, static_cast<guint>(frame.width), static_cast<guint>(frame.height)}));
  }
  ResultPool<RowsContent> pool_;
};

constexpr auto kProperties = base_properties<AnalyzerSettings>("frames");

}  // namespace

typedef GstRdpAnalyzer CountRows;
typedef GstRdpAnalyzerClass CountRowsClass;
G_DEFINE_TYPE(CountRows, count_rows, GST_TYPE_RDP_ANALYZER)
GST_ELEMENT_REGISTER_DEFINE(countrows, "countrows", GST_RANK_NONE, count_rows_get_type())

static void count_rows_init(CountRows*) {}
static void count_rows_class_init(CountRowsClass* klass) {
  static const CapsWords words = {"format GRAY16_LE", "take a depth stream"};
  install_element_properties<gst_rdp_analyzer_core, AnalyzerSettings, kProperties>(klass);
  GST_DEBUG_CATEGORY_INIT(count_rows_debug, "countrows", 0, "known samples of rows");
  klass->category = count_rows_debug;
  klass->caps_words = &words;
  klass->verb = "count";
  klass->participle = "counted";
  klass->new_method = [](GstRdpAnalyzer*) -> Method* { return new CountMethod; };
  gst_rdp_analyzer_class_add_video_pads(klass, "format = (string) GRAY16_LE",
                                        "format = (string) RGBA", GST_TYPE_RDP_PICTURE_PAD);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Known samples", "Filter/Video",
                                        "Counts the known samples of rows", "The authors");
}

static gboolean plugin_init(GstPlugin* plugin) {
  add_convert_kind(kRowsKind);
  return GST_ELEMENT_REGISTER(countrows, plugin) && GST_ELEMENT_REGISTER(rdpmetaconvert, plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, thirdkind, "A third kind of metadata",
                  plugin_init, "1", "LGPL", PACKAGE, "unknown")
