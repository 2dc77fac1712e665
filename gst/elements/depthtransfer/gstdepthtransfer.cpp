// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthtransfer/gstdepthtransfer.h"

#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "common/boundary.h"
#include "gst/cuda/cuda_element_context.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/property_table.h"
#include "gst/memory/pinned_memory.h"
#include "gst/memory/pool_negotiation.h"
#include "gst/memory/system_memory.h"
#include "kernels/runtime/band_transfer.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"

GST_DEBUG_CATEGORY_STATIC(gst_depth_transfer_debug);
#define GST_CAT_DEFAULT gst_depth_transfer_debug

namespace {

// The application's settings.
struct Settings {
  gint cuda_device_id = -1;
};

constexpr auto kProperties = std::to_array<rdp::gst::PropertyRow<Settings>>({
    {{.name = "cuda-device-id",
      .nick = "CUDA device ID",
      .blurb =
          "Number of the CUDA device if no other element has chosen one, from 0 (-1 = the first)",
      .flags = rdp::gst::kInReady},
     rdp::gst::PropertyOf<Settings>::as_int<&Settings::cuda_device_id>(-1, G_MAXINT)},
});

constexpr rdp::gst::CapsWords kCapsWords = {
    .takes = "format GRAY16_LE or GRAY8, up to 16384x16384",
    .remedy =
        "for GRAY16_BE or colour, put videoconvert before it; for other memory, the element that "
        "downloads it",
    .media = "video/x-raw in system or CUDA memory",
};

// Resources of a context.
struct Workspace {
  rdp::cuda::Stream stream{rdp::gst::kCudaMemoryStream};
  rdp::cuda::BandTransfer bands;
};

}  // namespace

struct GstDepthTransferPrivate {
  explicit GstDepthTransferPrivate(GstElement* element) : context(element) {
    gst_video_info_init(&info);
  }

  Settings settings;  // object lock
  rdp::gst::CudaElementContext context;

  // Streaming thread.
  std::unique_ptr<Workspace> workspace;
  GstVideoInfo info;
  bool no_frames = false;  // it has been said that there is no memory for frames
};

// The private structure holds objects of C++: it is constructed in init and destroyed in finalize.
G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(GstDepthTransfer, gst_depth_transfer, GST_TYPE_BASE_TRANSFORM)

// The caps feature of the memory that frames are copied to, and from; null is system memory.
static const gchar* src_feature(GstDepthTransfer* self) {
  return GST_DEPTH_TRANSFER_GET_CLASS(self)->upload ? GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY : nullptr;
}

static const gchar* sink_feature(GstDepthTransfer* self) {
  return GST_DEPTH_TRANSFER_GET_CLASS(self)->upload ? nullptr : GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY;
}

static GstDepthTransferPrivate* private_of(GstDepthTransfer* self) {
  return static_cast<GstDepthTransferPrivate*>(gst_depth_transfer_get_instance_private(self));
}

static gint device_id_of(GstDepthTransfer* self) {
  GST_OBJECT_LOCK(self);
  const gint device_id = private_of(self)->settings.cuda_device_id;
  GST_OBJECT_UNLOCK(self);
  return device_id;
}

static void gst_depth_transfer_set_property(GObject* object, guint id, const GValue* value,
                                            GParamSpec* pspec) {
  Settings& settings = private_of(GST_DEPTH_TRANSFER(object))->settings;
  rdp::gst::set_property(object, kProperties, settings, id, value, pspec);
}

static void gst_depth_transfer_get_property(GObject* object, guint id, GValue* value,
                                            GParamSpec* pspec) {
  const Settings& settings = private_of(GST_DEPTH_TRANSFER(object))->settings;
  rdp::gst::get_property(object, kProperties, settings, id, value, pspec);
}

// Contexts.

static void gst_depth_transfer_set_context(GstElement* element, GstContext* context) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(element);
  private_of(self)->context.offer(context, device_id_of(self));
  GST_ELEMENT_CLASS(gst_depth_transfer_parent_class)->set_context(element, context);
}

static gboolean gst_depth_transfer_query(GstBaseTransform* base, GstPadDirection direction,
                                         GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      private_of(GST_DEPTH_TRANSFER(base))->context.answer(query)) {
    return TRUE;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_depth_transfer_parent_class)->query(base, direction, query);
}

static void drop_workspace(GstDepthTransfer* self) {
  GstDepthTransferPrivate* priv = private_of(self);
  if (priv->workspace == nullptr) return;
  const rdp::cuda::FreeingScope scope(rdp::gst::cuda_handle(priv->context.get()));
  priv->workspace.reset();
}

