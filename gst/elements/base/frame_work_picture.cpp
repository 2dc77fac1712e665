// SPDX-License-Identifier: LGPL-2.1-or-later
// The picture of a frame: whether one is painted, and its buffer.
#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/frame_work-private.h"

namespace rdp::gst {

// True if the batch has the input that the picture shows. Another input in its place would be
// mistaken for it. Batches of live sources may lack one now and then, so the user is told once.
bool FrameWork::has_painted_input(const Work& work, std::size_t there) {
  const std::size_t wanted = work.plan.painted;
  if (wanted < there) return true;
  if (missing_input_ != wanted) {
    missing_input_ = wanted;
    g_autofree gchar* pad = gst_object_get_name(GST_OBJECT(work.call.overlay));
    GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                        ("The pad %s is to show surface %" G_GSIZE_FORMAT
                         " of each batch, but a batch has %" G_GSIZE_FORMAT
                         ", numbered from 0: no picture is made.",
                         pad, wanted, there),
                        ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT
                         "; the largest number that there is: %" G_GSIZE_FORMAT,
                         frame_, GST_TIME_ARGS(work.pts()), there - 1));
  }
  return false;
}

// True if the camera gives the metres that the picture needs. If it never does, the picture's flow
// is an error.
bool FrameWork::has_metres(Work* work) const {
  CameraSource* camera = work->call.camera;
  const char* metres_for = work->plan.camera.metres_for;
  if (metres_for == nullptr || camera == nullptr || camera->metric() != nullptr) return true;
  if (camera->lost()) return false;  // the user has been warned
  if (!camera->go_on_without(metres_for, frame_ > 0)) work->picture->flow = GST_FLOW_ERROR;
  return false;
}

// Acquires a buffer for the picture of this frame (transfer full); false if there is none.
bool FrameWork::acquire_picture(Work* work, const Task& task) {
  const WorkCall& call = work->call;
  if (call.overlay == nullptr || !work->main().is_video) return false;
  PaintedPicture& picture = *work->picture;
  // Device memory only if the engine works in that memory's context.
  const bool nvmm = work->main().memory == MemoryKind::kNvmm;
  const bool in_device = nvmm && work->on_gpu;
  const int device = in_device ? inputs_[call.main]->nvmm()[0].working_device(cuda_device_id_) : 0;
  gst_rdp_picture_pad_set_nvmm(call.overlay, static_cast<guint>(device), !in_device, nvmm);
  gboolean gap;
  if (!gst_rdp_picture_pad_wants(call.overlay, call.running_time, &gap)) {
    picture.gap = gap != FALSE;
    return false;
  }
  if (!has_painted_input(*work, task.inputs.size()) || !has_metres(work)) {
    picture.gap = true;
    return false;
  }
  picture.buffer = gst_rdp_extra_pad_acquire(GST_RDP_EXTRA_PAD(call.overlay), &picture.flow);
  if (picture.buffer == nullptr) {
    picture.gap = picture.flow == GST_FLOW_OK;  // dropped
    return false;
  }
  describe_picture(picture.buffer, work->main().buffer);
  return true;
}

void FrameWork::drop_picture(Work* work, const char* reason) {
  post_unwritable_picture(element_, work->picture->buffer, reason);
  picture_.unmap();  // a mapping of the picture
  gst_clear_buffer(&work->picture->buffer);
  work->picture->flow = GST_FLOW_ERROR;
}

}  // namespace rdp::gst
