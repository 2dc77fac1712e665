// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEEPSTREAM_NVDS_STANDIN_H_
#define RDP_TESTS_DEEPSTREAM_NVDS_STANDIN_H_

#include <nvdsmeta.h>

// The functions of DeepStream's metadata that are used here, without DeepStream: pools that can run
// dry, and what its elements do with metadata. Compiles with DeepStream's headers as well as with
// those beside it. Who changes metadata without the batch's lock, or releases a lock it does not
// hold, ends the process, saying so.
namespace nvds_standin {

// A batch of frames of one size, numbered from 0, whose timestamp is pts.
NvDsBatchMeta* make_batch(unsigned frames, unsigned width, unsigned height, guint64 pts);

NvDsFrameMeta* frame(NvDsBatchMeta* batch, unsigned number);

// Copies all metadata, as elements that make new buffers do.
NvDsBatchMeta* copy_batch(NvDsBatchMeta* batch);

// Releases all metadata, as the end of the buffer does.
void destroy_batch(NvDsBatchMeta* batch);

// From now on the pools of all batches give out so many more; negative: as many as are asked for.
void limit_user_metas(int count);
void limit_display_metas(int count);

// Metadata that was acquired and not been released.
int live();

}  // namespace nvds_standin

#endif  // RDP_TESTS_DEEPSTREAM_NVDS_STANDIN_H_