// In the element's context. Null: *reason says why.
static std::unique_ptr<Workspace> new_workspace(GstDepthTransfer* self, std::string* reason) {
  try {
    const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(private_of(self)->context.get()));
    return std::make_unique<Workspace>();
  } catch (const std::exception& error) {  // of CUDA, or no memory
    rdp::give_reason(reason, error.what());
    return nullptr;
  }
}

static gboolean gst_depth_transfer_start(GstBaseTransform* base) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  GstDepthTransferPrivate* priv = private_of(self);
  std::string reason;
  std::unique_ptr<Workspace> workspace;
  if (priv->context.ensure(device_id_of(self), &reason) != nullptr) {
    workspace = new_workspace(self, &reason);
  }
  if (workspace == nullptr) {
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("No usable CUDA device: set cuda-device-id to one that nvidia-smi lists, "
                       "or -1 for any."),
                      ("%s", reason.c_str()));
    priv->context.release();
    return FALSE;
  }
  // Locked as in stop(), but not earlier: the code above asks neighbours and posts messages.
  GST_PAD_STREAM_LOCK(base->sinkpad);
  priv->no_frames = false;
  priv->workspace = std::move(workspace);
  GST_PAD_STREAM_UNLOCK(base->sinkpad);
  return TRUE;
}

static gboolean gst_depth_transfer_stop(GstBaseTransform* base) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  // Upstream may still send queries: they ignore whether the pad is active, but hold its stream
  // lock.
  GST_PAD_STREAM_LOCK(base->sinkpad);
  drop_workspace(self);
  private_of(self)->context.release();
  GST_PAD_STREAM_UNLOCK(base->sinkpad);
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(self));
  return TRUE;
}

// True between start and stop, and constant while the sink pad's stream lock is held. Upstream may
// ask for memory outside that time.
static bool is_started(GstDepthTransfer* self) { return private_of(self)->workspace != nullptr; }

// Switches to the context of a frame, which can be copied only there. Posts an error and returns
// false if the workspace cannot be made in it.
static bool use_context(GstDepthTransfer* self, GstCudaContext* context) {
  if (is_started(self) && context == private_of(self)->context.get()) return true;
  GST_INFO_OBJECT(self, "going over to %" GST_PTR_FORMAT, static_cast<void*>(context));
  drop_workspace(self);
  private_of(self)->context.adopt(context);
  std::string reason;
  private_of(self)->workspace = new_workspace(self, &reason);
  if (is_started(self)) return true;
  GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND, ("The CUDA context of a frame cannot be used."),
                    ("%s", reason.c_str()));
  return false;
}

// Caps.

// The same frames in another memory: null for system memory.
static GstCaps* with_feature(GstCaps* caps, const gchar* feature) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    GstCaps* one = gst_caps_copy_nth(caps, i);
    gst_caps_set_features_simple(
        one, feature == nullptr ? nullptr : gst_caps_features_new(feature, nullptr));
    result = gst_caps_merge(result, one);
  }
  return result;
}

static GstCaps* gst_depth_transfer_transform_caps(GstBaseTransform* base, GstPadDirection direction,
                                                  GstCaps* caps, GstCaps* filter) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  // The output is in one memory; the input may be there already, or in the other.
  GstCaps* result = with_feature(caps, src_feature(self));
  if (direction == GST_PAD_SRC) {
    result = gst_caps_merge(result, with_feature(caps, sink_feature(self)));
  }
  result = rdp::gst::filtered_caps(result, filter);
  GST_LOG_OBJECT(base, "%" GST_PTR_FORMAT " on the %s side makes %" GST_PTR_FORMAT,
                 static_cast<void*>(caps), direction == GST_PAD_SINK ? "sink" : "src",
                 static_cast<void*>(result));
  return result;
}

static gboolean gst_depth_transfer_set_caps(GstBaseTransform* base, GstCaps* in, GstCaps* out) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, in)) {
    GST_ERROR_OBJECT(self, "cannot use caps %" GST_PTR_FORMAT, static_cast<void*>(in));
    return FALSE;
  }
  private_of(self)->info = info;
  GST_DEBUG_OBJECT(self, "%" GST_PTR_FORMAT " to %" GST_PTR_FORMAT, static_cast<void*>(in),
                   static_cast<void*>(out));
  return TRUE;
}

static gboolean gst_depth_transfer_get_unit_size(GstBaseTransform*, GstCaps* caps, gsize* size) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) return FALSE;
  *size = GST_VIDEO_INFO_SIZE(&info);
  return TRUE;
}

