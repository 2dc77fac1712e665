// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/base/two_inputs_element.h"

#include <array>

#include "gst/elements/base/element_properties.h"
#include "gst/elements/base/gstrdpjoiner.h"
#include "gst/elements/base/joined_work.h"
#include "gst/elements/base/pairing_properties.h"
#include "tests/base/pair_method.h"

using namespace rdp::gst;

typedef GstRdpJoiner RdpTwoInputs;
typedef GstRdpJoinerClass RdpTwoInputsClass;
G_DEFINE_TYPE_WITH_CODE(RdpTwoInputs, rdp_two_inputs, GST_TYPE_RDP_JOINER,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_rdp_joiner_child_proxy_init))

constexpr CapsWords kWords = {"format GRAY8", "Put videoconvert before it.", nullptr,
                              "video/x-raw,format=GRAY8,width=640,height=480"};

constexpr auto kPads = std::to_array<JoinerPadRow>({
    {.name = "sink_%u",
     .role = JoinerPadRow::Role::kFrames,
     .fields = "format=GRAY8",
     .words = &kWords,
     .most = 2},
    {.name = "src", .role = JoinerPadRow::Role::kSource, .fields = "format=GRAY8"},
    {.name = "overlay",
     .role = JoinerPadRow::Role::kPicture,
     .fields = "format=RGBA",
     .type = gst_rdp_picture_pad_get_type},
    {.name = "data",
     .role = JoinerPadRow::Role::kData,
     .fields = "format=GRAY8",
     .type = gst_rdp_data_pad_get_type},
});

constexpr auto kProperties =
    join(properties_of_member<JoinerSettings, &JoinerSettings::pairing, kPairingProperties>(),
         base_properties<JoinerSettings>("frames and backend"));

static void rdp_two_inputs_class_init(RdpTwoInputsClass* klass) {
  install_element_properties<gst_rdp_joiner_core, JoinerSettings, kProperties>(klass);
  klass->category = GST_CAT_DEFAULT;
  klass->verb = "pair";
  klass->participle = "paired";
  klass->frames = "frames";
  klass->least_inputs = 2;
  klass->new_stream = [](GstRdpJoiner* self) -> JoinerStream* {
    static const pairs::Script script;
    return new JoinedWork(self, pairs::new_method(&script));
  };
  gst_rdp_joiner_class_set_pads(klass, kPads);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(klass), "Two inputs", "Filter/Video",
                                        "Pairs two streams", "The rdpsegment authors");
}

static void rdp_two_inputs_init(RdpTwoInputs*) {}
