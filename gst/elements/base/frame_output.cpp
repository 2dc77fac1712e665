// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/frame_output.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/points_caps.h"
#include "gst/memory/pool_negotiation.h"

namespace rdp::gst {

// The caps of `possible` that are in system memory.
static GstCaps* in_system_memory(GstCaps* possible) {
  GstCaps* system = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(possible); ++i) {
    const GstCapsFeatures* features = gst_caps_get_features(possible, i);
    if (!gst_caps_features_is_equal(features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)) continue;
    gst_caps_append_structure(system, gst_structure_copy(gst_caps_get_structure(possible, i)));
  }
  return system;
}

// --- caps ---------------------------------------------------------------------------------------

bool FrameOutput::negotiate(GstCaps* possible, const GstCaps* input) {
  g_autoptr(GstCaps) taken = gst_pad_peer_query_caps(pad_, possible);
  // A peer that takes ANY returns the filter.
  g_autoptr(GstCaps) anything = gst_pad_peer_query_caps(pad_, nullptr);
  g_autoptr(GstCaps) system = in_system_memory(possible);
  const bool to_system = gst_caps_is_any(anything) && !gst_caps_is_empty(system);
  g_autoptr(GstCaps) both =
      gst_caps_intersect_full(to_system ? system : possible, taken, GST_CAPS_INTERSECT_FIRST);
  if (gst_caps_is_empty(both)) {
    g_autofree gchar* text = gst_caps_to_string(possible);
    g_autofree gchar* wanted = gst_caps_to_string(anything);
    GST_ELEMENT_ERROR(
        element_, CORE, NEGOTIATION,
        ("The element downstream of the pad %s does not accept its output caps: the pad offers %s, "
         "downstream accepts %s. Change the caps there, or put a converter (videoconvert, "
         "videorate) in between; for another size, put videoscale before this element.",
         GST_OBJECT_NAME(pad_), text, wanted),
        ("for %" GST_PTR_FORMAT, input));
    return false;
  }
  PointsFormat cloud;
  std::string not_a_cloud;
  input_step_ =
      read_points_caps(input, &cloud, &not_a_cloud) ? static_cast<gsize>(cloud.point_step) : 0;
  gst_clear_caps(&caps_);
  caps_ = gst_caps_fixate(static_cast<GstCaps*>(g_steal_pointer(&both)));
  memory_ = memory_kind(caps_);
  gst_clear_caps(&system_caps_);
  if (memory_ == MemoryKind::kCuda) {
    system_caps_ = gst_caps_intersect_full(system, taken, GST_CAPS_INTERSECT_FIRST);
    if (gst_caps_is_empty(system_caps_)) gst_clear_caps(&system_caps_);
  }
  if (read_caps()) return true;
  GST_ELEMENT_ERROR(element_, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                    ("%" GST_PTR_FORMAT, caps_));
  return false;
}

bool FrameOutput::leave_cuda_memory() {
  if (system_caps_ == nullptr || reads_video_meta(pad_, caps_)) return false;
  gst_caps_unref(caps_);
  caps_ = gst_caps_fixate(std::exchange(system_caps_, nullptr));
  memory_ = MemoryKind::kSystem;
  return read_caps();
}

bool FrameOutput::read_caps() {
  cloud_size_ = 0;
  is_cloud_ = false;
  if (!gst_structure_has_name(gst_caps_get_structure(caps_, 0), "application/x-points")) {
    return gst_video_info_from_caps(&info_, caps_) != FALSE;
  }
  PointsFormat format;
  std::string problem;
  if (!read_points_caps(caps_, &format, &problem)) {
    GST_WARNING_OBJECT(element_, "%s", problem.c_str());
    return false;
  }
  const guint64 size = guint64{static_cast<guint>(format.width)} *
                       static_cast<guint>(format.height) * static_cast<guint>(format.point_step);
  if ((size == 0 && input_step_ == 0) || size > G_MAXUINT) return false;
  is_cloud_ = true;
  cloud_size_ = static_cast<guint>(size);
  cloud_step_ = static_cast<gsize>(format.point_step);
  gst_video_info_init(&cloud_shape_);
  cloud_shape_.width = format.width;
  cloud_shape_.height = format.height;
  return true;
}

// --- the pool -----------------------------------------------------------------------------------