// Frames.

static void post_failure(GstDepthTransfer* self, GstBuffer* frame, const char* reason) {
  GST_ELEMENT_ERROR(
      self, RESOURCE, FAILED,
      ("Cannot copy a frame %s.", GST_DEPTH_TRANSFER_GET_CLASS(self)->doing),
      ("the frame at %" GST_TIME_FORMAT ": %s", GST_TIME_ARGS(GST_BUFFER_PTS(frame)), reason));
}

// True if the context is lost: it answers everything with an error, which say() gets.
template <typename Say>
static bool tell_lost_context(GstDepthTransfer* self, Say say) {
  if (private_of(self)->workspace == nullptr) return false;
  return rdp::contain(
      [&] {
        const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(private_of(self)->context.get()));
        private_of(self)->workspace->stream.synchronize();
        return false;
      },
      [&](const char* reason) {
        say(reason);
        return true;
      });
}

// Posts, once, that frames on the device cannot be allocated. GstBaseTransform tries again with
// every event and frame.
static void post_no_frames(GstDepthTransfer* self, GstCaps* caps) {
  if (std::exchange(private_of(self)->no_frames, true)) return;
  const bool lost = tell_lost_context(self, [&](const char* reason) {
    GST_ELEMENT_ERROR(self, RESOURCE, FAILED, ("Cannot allocate frames on the GPU."),
                      ("%s, for %" GST_PTR_FORMAT, reason, static_cast<void*>(caps)));
  });
  if (lost) return;
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Cannot allocate frames on the GPU."),
                    ("the device has no memory for %" GST_PTR_FORMAT, static_cast<void*>(caps)));
}

// Pools.

// An allocator of page-locked memory, which the device accesses by itself. Null if there is no
// memory for it: frames then have ordinary memory.
static GstAllocator* new_pinned_allocator(GstDepthTransfer* self) {
  if (!is_started(self)) return nullptr;
  GstCudaContext* context = private_of(self)->context.get();
  return rdp::contain(
      [&] {
        return rdp::gst::pinned_allocator_new(rdp::gst::cuda_handle(context),
                                              rdp::gst::cuda_context_keeper(context));
      },
      [&](const char* reason) -> GstAllocator* {
        GST_WARNING_OBJECT(self, "no allocator of page-locked memory: %s", reason);
        return nullptr;
      });
}

static void offer_host_memory(GstDepthTransfer* self, GstQuery* query, std::string* reason) {
  GstAllocator* allocator = new_pinned_allocator(self);
  rdp::gst::offer_pool(query, rdp::gst::video_pools(), allocator, reason);
  if (allocator != nullptr) rdp::gst::offer_allocator(query, allocator);
  gst_clear_object(&allocator);
}

// Frames are not passed on, so they may come in any layout: with padding, or cropped in place.
static gboolean gst_depth_transfer_propose_allocation(GstBaseTransform* base,
                                                      GstQuery* decide_query, GstQuery* query) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  auto* parent = GST_BASE_TRANSFORM_CLASS(gst_depth_transfer_parent_class);
  if (!parent->propose_allocation(base, decide_query, query)) return FALSE;
  if (decide_query == nullptr) return TRUE;  // frames pass through, downstream has answered

  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  if (caps == nullptr) return FALSE;
  std::string reason;
  if (sink_feature(self) == nullptr) {
    offer_host_memory(self, query, &reason);
  } else if (is_started(self)) {
    rdp::gst::offer_pool(query, rdp::gst::cuda_depth_pools(private_of(self)->context.get()),
                         nullptr, &reason);
  }
  if (!reason.empty()) GST_WARNING_OBJECT(self, "no pool for upstream: %s", reason.c_str());
  rdp::gst::offer_metas(query, {GST_VIDEO_META_API_TYPE, GST_VIDEO_CROP_META_API_TYPE});
  return TRUE;
}

// The pool of copies on the device.
static GstBufferPool* decide_device_pool(GstDepthTransfer* self, GstQuery* query) {
  if (!is_started(self)) return nullptr;
  std::string reason;
  rdp::gst::PoolNeeds needs;
  needs.kind = rdp::gst::cuda_depth_pools(private_of(self)->context.get());
  GstBufferPool* pool = rdp::gst::decide_pool(query, needs, &reason);
  if (pool != nullptr) {
    private_of(self)->no_frames = false;
    return pool;
  }
  GST_WARNING_OBJECT(self, "%s", reason.c_str());
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  post_no_frames(self, caps);
  return nullptr;
}

