/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads cameras from calibration files. The readers of the formats are in files/. */
#include <fcntl.h>
#include <gst/rdpsegment/rdpcamera.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "common/boundary.h"
#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {
namespace {

constexpr std::size_t kMaxFiles = 64;

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

[[noreturn]] void cannot_read(const std::string& file, const std::string& reason) {
  throw Error(file + ": found " + reason +
              ", expected a calibration file that can be read: check its name and rights");
}

/* Reads a regular file as text. Pipes and devices are refused, since they may block or never end.
 */
std::string read_text(const std::string& name, const std::string& shown) {
  const Descriptor file{open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) cannot_read(shown, g_strerror(errno));
  struct stat status;
  if (fstat(file.number, &status) != 0) cannot_read(shown, g_strerror(errno));
  if (!S_ISREG(status.st_mode)) {
    cannot_read(shown, S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
  }
  std::string text;
  std::string part(65536, '\0');
  for (;;) {
    const ssize_t size = read(file.number, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) cannot_read(shown, g_strerror(errno));
    if (size == 0) break;
    text.append(part, 0, static_cast<std::size_t>(size));
    if (text.size() > kMaxBytes) {
      fail(shown, 1, "", "more than " + std::to_string(kMaxBytes >> 20) + " MiB", "a calibration");
    }
  }
  if (text.rfind("\xef\xbb\xbf", 0) == 0) text.erase(0, 3);
  /* Old systems end lines with \r alone. */
  if (text.find('\n') == text.npos) std::replace(text.begin(), text.end(), '\r', '\n');
  const gchar* end = nullptr;
  if (!g_utf8_validate(text.data(), static_cast<gssize>(text.size()), &end)) {
    int line = 1;
    for (const char* c = text.data(); c < end; ++c) line += *c == '\n' ? 1 : 0;
    fail(shown, line, "", "bytes that are no text", std::string(kKnown) + ", as text in UTF-8");
  }
  return text;
}

/* Splits the list at commas, unless a file with the whole name exists. */
std::vector<std::string> split(const char* files) {
  if (g_file_test(files, G_FILE_TEST_EXISTS)) return {files};
  std::vector<std::string> names;
  g_auto(GStrv) parts = g_strsplit(files, ",", static_cast<gint>(kMaxFiles) + 1);
  for (gchar** part = parts; *part != nullptr; ++part) names.emplace_back(g_strstrip(*part));
  if (names.empty()) names.emplace_back(); /* GLib splits an empty text into no parts */
  for (const std::string& name : names) {
    if (name.empty()) {
      g_autofree gchar* shown = g_filename_display_name(files);
      throw Error(std::string("calibration \"") + shown +
                  "\": found an empty file name, expected FILE or FILE,FILE");
    }
  }
  if (names.size() > kMaxFiles) {
    throw Error("calibration: found more than " + std::to_string(kMaxFiles) +
                " files, expected as many as cameras");
  }
  return names;
}

/* Owns its cameras until release(). */
class Cameras {
 public:
  ~Cameras() {
    if (cameras_ != nullptr) g_ptr_array_unref(cameras_);
  }
  void add(const View& view) {
    g_autoptr(GError) error = nullptr;
    GstRdpCamera* camera = gst_rdp_camera_new(&view.info, &error);
    if (camera == nullptr) {
      const Field& field = view.field;
      throw Error(field.file() + ":" + std::to_string(field.line()) + ": " + field.path() + ": " +
                  (error != nullptr ? error->message : "no camera"));
    }
    g_ptr_array_add(cameras_, camera);
  }
  void add(const Views& views) {
    for (const View& view : views) add(view);
  }
  GPtrArray* release() { return std::exchange(cameras_, nullptr); }

 private:
  GPtrArray* cameras_ =
      g_ptr_array_new_with_free_func(reinterpret_cast<GDestroyNotify>(gst_rdp_camera_unref));
};

GPtrArray* read_files(const char* files, const Options& options) {
  std::list<Document> documents;
  std::vector<Format> formats;
  Documents opencv;
  Documents ros;
  Documents asl;
  for (const std::string& name : split(files)) {
    g_autofree gchar* shown = g_filename_display_name(name.c_str());
    Document& document = documents.emplace_back();
    document.file = shown;
    document.text = read_text(name, shown);
    formats.push_back(parse(&document));
    document.text = {};
    if (formats.back() == Format::kOpencv) opencv.push_back(&document);
    if (formats.back() == Format::kRos) ros.push_back(&document);
    if (formats.back() == Format::kAsl) asl.push_back(&document);
  }

  /* Views come in the order of the files. Views of one pair come at the place of its first file. */
  Cameras cameras;
  auto format = formats.begin();
  for (const Document& document : documents) {
    switch (*format++) {
      case Format::kOpencv:
        if (&document == opencv.front()) cameras.add(read_opencv(opencv, options));
        break;
      case Format::kRos:
        if (&document == ros.front()) cameras.add(read_ros(ros, options));
        break;
      case Format::kKitti:
        cameras.add(read_kitti(document, options));
        break;
      case Format::kKalibr:
        cameras.add(read_kalibr(document, options));
        break;
      case Format::kAsl:
        if (&document == asl.front()) cameras.add(read_asl(asl));
        break;
      case Format::kMiddlebury:
        cameras.add(read_middlebury(document));
        break;
      case Format::kColmap:
        cameras.add(read_colmap(document));
        break;
      case Format::kZed:
        cameras.add(read_zed(document, options));
        break;
      case Format::kDepthai:
        cameras.add(read_depthai(document, options));
        break;
      case Format::kJson:
        cameras.add(read_json(document, options));
        break;
    }
  }
  return cameras.release();
}

}  // namespace
}  // namespace rdp::calibration

