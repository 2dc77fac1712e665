// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_COUNT_KNOWN_H_
#define RDP_TESTS_BASE_COUNT_KNOWN_H_

#include <gst/gst.h>

#include <cstdint>
#include <span>

#include "common/image/camera.h"
#include "gst/elements/base/camera_use.h"

// A complete analysing element to copy from. `countknown` counts the valid samples of each column,
// on the CPU or GPU. It attaches the counts to the frame and paints them as bars on its `overlay`
// pad. It has the camera properties and stores the camera of each frame; with metres=true its
// picture needs metres.
GST_ELEMENT_REGISTER_DECLARE(countknown)

// The counts attached to a buffer: one number for each column of the frame, or of batch surface
// `surface`. Valid as long as the buffer; empty without counts.
std::span<const std::uint32_t> count_known_get(GstBuffer* buffer, guint surface = 0);

// The camera that the method received for that frame (nullable), and the meaning of its samples.
// Valid as long as the buffer.
const rdp::MetricCamera* count_known_camera(GstBuffer* buffer, rdp::gst::SampleMeaning* meaning,
                                            guint surface = 0);

#endif  // RDP_TESTS_BASE_COUNT_KNOWN_H_