// The pool of copies on the host. Downstream's memory is best, if it offers any: the copy goes
// straight into it.
static GstBufferPool* decide_host_pool(GstDepthTransfer* self, GstQuery* query) {
  std::string reason;
  rdp::gst::PoolNeeds needs;
  needs.allocator = new_pinned_allocator(self);
  GstBufferPool* pool = rdp::gst::decide_pool(query, needs, &reason);
  gst_clear_object(&needs.allocator);
  if (pool == nullptr) GST_WARNING_OBJECT(self, "%s", reason.c_str());
  return pool;
}

static gboolean gst_depth_transfer_decide_allocation(GstBaseTransform* base, GstQuery* query) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  GstBufferPool* pool = src_feature(self) != nullptr ? decide_device_pool(self, query)
                                                     : decide_host_pool(self, query);
  if (pool == nullptr) return FALSE;
  gst_object_unref(pool);  // the query has it
  return GST_BASE_TRANSFORM_CLASS(gst_depth_transfer_parent_class)->decide_allocation(base, query);
}

// A pool allocates its minimum of buffers when it is activated.
static bool activate_pool(GstBaseTransform* base) {
  GstBufferPool* pool = gst_base_transform_get_buffer_pool(base);
  if (pool == nullptr) return true;
  const bool active = gst_buffer_pool_set_active(pool, TRUE) != FALSE;
  gst_object_unref(pool);
  return active;
}

static GstFlowReturn gst_depth_transfer_prepare_output_buffer(GstBaseTransform* base, GstBuffer* in,
                                                              GstBuffer** out) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  GstFlowReturn result = GST_FLOW_ERROR;
  // The base class has an error of its own for a pool that cannot be activated.
  if (activate_pool(base)) {
    result = GST_BASE_TRANSFORM_CLASS(gst_depth_transfer_parent_class)
                 ->prepare_output_buffer(base, in, out);
  }
  if (result != GST_FLOW_ERROR) return result;
  // Pools post no message when they fail.
  if (!tell_lost_context(self, [&](const char* reason) { post_failure(self, in, reason); })) {
    GST_ELEMENT_ERROR(base, RESOURCE, NO_SPACE_LEFT,
                      ("Cannot copy a frame %s.", GST_DEPTH_TRANSFER_GET_CLASS(base)->doing),
                      ("the frame at %" GST_TIME_FORMAT
                       ": the pool has no memory for another one (GST_DEBUG=cuda*:3,*pool*:3)",
                       GST_TIME_ARGS(GST_BUFFER_PTS(in))));
  }
  return result;
}

// Copies a frame, or its crop if it was cropped in place, and waits for the copy. Throws CudaError,
// std::bad_alloc. False: *reason says what is wrong with a buffer, or is empty if an error was
// posted.
static bool copy_frame(GstDepthTransfer* self, GstBuffer* in, GstBuffer* out, std::string* reason) {
  using rdp::gst::Access;
  GstDepthTransferPrivate* priv = private_of(self);
  const bool upload = GST_DEPTH_TRANSFER_GET_CLASS(self)->upload != FALSE;
  rdp::gst::SystemFrame host_frame;
  rdp::gst::CudaFrame device_frame;
  const bool mapped = upload ? host_frame.map(in, priv->info, Access::kRead, reason) &&
                                   device_frame.map(out, priv->info, Access::kReadWrite, reason)
                             : device_frame.map(in, priv->info, Access::kRead, reason) &&
                                   host_frame.map(out, priv->info, Access::kReadWrite, reason);
  if (!mapped || !use_context(self, device_frame.context())) return false;
  const auto& view = host_frame.view();
  const rdp::cuda::MutableHostRows host{
      view.data, view.stride,
      static_cast<std::size_t>(view.width) * static_cast<std::size_t>(bytes_per_sample(view.type)),
      view.height};
  const rdp::cuda::DeviceRows device{device_frame.view().data,
                                     static_cast<std::size_t>(device_frame.view().pitch)};
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(device_frame.context()));
  const CUstream stream = priv->workspace->stream.get();
  try {
    if (upload) {
      priv->workspace->bands.upload({host.data, host.stride, host.row_bytes, host.rows}, device,
                                    stream);
    } else {
      priv->workspace->bands.download(device, host, stream);
    }
  } catch (const std::exception&) {
    // Copies that have been started may still read the one frame and write to the other.
    rdp::cuda::driver().cuStreamSynchronize(stream);
    throw;
  }
  // Downstream works on streams of its own, and upstream may reuse the frame.
  if (upload) {
    rdp::cuda::check(rdp::cuda::driver().cuStreamSynchronize(stream), "copying a frame to the GPU");
  }
  return true;
}