/**
 * gst_rdp_camera_read_files:
 * @files: (type filename): the name of a calibration file, or several with commas between them
 * @unit: metres a unit of lengths whose unit the file does not state, such as a board's: 0.001 for
 *   millimetres, 1 for metres
 * @width: width in pixels of the frames that the camera is for; 0: not known
 * @height: height in pixels of these frames; 0: not known
 * @error: (out) (optional): return location for a #GError
 *
 * Reads cameras from calibration files: OpenCV's FileStorage as YAML or JSON (one file, or
 * intrinsics and extrinsics), ROS' camera_info (one a camera), KITTI's and DrivingStereo's text,
 * Kalibr's camchain, EuRoC's sensor.yaml (one a camera), the calib.txt of Middlebury and ETH3D,
 * COLMAP's cameras.txt, a ZED's .conf, DepthAI's JSON, gst_rdp_camera_to_json()'s (one camera or a
 * list), and JSON with `size` and `projection`. The format is told by the content.
 * docs/calibration.md describes each; examples are in tests/library/camera_files.
 *
 * Views come in the order of the files. The rectified views of a pair come first, left and right,
 * with baseline and offset of disparity. Then come the raw ones: their @rectified is %FALSE unless
 * they need no rectification. Poses are world from camera; the world of a pair is its left camera
 * as it stands, unless the file has another.
 *
 * The size of the frames chooses among the resolutions of a ZED's file; without a size, all are
 * read. Nothing is scaled.
 *
 * An error (#GST_LIBRARY_ERROR, %GST_LIBRARY_ERROR_SETTINGS) names file, line and field, what was
 * found and what was expected.
 *
 * Returns: (transfer container) (element-type GstRdpCamera) (nullable): the views, at least one,
 * which the array unrefs; free it with g_ptr_array_unref(). %NULL with @error
 *
 * Since: 0.2
 */
GPtrArray* gst_rdp_camera_read_files(const gchar* files, gdouble unit, guint width, guint height,
                                     GError** error) {
  g_return_val_if_fail(files != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  return rdp::contain(
      [&] {
        if (!std::isfinite(unit) || unit <= 0.0) {
          throw rdp::calibration::Error("calibration-unit: found " +
                                        rdp::calibration::to_text(unit) +
                                        ", expected metres a unit of the file, above 0");
        }
        return rdp::calibration::read_files(files, {unit, width, height});
      },
      [&](const char* reason) -> GPtrArray* {
        /* Quoted text may have been cut within a character. */
        g_autofree gchar* text = g_utf8_make_valid(reason, -1);
        g_set_error_literal(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, text);
        return nullptr;
      });
}
