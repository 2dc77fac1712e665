// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEEPSTREAM_NVDS_STANDIN_H_
#define RDP_TESTS_DEEPSTREAM_NVDS_STANDIN_H_

#include <nvdsmeta.h>

// Stand-in for the functions of DeepStream's metadata that this project calls. Its pools can run
// dry, and it treats metadata as DeepStream's elements do. Compiles with DeepStream's own headers
// or with the ones in nvds/. Ends the process with a message if a caller changes metadata without
// the batch's lock, or releases a lock that it does not hold.
namespace nvds_standin {

// A batch of `frames` frames of one size, numbered from 0, all with timestamp `pts`.
NvDsBatchMeta* make_batch(unsigned frames, unsigned width, unsigned height, guint64 pts);

NvDsFrameMeta* frame(NvDsBatchMeta* batch, unsigned number);

// Copies all metadata, as elements that make new buffers do.
NvDsBatchMeta* copy_batch(NvDsBatchMeta* batch);

// Releases all metadata, as the end of the buffer does.
void destroy_batch(NvDsBatchMeta* batch);

// Limits how many more metas the pools of all batches give out; a negative count removes the limit.
void limit_user_metas(int count);
void limit_display_metas(int count);

// The number of metas acquired and not yet released.
int live();

}  // namespace nvds_standin

#endif  // RDP_TESTS_DEEPSTREAM_NVDS_STANDIN_H_
