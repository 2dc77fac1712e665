// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_ELEMENT_CORE_H_
#define RDP_GST_ELEMENTS_BASE_ELEMENT_CORE_H_

#include <gst/gst.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

#include "common/boundary.h"
#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/elements/base/extra_pads.h"
#include "gst/elements/base/frame_work.h"
#include "gst/elements/base/seek_filter.h"

namespace rdp::gst {

// The part of an element that is independent of its base class: settings, statistics, the GPU,
// extra pads and seeks. GstRdpAnalyzer and GstRdpJoiner derive from it. Lives from construction to
// finalize.
class ElementCore : public InstanceMemory {
 public:
  // Owns `settings`. Has room for `extra_pads` pads beside src.
  ElementCore(GstElement* element, const ElementWords& words, AnalyzerSettings* settings,
              std::size_t extra_pads);
  virtual ~ElementCore() = default;
  ElementCore(const ElementCore&) = delete;
  ElementCore& operator=(const ElementCore&) = delete;

  const ElementWords words;
  const std::unique_ptr<AnalyzerSettings> settings;  // its members are under the object lock
  AnalyzerStats stats;                               // under the object lock
  GpuProvider gpu;                                   // started when there is work for it
  ExtraPads extra;
  SeekFilter seeks;

  // A copy of the settings of an element with element_properties.h. Any thread.
  template <typename Settings>
  Settings copy_settings() const;
  // A copy of the statistics, including the pictures that `overlay` (may be none) has dropped so
  // far. Any thread.
  AnalyzerStats copy_stats(const ExtraPadRef& overlay) const;

  // The value of the property `stats` (transfer full). Any thread.
  virtual GstStructure* make_stats() = 0;
  // After a property was set. Any thread.
  virtual void settings_changed() {}
  // Reports early what backend=cuda lacks: with a method from NULL to READY, without one from READY
  // to PAUSED. False, after an element error. See try_backend().
  virtual bool check_backend(bool with_method) = 0;

  // Around the parent's change_state(). before_change() is false after an element error.
  bool before_change(GstStateChange transition);
  void after_change(GstStateChange transition);
  // Before a stream: counts begin at 0.
  void reset();

  // For set_context(), before the parent's.
  void set_context(GstContext* context);
  // Answers a query for the GPU's context. False: it is another query, or not for this element.
  bool answer_context(GstQuery* query);
  // Calls body(), which prepares for frames of these caps (may be null), and returns its result. If
  // it throws, posts an element error and returns `failed`.
  template <typename Body, typename Result = std::invoke_result_t<Body>>
  Result prepare_for(const GstCaps* caps, Body body, Result failed = {}) {
    return contain(body, [&](const char* reason) {
      refuse_caps(caps, reason);
      return failed;
    });
  }
  // For request_new_pad() and release_pad(): see ExtraPads::request(). Null after an element
  // warning: the place is taken.
  GstPad* request_extra(std::size_t place, GstPadTemplate* templ, GstPadEventFunction event,
                        GstPadQueryFunction query, GstPad* follow);
  void release_extra(GstPad* pad);
  // For an interface that exposes the extra pads as children, so that launch lines can set their
  // properties, as in overlay::legend=false. kCore finds the core of an element.
  template <auto kCore>
  static void init_child_proxy(gpointer iface, gpointer);

 protected:
  // Makes the value of the property `stats` (transfer full), with the counts of the base. `frames`:
  // the name of its first field; null: only pictures are counted.
  GstStructure* new_stats(const char* frames, const AnalyzerStats& counts) const;
  // With backend=cuda, checks that there is a device and, with `new_method` (may be empty), code
  // for it. True for all other backends. False, after an element error, which new_method() has
  // posted if it returned null.
  bool try_backend(const std::function<std::unique_ptr<Method>()>& new_method);

 private:
  void refuse_caps(const GstCaps* caps, const char* reason);

  GstElement* const element_;
};

template <auto kCore>
void ElementCore::init_child_proxy(gpointer iface, gpointer) {
  auto* proxy = static_cast<GstChildProxyInterface*>(iface);
  proxy->get_child_by_index = [](GstChildProxy* element, guint index) -> GObject* {
    const ExtraPadRef pad = kCore(element).extra.ref_nth(index);
    return pad ? G_OBJECT(gst_object_ref(pad.get())) : nullptr;
  };
  proxy->get_children_count = [](GstChildProxy* element) { return kCore(element).extra.count(); };
}

template <typename Settings>
Settings ElementCore::copy_settings() const {
  GST_OBJECT_LOCK(element_);
  const Settings copy = static_cast<const Settings&>(*settings);
  GST_OBJECT_UNLOCK(element_);
  return copy;
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_ELEMENT_CORE_H_
