// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "gst/elements/package.h"
#include "gst/elements/rdpmetaconvert/gstrdpmetaconvert.h"

#ifdef RDP_HAVE_GST_CUDA
#include <string>

#include "gst/cuda/cuda_context.h"

GST_ELEMENT_REGISTER_DECLARE(depthdownload)
GST_ELEMENT_REGISTER_DECLARE(depthupload)
#endif

GST_ELEMENT_REGISTER_DECLARE(depthalign)
GST_ELEMENT_REGISTER_DECLARE(depthfilter)
GST_ELEMENT_REGISTER_DECLARE(depthobstacles)
GST_ELEMENT_REGISTER_DECLARE(depthplanes)
GST_ELEMENT_REGISTER_DECLARE(depthpoints)
GST_ELEMENT_REGISTER_DECLARE(depthrvldec)
GST_ELEMENT_REGISTER_DECLARE(depthrvlenc)
GST_ELEMENT_REGISTER_DECLARE(depthstereo)
GST_ELEMENT_REGISTER_DECLARE(depthtestsrc)
GST_ELEMENT_REGISTER_DECLARE(heightmap)
GST_ELEMENT_REGISTER_DECLARE(klttrack)
#ifdef RDP_HAVE_PNG
GST_ELEMENT_REGISTER_DECLARE(pngfoldersrc)
#endif
GST_ELEMENT_REGISTER_DECLARE(pointcloudsink)
GST_ELEMENT_REGISTER_DECLARE(pointcloudsrc)
GST_ELEMENT_REGISTER_DECLARE(rdpmotion)
GST_ELEMENT_REGISTER_DECLARE(rdpoverlay)
GST_ELEMENT_REGISTER_DECLARE(rdpsegment)

// Elements that need a device are registered only if there is one. GStreamer caches a plugin's
// features, so a dependency makes it ask again when the driver comes or goes.
static gboolean register_cuda_elements(GstPlugin* plugin) {
#ifdef RDP_HAVE_GST_CUDA
  gst_plugin_add_dependency_simple(plugin, "LD_LIBRARY_PATH:CUDA_VISIBLE_DEVICES", "/dev",
                                   "nvidiactl,nvidia0,nvhost-gpu,nvgpu",
                                   GST_PLUGIN_DEPENDENCY_FLAG_NONE);
  std::string reason;
  if (rdp::gst::cuda_memory_usable(&reason)) {
    return GST_ELEMENT_REGISTER(depthupload, plugin) && GST_ELEMENT_REGISTER(depthdownload, plugin);
  }
  GST_INFO("no memory:CUDAMemory: %s", reason.c_str());
#endif
  return TRUE;
}

// Not in builds without libpng.
static gboolean register_png_elements(GstPlugin* plugin) {
#ifdef RDP_HAVE_PNG
  return GST_ELEMENT_REGISTER(pngfoldersrc, plugin);
#else
  return TRUE;
#endif
}

// The overlay's pads depend on NVIDIA's buffer library.
static void note_nvmm_library(GstPlugin* plugin) {
#ifdef RDP_HAVE_NVMM
  gst_plugin_add_dependency_simple(
      plugin, "LD_LIBRARY_PATH",
      "/opt/nvidia/deepstream/deepstream/lib:/usr/lib/aarch64-linux-gnu/tegra:"
      "/usr/lib/aarch64-linux-gnu/nvidia",
      "libnvbufsurface.so,libnvbufsurface.so.1.0.0", GST_PLUGIN_DEPENDENCY_FLAG_NONE);
#endif
}

static gboolean plugin_init(GstPlugin* plugin) {
  note_nvmm_library(plugin);
  // Buffers from another process, as through unixfdsrc, can bring metadata only if its kind is
  // registered before the first one.
  gst_rdp_segment_meta_get_info();
  gst_rdp_planes_meta_get_info();
  gst_rdp_tracks_meta_get_info();
  gst_rdp_motion_meta_get_info();
  gst_rdp_heights_meta_get_info();
  gst_rdp_obstacles_meta_get_info();
  gst_rdp_camera_meta_get_info();
  gst_rdp_file_meta_get_info();
  return GST_ELEMENT_REGISTER(depthtestsrc, plugin) && GST_ELEMENT_REGISTER(rdpsegment, plugin) &&
         GST_ELEMENT_REGISTER(rdpmetaconvert, plugin) && GST_ELEMENT_REGISTER(rdpoverlay, plugin) &&
         GST_ELEMENT_REGISTER(depthstereo, plugin) && GST_ELEMENT_REGISTER(depthpoints, plugin) &&
         GST_ELEMENT_REGISTER(depthplanes, plugin) && GST_ELEMENT_REGISTER(pointcloudsrc, plugin) &&
         GST_ELEMENT_REGISTER(pointcloudsink, plugin) && GST_ELEMENT_REGISTER(klttrack, plugin) &&
         GST_ELEMENT_REGISTER(rdpmotion, plugin) && GST_ELEMENT_REGISTER(heightmap, plugin) &&
         GST_ELEMENT_REGISTER(depthalign, plugin) && GST_ELEMENT_REGISTER(depthfilter, plugin) &&
         GST_ELEMENT_REGISTER(depthobstacles, plugin) &&
         GST_ELEMENT_REGISTER(depthrvldec, plugin) && GST_ELEMENT_REGISTER(depthrvlenc, plugin) &&
         register_png_elements(plugin) && register_cuda_elements(plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, rdpsegment,
                  "3D perception with depth and stereo cameras: segments, planes, disparity, "
                  "tracks, velocities, heights",
                  plugin_init, PACKAGE_VERSION, "LGPL", PACKAGE_NAME, PACKAGE_ORIGIN)
