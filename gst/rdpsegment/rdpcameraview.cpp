/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One of the views that calibration files hold. */
#include <gst/rdpsegment/rdpcamera.h>

/**
 * gst_rdp_camera_new_from_files:
 * @files: (type filename): as in gst_rdp_camera_read_files()
 * @view: which of the views, from 0
 * @unit: as in gst_rdp_camera_read_files()
 * @width: as in gst_rdp_camera_read_files()
 * @height: as in gst_rdp_camera_read_files()
 * @n_views: (out) (optional): how many views there are; 0 where the files cannot be read
 * @error: where to put the reason
 *
 * Reads one of the views of calibration files. For languages that cannot take the array of
 * gst_rdp_camera_read_files(): Python's GObject introspection frees its elements.
 *
 * Returns: (transfer full) (nullable): the camera, or %NULL with @error set to %GST_LIBRARY_ERROR,
 *   %GST_LIBRARY_ERROR_SETTINGS where a file is wrong or has no such view
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_camera_new_from_files(const gchar* files, guint view, gdouble unit,
                                            guint width, guint height, guint* n_views,
                                            GError** error) {
  if (n_views != nullptr) *n_views = 0;
  g_return_val_if_fail(files != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  GPtrArray* cameras = gst_rdp_camera_read_files(files, unit, width, height, error);
  if (cameras == nullptr) return nullptr;
  if (n_views != nullptr) *n_views = cameras->len;
  GstRdpCamera* camera = nullptr;
  if (view < cameras->len) {
    camera = gst_rdp_camera_ref(GST_RDP_CAMERA(g_ptr_array_index(cameras, view)));
  } else {
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                "%s: found %u views, expected more than %u, the one that was asked for", files,
                cameras->len, view);
  }
  g_ptr_array_unref(cameras);
  return camera;
}
