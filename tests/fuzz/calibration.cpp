// SPDX-License-Identifier: LGPL-2.1-or-later
// Calibration files of arbitrary bytes: valid cameras, or an error that names the file. The cameras
// survive writing as JSON and reading back.
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <string>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/glib_log.h"

namespace {

void check_camera(GstRdpCamera* camera) {
  const GstRdpCameraInfo* info = gst_rdp_camera_get_info(camera);
  FUZZ_CHECK(info->focal_length > 0 && info->focal_length_y > 0, "%g", info->focal_length);
  FUZZ_CHECK(info->baseline >= 0 && std::isfinite(info->baseline), "%g", info->baseline);
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  GError* error = nullptr;
  g_autoptr(GstRdpCamera) again = gst_rdp_camera_new_from_json(json, &error);
  FUZZ_CHECK(again != nullptr, "%s: %s", json, error->message);
  g_autofree gchar* same = gst_rdp_camera_to_json(again);
  FUZZ_CHECK(std::strcmp(json, same) == 0, "%s: %s", json, same);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  gst_init(nullptr, nullptr);
  rdp::fuzz::watch_glib_log();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = memfd_create("calibration", MFD_CLOEXEC);
  FUZZ_CHECK(file >= 0, "no file in memory");
  FUZZ_CHECK(write(file, data, size) == static_cast<ssize_t>(size), "a file of %zu bytes", size);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  // The size selects views in some files; the unit decides if a baseline is plausible.
  const bool sized = (size & 1) != 0;
  GError* error = nullptr;
  GPtrArray* views = gst_rdp_camera_read_files(path.c_str(), (size & 2) != 0 ? 1.0 : 0.001,
                                               sized ? 1280 : 0, sized ? 720 : 0, &error);
  close(file);
  if (views == nullptr) {
    FUZZ_CHECK(error != nullptr && std::strstr(error->message, path.c_str()) == error->message,
               "an error without a file: %s", error != nullptr ? error->message : "none");
    FUZZ_CHECK(g_utf8_validate(error->message, -1, nullptr), "%s", error->message);
    g_error_free(error);
    return 0;
  }
  FUZZ_CHECK(error == nullptr && views->len > 0, "no views");
  for (guint i = 0; i < views->len; ++i) check_camera(GST_RDP_CAMERA(g_ptr_array_index(views, i)));
  g_ptr_array_unref(views);
  return 0;
}
