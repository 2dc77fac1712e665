// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHSTEREO_GSTDEPTHSTEREO_PRIVATE_H_
#define RDP_GST_ELEMENTS_DEPTHSTEREO_GSTDEPTHSTEREO_PRIVATE_H_

#include <atomic>

#include "gst/cuda/gpu_provider.h"
#include "gst/elements/base/pairing.h"
#include "gst/elements/base/seek_filter.h"
#include "gst/elements/depthstereo/gstdepthstereo.h"
#include "gst/elements/depthstereo/stereo_pads.h"
#include "gst/elements/depthstereo/stereo_settings.h"
#include "gst/elements/depthstereo/stereo_stream.h"

// What the files of the element share: gstdepthstereo.cpp has the object and what flows through it,
// gstdepthstereopads.cpp its request pads, what comes to them and what they take.

// As long as the element lives.
struct GstDepthStereoPrivate : rdp::gst::InstanceMemory {
  explicit GstDepthStereoPrivate(GstAggregator* element)
      : pairing(element, {rdp::gst::PairingRules::Unpaired::kDropped, false}),
        gpu(GST_ELEMENT(element)),
        sides(GST_ELEMENT(element)) {}

  rdp::gst::Pairing pairing;
  rdp::gst::GpuProvider gpu;
  rdp::gst::SidePads sides;
  rdp::gst::SeekFilter seeks;

  // Under the object lock. The element keeps the pads.
  rdp::gst::StereoSettings settings;
  rdp::gst::StereoStats stats;
  GstAggregatorPad* left = nullptr;
  GstAggregatorPad* right = nullptr;
  std::atomic<bool> inputs_changed{true};
  // One of two views was released while the stream ran, and nothing has come to the other one
  // since: its source is being exchanged, perhaps. How many more pauses are made for it. They end,
  // as a source that waits for room in the other pad cannot show that it goes on.
  std::atomic<int> pauses_for_pad{0};

  // Streaming thread. The inputs as pairing knows them: with one pad alone it is the main one.
  GstAggregatorPad* main = nullptr;          // with a reference
  GstAggregatorPad* other = nullptr;         // the same
  rdp::gst::StereoStream* stream = nullptr;  // between start() and stop()
};

struct _GstDepthStereo {
  GstAggregator parent;

  GstDepthStereoPrivate* priv;
};

rdp::gst::StereoSettings gst_depth_stereo_copy_settings(GstDepthStereo* self);

// Brings pairing and the stream up to date with the pads that there are. False: there is none.
// Streaming thread.
bool gst_depth_stereo_take_inputs(GstDepthStereo* self);

// Whether the view that is left alone waits for the other one, which was released. Then the inputs
// are still those that were.
bool gst_depth_stereo_waits_for_pad(GstDepthStereo* self);

// Sets what concerns pads in the classes, in class_init; the child proxy has a type of its own.
void gst_depth_stereo_class_init_pads(GstElementClass* element_class,
                                      GstAggregatorClass* aggregator_class);
void gst_depth_stereo_child_proxy_init(gpointer iface, gpointer data);

#endif  // RDP_GST_ELEMENTS_DEPTHSTEREO_GSTDEPTHSTEREO_PRIVATE_H_
