/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What libgstcuda looks for in libcuda and nobody here uses: graphics, textures, memory of other
 * processes. Where one name is missing it does not load at all. In C, without <cuda.h>, because
 * only the names matter. */

#define UNSUPPORTED(name)                                \
  __attribute__((visibility("default"))) int name(void); \
  int name(void) { return 801; /* CUDA_ERROR_NOT_SUPPORTED */ }

/* 1.22 */
UNSUPPORTED(cuGraphicsMapResources)
UNSUPPORTED(cuGraphicsUnmapResources)
UNSUPPORTED(cuGraphicsResourceSetMapFlags_v2)
UNSUPPORTED(cuGraphicsSubResourceGetMappedArray)
UNSUPPORTED(cuGraphicsResourceGetMappedPointer_v2)
UNSUPPORTED(cuGraphicsGLRegisterImage)
UNSUPPORTED(cuGraphicsGLRegisterBuffer)
UNSUPPORTED(cuGLGetDevices_v2)
UNSUPPORTED(cuTexObjectCreate)
UNSUPPORTED(cuTexObjectDestroy)
/* 1.24 */
UNSUPPORTED(cuIpcGetEventHandle)
UNSUPPORTED(cuIpcOpenEventHandle)
UNSUPPORTED(cuIpcGetMemHandle)
UNSUPPORTED(cuIpcOpenMemHandle)
UNSUPPORTED(cuIpcOpenMemHandle_v2)
UNSUPPORTED(cuIpcCloseMemHandle)
