// SPDX-License-Identifier: LGPL-2.1-or-later
// The camera of the frames that an analysing element works on.
#include "gst/elements/base/gstrdpanalyzer-private.h"

void gst_rdp_analyzer_find_camera(GstRdpAnalyzer* self, GstBuffer* buffer,
                                  const rdp::gst::CameraSettings& settings) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  if (!session.is_video) return;
  session.camera.look(settings, session.method->camera_use(), buffer);
}

bool gst_rdp_analyzer_has_metres(GstRdpAnalyzer* self, GstFlowReturn* flow) {
  const GstRdpAnalyzerSession& session = *self->priv->session;
  const char* metres_for = session.method->camera_use().metres_for;
  if (metres_for == nullptr || session.camera.metric() != nullptr) return true;
  if (session.camera.lost()) return false;  // the user has been warned
  session.camera.post_missing(metres_for);
  *flow = GST_FLOW_ERROR;
  return false;
}

// Frames of the element's own measure something else than those that they come of.
void gst_rdp_analyzer_attach_camera(GstRdpAnalyzer* self, const GstRdpAnalyzerOutcome& outcome,
                                    GstBuffer* buffer) {
  if (outcome.output == nullptr) self->priv->session->camera.attach(buffer);
}