void FrameOutput::set_pool(GstBufferPool* pool) {
  std::swap(pool_, pool);
  if (pool == nullptr) return;
  // Downstream may offer the active pool again: then only its second reference is dropped.
  if (pool != pool_) gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
}

void FrameOutput::stop() {
  set_pool(nullptr);
  gst_clear_object(&pool_context_);
  gst_clear_caps(&caps_);
  gst_clear_caps(&system_caps_);
}

void FrameOutput::set_page_locked(bool page_locked) { page_locked_ = page_locked; }

bool FrameOutput::pool_is_stale() const {
  if (pool_ == nullptr) return true;
  return memory_ == MemoryKind::kCuda ? pool_context_ != gpu_->context()
                                      : pool_page_locked_ != page_locked_;
}

void FrameOutput::post_no_memory(const char* reason) {
  GST_ELEMENT_ERROR(element_, RESOURCE, NO_SPACE_LEFT, ("No memory for output frames."),
                    ("%s", reason));
}

bool FrameOutput::make_pool() {
  g_autoptr(GstQuery) query = ask_for_allocation(pad_, caps_);
  PoolNeeds needs;
  if (is_cloud_) {
    needs.kind = byte_pools();
    needs.size = std::max(cloud_size_, guint{1});
  }
  GstObject* context = nullptr;
  std::string reason;
  if (memory_ == MemoryKind::kCuda) {
    context = gpu_->context();
    if (context == nullptr) reason = "there is no CUDA context that memory:CUDAMemory may lie in";
    needs.kind = gpu_frame_pools(context);
  } else if (page_locked_) {
    needs.allocator = gpu_->new_page_locked();
  }
  GstBufferPool* pool = reason.empty() ? decide_pool(query, needs, &reason) : nullptr;
  if (needs.allocator != nullptr) gst_object_unref(needs.allocator);
  if (pool != nullptr && !gst_buffer_pool_set_active(pool, TRUE)) gst_clear_object(&pool);
  set_pool(pool);
  gst_object_replace(&pool_context_, context);
  pool_page_locked_ = page_locked_;
  if (pool != nullptr) return true;
  post_no_memory(reason.empty() ? "the pool gives none" : reason.c_str());
  return false;
}

// Makes a pool for larger point clouds if this one exceeds all before. False: too little memory.
bool FrameOutput::make_room(GstBuffer* cloud) {
  const gsize size = gst_buffer_get_size(cloud) / input_step_ * cloud_step_;
  if (size <= cloud_size_) return true;
  if (size > G_MAXUINT) {
    post_no_memory("a cloud has more than 4 GiB");
    return false;
  }
  // Leave room for growth.
  cloud_size_ = static_cast<guint>(std::min<gsize>(size + size / 8, G_MAXUINT));
  return make_pool();
}

GstBuffer* FrameOutput::acquire(GstBuffer* frame, GstFlowReturn* flow) {
  if ((input_step_ > 0 && !make_room(frame)) || (pool_is_stale() && !make_pool())) {
    *flow = GST_FLOW_ERROR;
    return nullptr;
  }
  GstBuffer* buffer = nullptr;
  *flow = gst_buffer_pool_acquire_buffer(pool_, &buffer, nullptr);
  if (*flow != GST_FLOW_OK) {
    // Post it here: an aggregator's inputs may all have arrived, so upstream would not report it.
    if (*flow == GST_FLOW_ERROR) post_no_memory("the pool gives none");
    return nullptr;
  }
  // Downstream may have asked for larger buffers, but a point cloud's size gives its number of
  // points.
  if (is_cloud_ && input_step_ > 0) {
    const gsize points = gst_buffer_get_size(frame) / input_step_;
    gst_buffer_set_size(buffer, static_cast<gssize>(points * cloud_step_));
    constexpr int kDescription =
        GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_META;
    gst_buffer_copy_into(buffer, frame, static_cast<GstBufferCopyFlags>(kDescription), 0,
                         static_cast<gsize>(-1));
  } else if (is_cloud_) {
    gst_buffer_set_size(buffer, cloud_size_);
    describe_cloud(buffer, frame, &cloud_shape_);
  } else {
    describe_picture(buffer, frame);
  }
  return buffer;
}

}  // namespace rdp::gst
