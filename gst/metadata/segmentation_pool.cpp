// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/segmentation_pool.h"

#include <gst/rdpsegment/rdpsegmentationowner.h>

#include <new>
#include <utility>

namespace rdp::gst {

class SegmentationBody : public RecyclingPool<SegmentationBody>::Item {
 public:
  SegmentationBody() : blank_(gst_rdp_segmentation_blank_new()) {
    if (blank_ == nullptr) throw std::bad_alloc();
  }
  ~SegmentationBody() { gst_rdp_segmentation_blank_free(blank_); }
  SegmentationBody(const SegmentationBody&) = delete;
  SegmentationBody& operator=(const SegmentationBody&) = delete;

  // What the remote arrays hold is of use to the next frame, whichever segmentation that has.
  void recycled() noexcept { remote_.reset(); }

  // For the next frame. Throws std::bad_alloc.
  void clear() { list_.resize_columns(0)[0] = 0; }

  SegmentList& list() {
    remote_.reset();
    return list_;
  }

  void use_remote(RemoteRef<RemoteArrays> remote, const SegmentSlice& slice) {
    remote_ = std::move(remote);
    slice_ = slice;
  }

  // Once the arrays are here, the remote memory is free for another frame.
  bool fetch(std::string* reason) noexcept {
    if (remote_ && !remote_->fetch(slice_, &list_, reason)) return false;
    remote_.reset();
    return true;
  }

  GstRdpSegmentationArrays arrays() const {
    if (remote_) return {static_cast<guint>(slice_.columns), slice_.segments, nullptr, nullptr};
    return {static_cast<guint>(list_.columns()), list_.segment_count(), list_.offsets().data(),
            reinterpret_cast<const GstRdpSegment*>(list_.segments().data())};
  }

  // From here to recycle() the body belongs to the segmentation.
  GstRdpSegmentation* finish(const GstRdpSegmentationInfo& info) {
    static constexpr GstRdpSegmentationOwnerClass kOwner = {fetch_arrays, recycle, nullptr};
    const GstRdpSegmentationArrays now = arrays();
    gst_rdp_segmentation_blank_fill(blank_, &info, &now, &kOwner, this);
    return blank_;
  }

 private:
  static gboolean fetch_arrays(gpointer owner, GstRdpSegmentationArrays* arrays,
                               const gchar** why) {
    auto* self = static_cast<SegmentationBody*>(owner);
    if (!self->fetch(&self->why_)) {
      *why = self->why_.c_str();
      return FALSE;
    }
    *arrays = self->arrays();
    return TRUE;
  }

  static void recycle(gpointer owner, GstRdpSegmentation*) {
    RecyclingPool<SegmentationBody>::give_back(static_cast<SegmentationBody*>(owner));
  }

  GstRdpSegmentation* blank_;  // in use between finish() and recycle()
  SegmentList list_;
  RemoteRef<RemoteArrays> remote_;  // while the arrays are elsewhere
  SegmentSlice slice_;
  std::string why_;  // the arrays are lost
};

SegmentationDraft::SegmentationDraft(RecyclingPool<SegmentationBody>::Handle body)
    : body_(std::move(body)) {}
SegmentationDraft::SegmentationDraft(SegmentationDraft&&) noexcept = default;
SegmentationDraft& SegmentationDraft::operator=(SegmentationDraft&&) noexcept = default;
SegmentationDraft::~SegmentationDraft() = default;

SegmentList& SegmentationDraft::list() { return body_->list(); }

void SegmentationDraft::use_remote(RemoteRef<RemoteArrays> remote, const SegmentSlice& slice) {
  body_->use_remote(std::move(remote), slice);
}

bool SegmentationDraft::try_fetch(std::string* reason) { return body_->fetch(reason); }

int SegmentationDraft::columns() const { return static_cast<int>(body_->arrays().n_columns); }

std::size_t SegmentationDraft::segment_count() const { return body_->arrays().n_segments; }

GstRdpSegmentation* SegmentationDraft::finish(const GstRdpSegmentationInfo& info) noexcept {
  return body_.release()->finish(info);
}

SegmentationPool::SegmentationPool() = default;
SegmentationPool::~SegmentationPool() = default;
SegmentationPool::SegmentationPool(SegmentationPool&&) noexcept = default;
SegmentationPool& SegmentationPool::operator=(SegmentationPool&&) noexcept = default;

SegmentationDraft SegmentationPool::acquire() {
  auto body = pool_.acquire();
  body->clear();
  return SegmentationDraft(std::move(body));
}

}  // namespace rdp::gst
