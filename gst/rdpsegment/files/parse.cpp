/* SPDX-License-Identifier: LGPL-2.1-or-later */
// Detects the format of a calibration file by its content: file names say little.
#include <glib.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "gst/rdpsegment/files/readers.h"

namespace rdp::calibration {

const char* const kKnown =
    "a calibration: OpenCV's YAML or JSON, ROS' camera_info, KITTI's P0 and P1 or lines of twelve "
    "numbers, DrivingStereo's P_rect_101 and P_rect_103, Kalibr's camchain, the sensor.yaml of "
    "EuRoC, the calib.txt of Middlebury and ETH3D, COLMAP's cameras.txt, a ZED's .conf, DepthAI's "
    "JSON, or JSON with cameras or projections";

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The first line that is neither empty nor a comment.
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

// A line such as [LEFT_CAM_HD], which cannot begin a JSON list.
bool is_group(std::string_view line) {
  if (line.size() < 3 || line.front() != '[' || line.back() != ']') return false;
  if (!g_ascii_isalpha(line[1])) return false;
  return std::all_of(line.begin() + 1, line.end() - 1,
                     [](char c) { return g_ascii_isalnum(c) || c == '_' || c == '-' || c == ' '; });
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t first = 0; (first = line.find_first_not_of(" \t", first)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", first), line.size());
    words.push_back(line.substr(first, end - first));
    first = end;
  }
  return words;
}

// A line of Middlebury's calib.txt, such as cam0=[1 0 2; 0 1 3; 0 0 1]. Any of them may come first.
bool is_middlebury_line(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  const auto words = words_of(line.substr(0, equals));
  constexpr std::string_view kNames[] = {"cam0",  "cam1",  "doffs", "baseline", "width", "height",
                                         "ndisp", "isint", "vmin",  "vmax",     "dyavg", "dymax"};
  return words.size() == 1 &&
         std::find(std::begin(kNames), std::end(kNames), words[0]) != std::end(kNames);
}

// A line such as 1 PINHOLE 640 480 …
bool is_colmap_line(std::string_view line) {
  const auto words = words_of(line);
  const auto all_of = [](std::string_view word, auto&& is) {
    return std::all_of(word.begin(), word.end(), is);
  };
  return words.size() >= 4 && all_of(words[0], is_digit) &&
         all_of(words[1], [](char c) { return g_ascii_isupper(c) || c == '_' || is_digit(c); }) &&
         g_ascii_isupper(words[1][0]) && all_of(words[2], is_digit) && all_of(words[3], is_digit);
}

// A line of numbers only, such as a projection.
bool is_number_line(std::string_view line) {
  const auto words = words_of(line);
  return words.size() > 1 && std::all_of(words.begin(), words.end(), [](std::string_view word) {
           return number_of(word).has_value();
         });
}

// A line with P0, P_rect_00, P_rect_101 or another of KITTI's names, followed by numbers. In YAML a
// list or a map would follow.
bool is_kitti_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view name = line.substr(0, colon);
  if (name == "calib_time" || name == "corner_dist" || name == "R0_rect") return true;
  const bool projection = name.size() == 2 && name[0] == 'P' && is_digit(name[1]);
  const std::size_t bar = name.rfind('_');
  const bool numbered =
      bar != std::string_view::npos && name.size() - bar >= 3 && name.size() - bar <= 4 &&
      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(bar) + 1, name.end(), is_digit) &&
      std::string_view("SKDRTP").find(name[0]) != std::string_view::npos;
  if (!projection && !numbered) return false;
  std::string_view rest = line.substr(colon + 1);
  while (!rest.empty() && g_ascii_isspace(rest.front())) rest.remove_prefix(1);
  return !rest.empty() && std::string_view("[{!&|>").find(rest.front()) == std::string_view::npos;
}

// Runs a parser, and adds the list of formats to its error: the file may be another program's.
template <typename Parse>
void listing_what_is_read(Parse&& parse) {
  try {
    parse();
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + ". What is read is " + kKnown);
  }
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
    listing_what_is_read([&] { parse_json(document); });
    const Field root(*document);
    if (root.find("cameraData")) return Format::kDepthai;
    if (is_json(root)) return Format::kJson;
    if (is_opencv(root)) return Format::kOpencv;
    root.fail(kKnown);
  }
  if (is_middlebury_line(line)) {
    parse_assignments(document);
    return Format::kMiddlebury;
  }
  if (is_colmap_line(line)) {
    parse_number_lines(document);
    return Format::kColmap;
  }
  if (is_number_line(line) || is_kitti_line(line)) {
    const std::size_t numbers = is_number_line(line) ? words_of(line).size() : 12;
    parse_number_lines(document);
    if (numbers == 12) return Format::kKitti;
    Field(*document).at(0).fail("a line of " + std::to_string(numbers) + " numbers", kKnown);
  }
  listing_what_is_read([&] { parse_yaml(document); });
  const Field root(*document);
  if (is_asl(root)) return Format::kAsl;
  if (root.find("cam0")) return Format::kKalibr;
  if (is_ros(root)) return Format::kRos;
  if (is_opencv(root)) return Format::kOpencv;
  root.fail(kKnown);
}

}  // namespace rdp::calibration