static GstFlowReturn gst_depth_transfer_transform(GstBaseTransform* base, GstBuffer* in,
                                                  GstBuffer* out) {
  GstDepthTransfer* self = GST_DEPTH_TRANSFER(base);
  std::string reason;
  const auto fail = [&](const char* what) {  // of CUDA, or no memory
    post_failure(self, in, what);
    return false;
  };
  if (rdp::contain([&] { return copy_frame(self, in, out, &reason); }, fail)) return GST_FLOW_OK;
  if (!reason.empty()) {
    GST_ELEMENT_ERROR(self, STREAM, FORMAT,
                      ("Cannot copy a frame %s.", GST_DEPTH_TRANSFER_GET_CLASS(self)->doing),
                      ("the frame at %" GST_TIME_FORMAT ": %s", GST_TIME_ARGS(GST_BUFFER_PTS(in)),
                       reason.c_str()));
  }
  return GST_FLOW_ERROR;
}

// Keeps metadata, as the samples stay the same, except that of the memory and the crop. For a
// cropped frame, metadata that depends on the picture's size gets a scale transform, as elements
// that crop pictures send it.
static gboolean gst_depth_transfer_transform_meta(GstBaseTransform* base, GstBuffer* out,
                                                  GstMeta* meta, GstBuffer* in) {
  static const GQuark memory = g_quark_from_static_string("memory");
  static const GQuark memory_reference = g_quark_from_static_string("memory-reference");
  static const GQuark size = g_quark_from_static_string(GST_META_TAG_VIDEO_SIZE_STR);
  const GType api = meta->info->api;
  if (api == GST_VIDEO_CROP_META_API_TYPE || gst_meta_api_type_has_tag(api, memory) ||
      gst_meta_api_type_has_tag(api, memory_reference)) {
    return FALSE;
  }
  if (!rdp::gst::is_cropped(in) || !gst_meta_api_type_has_tag(api, size)) return TRUE;
  if (meta->info->transform_func != nullptr) {
    GstVideoInfo& info = private_of(GST_DEPTH_TRANSFER(base))->info;
    GstVideoMetaTransform cut{&info, &info};
    meta->info->transform_func(out, meta, in, gst_video_meta_transform_scale_get_quark(), &cut);
  }
  return FALSE;
}

static void gst_depth_transfer_finalize(GObject* object) {
  GstDepthTransferPrivate* priv = private_of(GST_DEPTH_TRANSFER(object));
  priv->~GstDepthTransferPrivate();
  G_OBJECT_CLASS(gst_depth_transfer_parent_class)->finalize(object);
}

static void gst_depth_transfer_class_init(GstDepthTransferClass* klass) {
  GST_DEBUG_CATEGORY_INIT(gst_depth_transfer_debug, "depthtransfer", 0,
                          "depth frames from and to the GPU");
  auto* object_class = G_OBJECT_CLASS(klass);
  object_class->set_property = gst_depth_transfer_set_property;
  object_class->get_property = gst_depth_transfer_get_property;
  object_class->finalize = gst_depth_transfer_finalize;
  rdp::gst::install_properties(object_class, kProperties);

  GST_ELEMENT_CLASS(klass)->set_context = gst_depth_transfer_set_context;

  auto* base_class = GST_BASE_TRANSFORM_CLASS(klass);
  base_class->passthrough_on_same_caps = TRUE;
  base_class->start = gst_depth_transfer_start;
  base_class->stop = gst_depth_transfer_stop;
  base_class->query = gst_depth_transfer_query;
  base_class->transform_caps = gst_depth_transfer_transform_caps;
  base_class->set_caps = gst_depth_transfer_set_caps;
  base_class->get_unit_size = gst_depth_transfer_get_unit_size;
  base_class->propose_allocation = gst_depth_transfer_propose_allocation;
  base_class->decide_allocation = gst_depth_transfer_decide_allocation;
  base_class->prepare_output_buffer = gst_depth_transfer_prepare_output_buffer;
  base_class->transform = gst_depth_transfer_transform;
  base_class->transform_meta = gst_depth_transfer_transform_meta;

  gst_type_mark_as_plugin_api(GST_TYPE_DEPTH_TRANSFER, static_cast<GstPluginAPIFlags>(0));
}

static void gst_depth_transfer_init(GstDepthTransfer* self) {
  new (private_of(self)) GstDepthTransferPrivate(GST_ELEMENT(self));
  rdp::gst::explain_caps_of_pad(GST_BASE_TRANSFORM_SINK_PAD(self), &kCapsWords);
}
