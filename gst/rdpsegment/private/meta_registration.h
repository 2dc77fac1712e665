/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_META_REGISTRATION_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_META_REGISTRATION_H_

#include <gst/gst.h>

namespace rdp::meta {

/* The functions that GStreamer calls for metadata of one kind. */
struct MetaFunctions {
  GstMetaInitFunction init;
  GstMetaFreeFunction free;
  GstMetaTransformFunction transform;
#if GST_CHECK_VERSION(1, 24, 0)
  GstMetaSerializeFunction serialize;
  GstMetaDeserializeFunction deserialize;
#endif
};

/* Registers the metadata structure Meta on the first call and returns its info. Any thread. */
template <typename Meta>
const GstMetaInfo* registered_meta(GType api, const char* name, const MetaFunctions& functions) {
  static gsize registered = 0;
  if (g_once_init_enter(&registered)) {
#if GST_CHECK_VERSION(1, 24, 0)
    GstMetaInfo* info = gst_meta_info_new(api, name, sizeof(Meta));
    info->init_func = functions.init;
    info->free_func = functions.free;
    info->transform_func = functions.transform;
    info->serialize_func = functions.serialize;
    info->deserialize_func = functions.deserialize;
    const GstMetaInfo* result = gst_meta_info_register(info);
#else
    const GstMetaInfo* result = gst_meta_register(api, name, sizeof(Meta), functions.init,
                                                  functions.free, functions.transform);
#endif
    g_once_init_leave(&registered, reinterpret_cast<gsize>(result));
  }
  return reinterpret_cast<const GstMetaInfo*>(registered);
}

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_META_REGISTRATION_H_ */
