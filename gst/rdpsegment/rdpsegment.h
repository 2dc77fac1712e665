/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENT_RDPSEGMENT_H__
#define __GST_RDP_SEGMENT_RDPSEGMENT_H__

/* The metadata library of the rdpsegment plugin: pkg-config gstreamer-rdpsegment-1.0. */
#include <gst/rdpsegment/prelude.h>
#include <gst/rdpsegment/rdpbuffer.h>
#include <gst/rdpsegment/rdpcamera.h>
#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/rdpsegment/rdpfilemeta.h>
#include <gst/rdpsegment/rdpheights.h>
#include <gst/rdpsegment/rdpheightsmeta.h>
#include <gst/rdpsegment/rdpmotion.h>
#include <gst/rdpsegment/rdpmotionmeta.h>
#include <gst/rdpsegment/rdpobstacles.h>
#include <gst/rdpsegment/rdpobstaclesmeta.h>
#include <gst/rdpsegment/rdpplanes.h>
#include <gst/rdpsegment/rdpplanesmeta.h>
#include <gst/rdpsegment/rdpsegmentation.h>
#include <gst/rdpsegment/rdpsegmentmeta.h>
#include <gst/rdpsegment/rdptracks.h>
#include <gst/rdpsegment/rdptracksmeta.h>

#endif /* __GST_RDP_SEGMENT_RDPSEGMENT_H__ */
