// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/deepstream/nvds_standin.h"

#include <gst/gst.h>
#include <gstnvdsmeta.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

struct State {
  std::recursive_mutex mutex;
  std::map<const NvDsBatchMeta*, int> locked;  // depth of recursive locks by the holding thread
  std::map<std::string, NvDsMetaType> types;
  int users_left = -1;
  int displays_left = -1;
  int live = 0;

  ~State() {
    if (live == 0) return;
    std::fprintf(stderr, "nvds_standin: %d metadata were never released\n", live);
    std::_Exit(98);
  }
};

State& state() {
  static State state;
  return state;
}

[[noreturn]] void misuse(const char* what) {
  std::fprintf(stderr, "nvds_standin: %s\n", what);
  std::abort();
}

void need_lock(const NvDsBatchMeta* batch) {
  const std::lock_guard guard(state().mutex);
  const auto found = state().locked.find(batch);
  if (found == state().locked.end() || found->second == 0) misuse("metadata without the lock");
}

template <typename Meta>
Meta* acquire(NvDsBatchMeta* batch, int* left) {
  need_lock(batch);
  const std::lock_guard guard(state().mutex);
  if (*left == 0) return nullptr;
  if (*left > 0) --*left;
  ++state().live;
  // Not zeros: pools hand out used memory.
  void* memory = std::malloc(sizeof(Meta));
  std::memset(memory, 0xCD, sizeof(Meta));
  Meta* meta = static_cast<Meta*>(memory);
  meta->base_meta = {};
  meta->base_meta.batch_meta = batch;
  return meta;
}

template <typename Meta>
void release(gpointer data) {
  auto* meta = static_cast<Meta*>(data);
  if (meta->base_meta.release_func != nullptr) meta->base_meta.release_func(meta, nullptr);
  std::free(meta);
  const std::lock_guard guard(state().mutex);
  --state().live;
}

class Lock {
 public:
  explicit Lock(NvDsBatchMeta* batch) : batch_(batch) { nvds_acquire_meta_lock(batch); }
  ~Lock() { nvds_release_meta_lock(batch_); }

 private:
  NvDsBatchMeta* batch_;
};

}  // namespace

void nvds_acquire_meta_lock(NvDsBatchMeta* batch) {
  g_rec_mutex_lock(&batch->meta_mutex);
  const std::lock_guard guard(state().mutex);
  ++state().locked[batch];
}

void nvds_release_meta_lock(NvDsBatchMeta* batch) {
  {
    const std::lock_guard guard(state().mutex);
    if (state().locked[batch]-- == 0) misuse("a lock is released that nobody holds");
  }
  g_rec_mutex_unlock(&batch->meta_mutex);
}

NvDsUserMeta* nvds_acquire_user_meta_from_pool(NvDsBatchMeta* batch) {
  return acquire<NvDsUserMeta>(batch, &state().users_left);
}

NvDsDisplayMeta* nvds_acquire_display_meta_from_pool(NvDsBatchMeta* batch) {
  return acquire<NvDsDisplayMeta>(batch, &state().displays_left);
}

void nvds_add_user_meta_to_frame(NvDsFrameMeta* frame, NvDsUserMeta* meta) {
  need_lock(frame->base_meta.batch_meta);
  if (meta->base_meta.batch_meta != frame->base_meta.batch_meta) misuse("another batch's metadata");
  frame->frame_user_meta_list = g_list_append(frame->frame_user_meta_list, meta);
}

void nvds_add_display_meta_to_frame(NvDsFrameMeta* frame, NvDsDisplayMeta* meta) {
  need_lock(frame->base_meta.batch_meta);
  if (meta->base_meta.batch_meta != frame->base_meta.batch_meta) misuse("another batch's metadata");
  frame->display_meta_list = g_list_append(frame->display_meta_list, meta);
}

NvDsMetaType nvds_get_user_meta_type(gchar* descriptor) {
  const std::lock_guard guard(state().mutex);
  const int next = NVDS_START_USER_META + static_cast<int>(state().types.size());
  return state().types.try_emplace(descriptor, static_cast<NvDsMetaType>(next)).first->second;
}

namespace {

// Like DeepStream's NvDsMeta: the metadata ends with the buffer, even if a pool takes the buffer
// back.
struct BatchMeta {
  GstMeta meta;
  NvDsBatchMeta* batch;
};

const GstMetaInfo* batch_meta_info() {
  static const GstMetaInfo* info = [] {
    const gchar* tags[] = {nullptr};
    const GType api = gst_meta_api_type_register("NvdsStandinMetaAPI", tags);
    return gst_meta_register(
        api, "NvdsStandinMeta", sizeof(BatchMeta),
        [](GstMeta* meta, gpointer, GstBuffer*) -> gboolean {
          reinterpret_cast<BatchMeta*>(meta)->batch = nullptr;
          return TRUE;
        },
        [](GstMeta* meta, GstBuffer*) {
          nvds_standin::destroy_batch(reinterpret_cast<BatchMeta*>(meta)->batch);
        },
        nullptr);
  }();
  return info;
}

}  // namespace

