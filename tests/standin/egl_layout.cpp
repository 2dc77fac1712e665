// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares kernels/runtime/egl_frame.h with the toolkit's header, if that and EGL's header exist.
#if __has_include(<cudaEGL.h>) && __has_include(<EGL/egl.h>)
#include <cudaEGL.h>

#include <cstddef>

#include "kernels/runtime/egl_frame.h"

using rdp::cuda::EglFrame;
static_assert(sizeof(EglFrame) == sizeof(CUeglFrame));
static_assert(offsetof(EglFrame, frame) == offsetof(CUeglFrame, frame));
static_assert(offsetof(EglFrame, width) == offsetof(CUeglFrame, width));
static_assert(offsetof(EglFrame, height) == offsetof(CUeglFrame, height));
static_assert(offsetof(EglFrame, depth) == offsetof(CUeglFrame, depth));
static_assert(offsetof(EglFrame, pitch) == offsetof(CUeglFrame, pitch));
static_assert(offsetof(EglFrame, plane_count) == offsetof(CUeglFrame, planeCount));
static_assert(offsetof(EglFrame, num_channels) == offsetof(CUeglFrame, numChannels));
static_assert(offsetof(EglFrame, frame_type) == offsetof(CUeglFrame, frameType));
static_assert(offsetof(EglFrame, color_format) == offsetof(CUeglFrame, eglColorFormat));
static_assert(offsetof(EglFrame, format) == offsetof(CUeglFrame, cuFormat));
static_assert(EglFrame::kArray == CU_EGL_FRAME_TYPE_ARRAY);
static_assert(EglFrame::kPitch == CU_EGL_FRAME_TYPE_PITCH);
#endif
