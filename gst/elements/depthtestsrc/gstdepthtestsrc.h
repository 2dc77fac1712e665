/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHTESTSRC_GSTDEPTHTESTSRC_H_
#define RDP_GST_ELEMENTS_DEPTHTESTSRC_GSTDEPTHTESTSRC_H_

#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_TEST_SRC (gst_depth_test_src_get_type())
G_DECLARE_FINAL_TYPE(GstDepthTestSrc, gst_depth_test_src, GST, DEPTH_TEST_SRC, GstPushSrc)

GST_ELEMENT_REGISTER_DECLARE(depthtestsrc)

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_DEPTHTESTSRC_GSTDEPTHTESTSRC_H_ */
