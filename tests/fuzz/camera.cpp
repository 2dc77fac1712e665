// SPDX-License-Identifier: LGPL-2.1-or-later
// Cameras from untrusted texts and bytes: refused with a reason, or unchanged after writing and
// reading. Projections are finite numbers or invalid.
#include <gst/rdpsegment/rdpcamerabytes.h>
#include <gst/rdpsegment/rdpsegment.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/glib_log.h"

namespace {

using rdp::fuzz::Input;
using rdp::meta::CameraState;

bool same_text(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

void check_pixels(GstRdpCamera* camera, double column, double row) {
  double x, y;
  if (gst_rdp_camera_unproject(camera, column, row, &x, &y) == FALSE) return;
  double seen_column, seen_row;
  const GstRdpCameraInfo& info = *gst_rdp_camera_get_info(camera);
  const bool seen = gst_rdp_camera_project(camera, x, y, 1, &seen_column, &seen_row) != FALSE;
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  FUZZ_CHECK(seen, "a ray of pixel %g, %g is not seen", column, row);
  const double most =
      1e-8 * (info.focal_length + info.focal_length_y + std::fabs(column) + std::fabs(row) +
              std::fabs(info.principal_x) + std::fabs(info.principal_y));
  FUZZ_CHECK(std::fabs(seen_column - column) <= most && std::fabs(seen_row - row) <= most,
             "pixel %g, %g is seen at %g, %g", column, row, seen_column, seen_row);
}

void check_camera(GstRdpCamera* camera) {
  g_autofree gchar* json = gst_rdp_camera_to_json(camera);
  g_autoptr(GstRdpCamera) again = gst_rdp_camera_new_from_json(json, nullptr);
  FUZZ_CHECK(again != nullptr, "%s", json);
  g_autofree gchar* same = gst_rdp_camera_to_json(again);
  FUZZ_CHECK(same_text(json, same), "%s became %s", json, same);

  CameraState state;
  state.camera = camera;
  guint8 bytes[rdp::meta::kMaxCameraBytes];
  const gsize size = rdp::meta::write_camera(state, bytes);
  CameraState read;
  FUZZ_CHECK(rdp::meta::read_camera(bytes, size, &read, nullptr), "%s", json);
  g_autofree gchar* of_bytes = gst_rdp_camera_to_json(read.camera);
  FUZZ_CHECK(same_text(json, of_bytes), "%s became %s", json, of_bytes);
  gst_rdp_camera_unref(read.camera);

  check_pixels(camera, 0, 0);
  check_pixels(camera, 639, 479);
  for (const double sample : {0.0, 1.0, 65535.0}) {
    const double depth = gst_rdp_camera_get_depth(camera, sample);
    FUZZ_CHECK(std::isnan(depth) || depth > 0, "%g at sample %g", depth, sample);
  }
  [[maybe_unused]] g_autoptr(GstRdpCamera) part = gst_rdp_camera_crop(camera, 7, 9, 20, 30);
  [[maybe_unused]] g_autoptr(GstRdpCamera) scaled = gst_rdp_camera_scale(camera, 100, 1);
}

void check_text(const std::string& text) {
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new_from_json(text.c_str(), &error);
  FUZZ_CHECK((camera == nullptr) == (error != nullptr), "%s", text.c_str());
  if (camera != nullptr) check_camera(camera);
}

void check_bytes(const std::string& text) {
  const std::vector<guint8> bytes(text.begin(), text.end());
  CameraState state;
  g_autoptr(GError) error = nullptr;
  const bool good = rdp::meta::read_camera(bytes.data(), bytes.size(), &state, &error);
  FUZZ_CHECK(good == (error == nullptr), "%zu bytes", bytes.size());
  if (state.camera == nullptr) return;
  check_camera(state.camera);
  gst_rdp_camera_unref(state.camera);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  gst_init(nullptr, nullptr);
  rdp::fuzz::watch_glib_log();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const bool as_text = input.byte() == 'j';
  const auto rest = input.rest();
  const std::string text(rest.begin(), rest.end());
  if (as_text) {
    check_text(text);
  } else {
    check_bytes(text);
  }
  return 0;
}
