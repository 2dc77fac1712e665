/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENT_PRELUDE_H__
#define __GST_RDP_SEGMENT_PRELUDE_H__

#include <gst/gst.h>

#ifndef GST_RDP_SEGMENT_API
#if defined(BUILDING_GST_RDP_SEGMENT) && defined(GST_API_EXPORT)
#define GST_RDP_SEGMENT_API GST_API_EXPORT /* visible outside of the library */
#elif defined(BUILDING_GST_RDP_SEGMENT)
#define GST_RDP_SEGMENT_API GST_EXPORT /* what GStreamer 1.20 calls it */
#else
#define GST_RDP_SEGMENT_API GST_API_IMPORT
#endif
#endif

#endif /* __GST_RDP_SEGMENT_PRELUDE_H__ */
