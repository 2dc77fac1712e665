// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_RESULT_POOL_H_
#define RDP_GST_METADATA_RESULT_POOL_H_

#include <gst/rdpsegment/rdpowner.h>

#include <new>
#include <string>
#include <utility>

#include "gst/metadata/recycling_pool.h"

namespace rdp::gst {

// Reuses the memory of results for later frames: the object and its arrays. Results may outlive the
// pool. Thread safe. rdpowner.h shows the life of a result.
//
// `Content` holds the arrays of a kind, and lives on with the object:
//   Kind             the kind, of rdpXkind.h
//   clear()          empties it for the next frame; may throw std::bad_alloc
//   arrays()         the arrays, or their sizes while they are remote
//   fetch(&reason)   copies remote arrays to the host; false: *reason says why it cannot
//   recycled()       releases resources before it waits for reuse, such as remote arrays
template <typename Content>
class ResultPool {
  using Kind = typename Content::Kind;

  class Body : public RecyclingPool<Body>::Item {
   public:
    Body() : blank_(Kind::blank_new()) {
      if (blank_ == nullptr) throw std::bad_alloc();
    }
    ~Body() { Kind::blank_free(blank_); }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;

    void recycled() noexcept { content.recycled(); }

    // The object owns the body from here to recycle().
    typename Kind::Object* finish(const typename Kind::Info& info) {
      static constexpr GstRdpOwnerClass kOwner = {fetch, recycle, nullptr};
      const typename Kind::Arrays now = content.arrays();
      Kind::blank_fill(blank_, &info, &now, &kOwner, this);
      return blank_;
    }

    Content content;

   private:
    static gboolean fetch(gpointer owner, gpointer arrays, const gchar** why) noexcept {
      auto* self = static_cast<Body*>(owner);
      if (!self->content.fetch(&self->why_)) {
        *why = self->why_.c_str();
        return FALSE;
      }
      *static_cast<typename Kind::Arrays*>(arrays) = self->content.arrays();
      return TRUE;
    }

    static void recycle(gpointer owner, gpointer) noexcept {
      RecyclingPool<Body>::give_back(static_cast<Body*>(owner));
    }

    typename Kind::Object* blank_;  // in use between finish() and recycle()
    std::string why_;               // why the arrays are lost
  };

 public:
  // A result under construction. An unfinished one returns to its pool.
  class Draft {
   public:
    Content* operator->() const { return &body_->content; }

    // Returns the immutable object (transfer full). Neither allocates nor fails. The draft is empty
    // afterwards, and may only be destroyed or assigned to.
    typename Kind::Object* finish(const typename Kind::Info& info) noexcept {
      return body_.release()->finish(info);
    }

   private:
    friend class ResultPool;
    explicit Draft(typename RecyclingPool<Body>::Handle body) : body_(std::move(body)) {}

    typename RecyclingPool<Body>::Handle body_;
  };

  // Returns a draft without content. Throws std::bad_alloc.
  Draft acquire() {
    auto body = pool_.acquire();
    body->content.clear();
    return Draft(std::move(body));
  }

 private:
  RecyclingPool<Body> pool_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_RESULT_POOL_H_
