/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_JSON_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_JSON_H_

#include <gst/rdpsegment/rdpcamera.h>
#include <json-glib/json-glib.h>

#include <string>
#include <string_view>

namespace rdp::meta {

/* What a text of JSON says, or null with GST_LIBRARY_ERROR_SETTINGS, whose message has line and
 * column. json-glib follows nested lists on the stack, as deep as they go: text that nests deeper
 * than any camera does is refused before it gets there. */
JsonParser* parse_json(std::string_view text, GError** error);

/* One camera of our own format, an object: see gst_rdp_camera_new_from_json(). `where` starts the
 * messages, such as "calibration.json: view 2: ". Throws std::bad_alloc. (transfer full) (nullable)
 */
GstRdpCamera* camera_from_json(JsonObject* object, const std::string& where, GError** error);

/* Numbers of a list, or of lists in it (rows of a matrix), as many as `count`. Empty, or what was
 * found instead, for a message: "3 numbers". Throws std::bad_alloc. */
std::string read_numbers(JsonNode* node, double* numbers, int count);

/* Takes a matrix apart that maps the world to the image: focal lengths, principal point, pose, and
 * the matrix itself, as it is. Empty, or what is wrong with it. Throws std::bad_alloc. */
std::string take_projection_apart(const double (&matrix)[12], GstRdpCameraInfo* info);

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_CAMERA_JSON_H_ */
