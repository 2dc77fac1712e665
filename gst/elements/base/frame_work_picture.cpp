// SPDX-License-Identifier: LGPL-2.1-or-later
// The picture of a frame: whether one is painted, and its buffer.
#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/frame_work.h"

#define GST_CAT_DEFAULT (words_.category)

namespace rdp::gst {

// True if the batch has the input that the picture shows. Another input in its place would be
// mistaken for it. Batches of live sources may lack one now and then, so the user is told once.
bool FrameWork::has_painted_input(std::size_t there) {
  const std::size_t wanted = frame_.plan.painted;
  if (wanted < there) return true;
  if (missing_input_ != wanted) {
    missing_input_ = wanted;
    g_autofree gchar* pad = gst_object_get_name(GST_OBJECT(frame_.overlay));
    GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS,
                        ("The pad %s is to show surface %" G_GSIZE_FORMAT
                         " of each batch, but a batch has %" G_GSIZE_FORMAT
                         ", numbered from 0: no picture is made.",
                         pad, wanted, there),
                        ("frame %" G_GUINT64_FORMAT " at %" GST_TIME_FORMAT
                         "; the largest number that there is: %" G_GSIZE_FORMAT,
                         number_, GST_TIME_ARGS(frame_.pts()), there - 1));
  }
  return false;
}

// True if the camera gives the metres that the picture needs. If it never does, the picture's flow
// is an error.
bool FrameWork::has_metres() {
  CameraSource* camera = frame_.camera;
  const char* metres_for = frame_.plan.camera.metres_for;
  if (metres_for == nullptr || camera == nullptr || camera->metric() != nullptr) return true;
  if (camera->lost()) return false;  // the user has been warned
  if (!camera->go_on_without(metres_for, number_ > 0)) frame_.picture_flow = GST_FLOW_ERROR;
  return false;
}

// Acquires a buffer for the picture of this frame (transfer full); false if there is none.
bool FrameWork::acquire_picture(const Task& task) {
  if (frame_.overlay == nullptr || !frame_.main().is_video) return false;
  // Device memory only if the engine works in that memory's context.
  const bool nvmm = frame_.main().memory == MemoryKind::kNvmm;
  const bool in_device = nvmm && frame_.on_gpu;
  const int device = in_device ? inputs_[0]->nvmm()[0].working_device(cuda_device_id_) : 0;
  gst_rdp_picture_pad_set_nvmm(frame_.overlay, static_cast<guint>(device), !in_device, nvmm);
  gboolean gap;
  if (!gst_rdp_picture_pad_wants(frame_.overlay, frame_.running_time, &gap)) {
    frame_.picture_gap = gap != FALSE;
    return false;
  }
  if (!has_painted_input(task.inputs.size()) || !has_metres()) {
    frame_.picture_gap = true;
    return false;
  }
  frame_.picture =
      gst_rdp_extra_pad_acquire(GST_RDP_EXTRA_PAD(frame_.overlay), &frame_.picture_flow);
  if (frame_.picture == nullptr) {
    frame_.picture_gap = frame_.picture_flow == GST_FLOW_OK;  // dropped
    return false;
  }
  describe_picture(frame_.picture, frame_.buffer());
  return true;
}

void FrameWork::drop_picture(const char* reason) {
  post_unwritable_picture(element_, frame_.picture, reason);
  picture_.unmap();  // a mapping of the picture
  gst_clear_buffer(&frame_.picture);
  frame_.picture_flow = GST_FLOW_ERROR;
}

}  // namespace rdp::gst