// Every buffer is a batch of one frame of the size NVDS_STANDIN_SIZE (WIDTHxHEIGHT), as after
// nvstreammux. Without that variable there is no batch, as without nvstreammux.
NvDsBatchMeta* gst_buffer_get_nvds_batch_meta(GstBuffer* buffer) {
  const char* size = std::getenv("NVDS_STANDIN_SIZE");
  unsigned width = 0;
  unsigned height = 0;
  if (size == nullptr || std::sscanf(size, "%ux%u", &width, &height) != 2) return nullptr;
  const GstMetaInfo* info = batch_meta_info();
  auto* meta = reinterpret_cast<BatchMeta*>(gst_buffer_get_meta(buffer, info->api));
  if (meta == nullptr) {
    meta = reinterpret_cast<BatchMeta*>(gst_buffer_add_meta(buffer, info, nullptr));
    meta->batch = nvds_standin::make_batch(1, width, height, GST_BUFFER_PTS(buffer));
  }
  return meta->batch;
}

namespace nvds_standin {

NvDsBatchMeta* make_batch(unsigned frames, unsigned width, unsigned height, guint64 pts) {
  state();  // outlives all objects destroyed at exit
  auto* batch = g_new0(NvDsBatchMeta, 1);
  g_rec_mutex_init(&batch->meta_mutex);
  for (unsigned number = 0; number < frames; ++number) {
    auto* frame = g_new0(NvDsFrameMeta, 1);
    frame->base_meta.batch_meta = batch;
    frame->batch_id = frame->pad_index = frame->source_id = number;
    frame->buf_pts = pts;
    frame->pipeline_width = width;
    frame->pipeline_height = height;
    // As if nvstreammux had scaled the camera's frames.
    frame->source_frame_width = 2 * width;
    frame->source_frame_height = 2 * height;
    batch->frame_meta_list = g_list_append(batch->frame_meta_list, frame);
  }
  batch->num_frames_in_batch = frames;
  return batch;
}

NvDsFrameMeta* frame(NvDsBatchMeta* batch, unsigned number) {
  return static_cast<NvDsFrameMeta*>(g_list_nth_data(batch->frame_meta_list, number));
}

NvDsBatchMeta* copy_batch(NvDsBatchMeta* batch) {
  const NvDsFrameMeta* first = frame(batch, 0);
  NvDsBatchMeta* copy = make_batch(batch->num_frames_in_batch, first->pipeline_width,
                                   first->pipeline_height, first->buf_pts);
  const Lock lock(batch);
  const Lock lock_copy(copy);
  for (unsigned number = 0; number < batch->num_frames_in_batch; ++number) {
    NvDsFrameMeta* target = frame(copy, number);
    for (GList* link = frame(batch, number)->frame_user_meta_list; link; link = link->next) {
      auto* source = static_cast<NvDsUserMeta*>(link->data);
      NvDsUserMeta* meta = nvds_acquire_user_meta_from_pool(copy);
      meta->base_meta = source->base_meta;
      meta->base_meta.batch_meta = copy;
      meta->user_meta_data = source->base_meta.copy_func(source, nullptr);
      nvds_add_user_meta_to_frame(target, meta);
    }
    for (GList* link = frame(batch, number)->display_meta_list; link; link = link->next) {
      NvDsDisplayMeta* meta = nvds_acquire_display_meta_from_pool(copy);
      *meta = *static_cast<NvDsDisplayMeta*>(link->data);
      meta->base_meta.batch_meta = copy;
      nvds_add_display_meta_to_frame(target, meta);
    }
  }
  return copy;
}

void destroy_batch(NvDsBatchMeta* batch) {
  for (GList* link = batch->frame_meta_list; link != nullptr; link = link->next) {
    auto* frame = static_cast<NvDsFrameMeta*>(link->data);
    g_list_free_full(frame->frame_user_meta_list, release<NvDsUserMeta>);
    g_list_free_full(frame->display_meta_list, release<NvDsDisplayMeta>);
    g_free(frame);
  }
  g_list_free(batch->frame_meta_list);
  {
    const std::lock_guard guard(state().mutex);
    if (state().locked[batch] != 0) misuse("a batch ends that is locked");
    state().locked.erase(batch);
  }
  g_rec_mutex_clear(&batch->meta_mutex);
  g_free(batch);
}

void limit_user_metas(int count) { state().users_left = count; }
void limit_display_metas(int count) { state().displays_left = count; }
int live() { return state().live; }

}  // namespace nvds_standin
