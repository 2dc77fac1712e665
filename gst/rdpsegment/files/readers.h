/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_FILES_READERS_H_
#define RDP_GST_RDPSEGMENT_FILES_READERS_H_

#include <vector>

#include "gst/rdpsegment/files/geometry.h"
#include "gst/rdpsegment/files/tree.h"

// Readers, one for each format. Readers with Documents get all files of their format at once, since
// a pair may have several files.
namespace rdp::calibration {

using Documents = std::vector<const Document*>;

enum class Format {
  kOpencv,
  kRos,
  kKitti,
  kKalibr,
  kAsl,
  kMiddlebury,
  kColmap,
  kZed,
  kDepthai,
  kJson
};

// The list of supported formats, for errors about unknown files.
extern const char* const kKnown;

// Parses a document and returns its format, found by its content. `text` is UTF-8.
Format parse(Document* document);

// Reads single cameras, one per file, and one pair whose fields may be spread over the files. The
// rectified views of a pair come first, then the raw ones.
Views read_opencv(const Documents& documents, const Options& options);
// Reads one camera per file.
Views read_ros(const Documents& documents, const Options& options);

// Reads one camera per file. Two cameras with a pose each make a pair.
Views read_asl(const Documents& documents);

Views read_kitti(const Document& document, const Options& options);
Views read_kalibr(const Document& document, const Options& options);
Views read_middlebury(const Document& document);
Views read_colmap(const Document& document);
Views read_zed(const Document& document, const Options& options);
Views read_depthai(const Document& document, const Options& options);

// Cameras as gst_rdp_camera_to_json () writes them, and projection matrices.
Views read_json(const Document& document, const Options& options);
// A camera in the format of gst_rdp_camera_to_json () (transfer full).
GstRdpCamera* read_json_camera(const Field& object);

// True if a document has the fields of the format.
bool is_json(const Field& root);
bool is_opencv(const Field& root);
bool is_ros(const Field& root);
bool is_asl(const Field& root);

}  // namespace rdp::calibration

#endif  // RDP_GST_RDPSEGMENT_FILES_READERS_H_
