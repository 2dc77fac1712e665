// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_COUNT_KNOWN_H_
#define RDP_TESTS_BASE_COUNT_KNOWN_H_

#include <gst/gst.h>

#include <cstdint>
#include <span>

#include "common/image/camera.h"
#include "gst/elements/base/camera_use.h"

// A complete analysing element, to start from: `countknown` counts how many samples of each column
// are known, on the CPU and on the GPU, attaches the counts to the frame, and paints them as bars
// on its pad `overlay`. It has the properties of a camera and keeps what it is told of the frame's;
// with metres=true its picture needs metres.
GST_ELEMENT_REGISTER_DECLARE(countknown)

// What it has attached: one number for each column of the frame, of a batch for each surface. Valid
// as long as the buffer; empty where there is none.
std::span<const std::uint32_t> count_known_get(GstBuffer* buffer, guint surface = 0);

// The camera that it was told of for that frame, null where there was none, and what the samples
// measure. Valid as long as the buffer.
const rdp::MetricCamera* count_known_camera(GstBuffer* buffer, rdp::gst::SampleMeaning* meaning,
                                            guint surface = 0);

#endif  // RDP_TESTS_BASE_COUNT_KNOWN_H_
