/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_TESTS_DEEPSTREAM_NVDS_GSTNVDSMETA_H_
#define RDP_TESTS_DEEPSTREAM_NVDS_GSTNVDSMETA_H_

/* Stands in for DeepStream's header of this name: see nvdsmeta.h. */

#include <gst/gst.h>
#include <nvdsmeta.h>

G_BEGIN_DECLS

NvDsBatchMeta* gst_buffer_get_nvds_batch_meta(GstBuffer* buffer);

G_END_DECLS

#endif /* RDP_TESTS_DEEPSTREAM_NVDS_GSTNVDSMETA_H_ */
