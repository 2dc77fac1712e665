/* SPDX-License-Identifier: LGPL-2.1-or-later */
// What a calibration file is of, told by its content: names of such files say little.
#include <glib.h>

#include <algorithm>
#include <string_view>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

namespace {

constexpr const char* kKnown =
    "a calibration: OpenCV's YAML or JSON, ROS' camera_info, KITTI's P0 and P1, Kalibr's camchain, "
    "a ZED's .conf, DepthAI's JSON, or JSON with cameras or projections";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The first line with something in it that is no comment.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && g_ascii_isspace(line.front())) line.remove_prefix(1);
    while (!line.empty() && g_ascii_isspace(line.back())) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#' && line.front() != ';') return line;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return {};
}

// [LEFT_CAM_HD]: no JSON begins so.
bool is_group(std::string_view line) {
  if (line.size() < 3 || line.front() != '[' || line.back() != ']') return false;
  if (!g_ascii_isalpha(line[1])) return false;
  return std::all_of(line.begin() + 1, line.end() - 1,
                     [](char c) { return g_ascii_isalnum(c) || c == '_' || c == '-' || c == ' '; });
}

// P0, P_rect_00 and what stands beside them, then numbers. In YAML a list or a map follows.
bool is_kitti_line(std::string_view line) {
  if (is_digit(line.front()) || line.front() == '-') {
    return line.find(' ') != std::string_view::npos && line.find(':') == std::string_view::npos &&
           line.substr(0, 2) != "- " && line.substr(0, 3) != "---";
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view name = line.substr(0, colon);
  if (name == "calib_time" || name == "corner_dist" || name == "R0_rect") return true;
  const bool projection = name.size() == 2 && name[0] == 'P' && is_digit(name[1]);
  const bool numbered = name.size() > 3 && is_digit(name[name.size() - 1]) &&
                        is_digit(name[name.size() - 2]) && name[name.size() - 3] == '_' &&
                        std::string_view("SKDRTP").find(name[0]) != std::string_view::npos;
  if (!projection && !numbered) return false;
  std::string_view rest = line.substr(colon + 1);
  while (!rest.empty() && g_ascii_isspace(rest.front())) rest.remove_prefix(1);
  return !rest.empty() && std::string_view("[{!&|>").find(rest.front()) == std::string_view::npos;
}

}  // namespace

Format parse(Document* document) {
  const std::string_view line = first_line(document->text);
  if (line.empty()) fail(document->file, 1, "", "nothing", kKnown);
  if (line.front() == '<') {
    fail(document->file, 1, "", "XML",
         std::string(kKnown) +
             ". OpenCV writes the same as YAML: read it with cv::FileStorage and "
             "write it to a name that ends with .yml");
  }
  if (is_group(line)) {
    parse_key_file(document);
    return Format::kZed;
  }
  if (line.front() == '{' || line.front() == '[') {
    parse_json(document);
    const Field root(*document);
    if (root.find("cameraData")) return Format::kDepthai;
    if (is_json(root)) return Format::kJson;
    if (is_opencv(root)) return Format::kOpencv;
    root.fail(kKnown);
  }
  if (is_kitti_line(line)) {
    parse_number_lines(document);
    return Format::kKitti;
  }
  parse_yaml(document);
  const Field root(*document);
  if (root.find("cam0")) return Format::kKalibr;
  if (is_ros(root)) return Format::kRos;
  if (is_opencv(root)) return Format::kOpencv;
  root.fail(kKnown);
}

}  // namespace rdp::calibration
