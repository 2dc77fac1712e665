// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares outputs of the elements, to the bit, with recorded digests: see kUsage and cases.txt.
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/clouds/cloud_file_bytes.h"

namespace {

namespace fs = std::filesystem;

constexpr char kUsage[] =
    R"(Usage: digests FOLDER [PATTERN...]

Runs the pipelines of FOLDER/cases.txt and compares the SHA-256 of what they make with those in
FOLDER/digests.txt, which are the same on the CPU, on a GPU, and on what stands for one.
PATTERN: the cases that are run (planes-*), or after a ^ those that are not (^cloud-*).

Environment:
  BACKEND=cuda    what has a backend works on the GPU (cpu)
  KEEP=DIRECTORY  leave the outputs in this new directory, to compare them with another build's
  RECORD=1        write FOLDER/digests.txt anew, where results change on purpose
  READER=COMMAND  Python and read.py, for what Python reads of the outputs; left out without it

On a machine with a GPU and nothing else this program, FOLDER, the plugin, its library, and
GStreamer's libraries and core elements suffice.
)";

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "digests: %s\n", why.c_str());
  std::exit(2);
}

void write(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << content).flush()) give_up("cannot write " + path.string());
}

// --- the table ----------------------------------------------------------------------------------

using Texts = std::map<std::string, std::string>;

struct Table {
  Texts words;  // replacements for {name}
  std::vector<std::pair<std::string, std::string>> cases;
};

Table read_table(const fs::path& path) {
  Table table;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string name = line.substr(0, line.find_first_of(": "));
    if (line.compare(name.size(), 2, ": ") == 0) {
      table.cases.emplace_back(name, line.substr(name.size() + 2));
    } else if (line.compare(name.size(), 3, " = ") == 0) {
      table.words[name] = line.substr(name.size() + 3);
    } else {
      give_up("expected \"name: pipeline\" or \"name = words\", got \"" + line + "\"");
    }
  }
  if (table.cases.empty()) give_up("no case in " + path.string());
  return table;
}

std::string filled_in(std::string line, const Texts& words) {
  for (std::size_t at = 0; (at = line.find('{')) != std::string::npos;) {
    const std::size_t end = line.find('}', at);
    const auto word = words.find(line.substr(at + 1, end - at - 1));
    if (word == words.end()) give_up("what does a word stand for? " + line.substr(at));
    line.replace(at, end + 1 - at, word->second);
  }
  return line;
}

bool is_wanted(const std::string& name, const std::vector<std::string>& patterns) {
  bool wanted = patterns.empty() || patterns[0][0] == '^';
  for (const std::string& pattern : patterns) {
    const bool without = pattern[0] == '^';
    if (g_pattern_match_simple(pattern.c_str() + without, name.c_str())) wanted = !without;
  }
  return wanted;
}

void write_clouds(const fs::path& folder) {
  using namespace rdp::test;
  const Points points = some_points(200);
  write(folder / "binary.pcd", pcd_binary(points));
  write(folder / "mixed.pcd", pcd_mixed(points));
  write(folder / "compressed.pcd", pcd_compressed(points));
  write(folder / "text.pcd", pcd_text(points));
  write(folder / "binary.ply", ply_binary(points, true, false));
  write(folder / "big.ply", ply_binary(points, false, true));
  write(folder / "text.ply", ply_text(points));
  write(folder / "scan.bin", kitti(points));
}

// --- what is in a buffer ------------------------------------------------------------------------

std::string bytes_of(GBytes* bytes) {  // (transfer full)
  gsize size = 0;
  const auto* data = static_cast<const char*>(g_bytes_get_data(bytes, &size));
  const std::string result(data == nullptr ? "" : data, size);
  g_bytes_unref(bytes);
  return result;
}

// The bytes of a buffer; pictures without row padding.
std::string content_of(GstBuffer* buffer, GstCaps* caps) {
  std::string result;
  GstVideoInfo info;
  GstVideoFrame frame;
  if (!gst_video_info_from_caps(&info, caps) ||
      GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_ENCODED) {
    result.resize(gst_buffer_get_size(buffer));
    gst_buffer_extract(buffer, 0, result.data(), result.size());
  } else if (!gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ)) {
    give_up("cannot map a frame");
  } else {
    for (guint p = 0, c = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p) {
      while (GST_VIDEO_INFO_COMP_PLANE(&info, c) != p) ++c;
      const auto* row = static_cast<const char*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, p));
      for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c); ++y) {
        result.append(row, static_cast<std::size_t>(GST_VIDEO_FRAME_COMP_WIDTH(&frame, c) *
                                                    GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)));
        row += GST_VIDEO_FRAME_PLANE_STRIDE(&frame, p);
      }
    }
    gst_video_frame_unmap(&frame);
  }
  return result;
}

// Segments read from their serialised form: serialised again, then ground, classes and points.
std::string segments_read(const std::string& serialised, GstRdpCamera* camera) {
  GBytes* bytes = g_bytes_new(serialised.data(), serialised.size());
  GstRdpSegmentation* read = gst_rdp_segmentation_new_from_bytes(bytes, nullptr);
  g_bytes_unref(bytes);
  if (read == nullptr) return "cannot be read";
  gdouble slope = 0;
  gdouble horizon = 0;
  const gboolean ground = gst_rdp_segmentation_get_ground(read, &slope, &horizon);
  std::string result = bytes_of(gst_rdp_segmentation_to_bytes(read)) + (ground ? "1" : "0") +
                       rdp::test::bytes_of(slope) + rdp::test::bytes_of(horizon);
  if (ground) result += bytes_of(gst_rdp_segmentation_get_classes(read));
  if (camera != nullptr) result += bytes_of(gst_rdp_segmentation_get_points(read, camera, nullptr));
  gst_rdp_segmentation_unref(read);
  return result;
}

// Adds the metadata, each kind as a separate output.
void add_metadata(GstBuffer* buffer, Texts* to) {
  GstRdpCamera* camera = gst_rdp_buffer_get_camera(buffer, nullptr);
  if (camera != nullptr) {
    g_autofree gchar* json = gst_rdp_camera_to_json(camera);
    (*to)["camera"] += json;
  }
  if (const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer)) {
    const std::string bytes = bytes_of(gst_rdp_segmentation_to_bytes(meta->segmentation));
    (*to)["rdps"] += bytes;
    (*to)["segments"] += segments_read(bytes, camera);
  }
  if (GstRdpPlanes* planes = gst_rdp_buffer_get_planes(buffer)) {
    GBytes* bytes = gst_rdp_planes_to_bytes(planes);
    GstRdpPlanes* read = gst_rdp_planes_new_from_bytes(bytes, nullptr);
    (*to)["rdpp"] += bytes_of(bytes);
    (*to)["hulls"] += read == nullptr ? "cannot be read" : bytes_of(gst_rdp_planes_to_ply(read));
    if (read != nullptr) gst_rdp_planes_unref(read);
  }
  if (GstRdpTracks* tracks = gst_rdp_buffer_get_tracks(buffer)) {
    (*to)["rdpt"] += bytes_of(gst_rdp_tracks_to_bytes(tracks));
  }
  if (GstRdpMotion* motion = gst_rdp_buffer_get_motion(buffer)) {
    (*to)["rdpm"] += bytes_of(gst_rdp_motion_to_bytes(motion));
  }
  if (GstRdpHeights* heights = gst_rdp_buffer_get_heights(buffer)) {
    (*to)["rdph"] += bytes_of(gst_rdp_heights_to_bytes(heights));
  }
  if (GstRdpObstacles* obstacles = gst_rdp_buffer_get_obstacles(buffer)) {
    (*to)["rdpo"] += bytes_of(gst_rdp_obstacles_to_bytes(obstacles));
  }
  if (camera != nullptr) gst_rdp_camera_unref(camera);
}

// --- pipelines ----------------------------------------------------------------------------------

struct Kept {
  std::mutex mutex;
  Texts of;  // by the suffix after the case's name
};

GstPadProbeReturn keep(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto* kept = static_cast<Kept*>(data);
  GstElement* sink = gst_pad_get_parent_element(pad);
  GstCaps* caps = gst_pad_get_current_caps(pad);
  GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  const std::string name = GST_OBJECT_NAME(sink);
  {
    const std::lock_guard lock(kept->mutex);
    if (name != "meta") kept->of[name == "all" ? "data" : name] += content_of(buffer, caps);
    if (name == "meta" || name == "all") add_metadata(buffer, &kept->of);
  }
  gst_caps_unref(caps);
  gst_object_unref(sink);
  return GST_PAD_PROBE_OK;
}

void set_up(const GValue* item, gpointer kept) {
  auto* element = static_cast<GstElement*>(g_value_get_object(item));
  GObjectClass* type = G_OBJECT_GET_CLASS(element);
  if (g_object_class_find_property(type, "backend") != nullptr) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", variable("BACKEND", "cpu").c_str());
  }
  if (!GST_OBJECT_FLAG_IS_SET(element, GST_ELEMENT_FLAG_SINK)) return;
  gst_util_set_object_arg(G_OBJECT(element), "async", "false");
  if (g_str_has_prefix(GST_OBJECT_NAME(element), "fakesink") ||
      g_str_has_prefix(GST_OBJECT_NAME(element), "pointcloudsink")) {
    return;
  }
  g_autoptr(GstPad) pad = gst_element_get_static_pad(element, "sink");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, keep, kept, nullptr);
}

// Returns the error; empty on success.
std::string run(const std::string& line, Kept* kept) {
  GError* error = nullptr;
  GstElement* pipeline =
      gst_parse_launch_full(line.c_str(), nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  std::string wrong;
  if (pipeline != nullptr) {
    GstIterator* elements = gst_bin_iterate_recurse(GST_BIN(pipeline));
    gst_iterator_foreach(elements, set_up, kept);
    gst_iterator_free(elements);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    GstMessage* message = gst_bus_timed_pop_filtered(
        GST_ELEMENT_BUS(pipeline), 60 * GST_SECOND,
        static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
    gst_element_set_state(pipeline, GST_STATE_NULL);
    if (message == nullptr) {
      wrong = "no end within 60 s";
    } else if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error(message, &error, nullptr);
    }
    gst_clear_message(&message);
    gst_object_unref(pipeline);
  }
  if (error != nullptr) wrong = error->message;
  g_clear_error(&error);
  return wrong;
}

// --- digests ------------------------------------------------------------------------------------

std::string digest_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  gchar* text = g_compute_checksum_for_data(
      G_CHECKSUM_SHA256, reinterpret_cast<const guchar*>(content.data()), content.size());
  const std::string result = text;
  g_free(text);
  return result;
}

std::string case_of(const std::string& name) { return name.substr(0, name.find_first_of(".:")); }

}  // namespace

int main(int argc, char** argv) {
  gst_init(&argc, &argv);
  if (argc < 2 || argv[1][0] == '-') {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const fs::path folder = argv[1];
  const std::vector<std::string> patterns(argv + 2, argv + argc);
  const std::string reader = variable("READER");
  const std::string keep_in = variable("KEEP");
  const bool on_gpu = variable("BACKEND", "cpu") != "cpu";
  gchar* temporary = g_dir_make_tmp("digests-XXXXXX", nullptr);
  const fs::path clouds = temporary;
  g_free(temporary);
  write_clouds(clouds);
  const fs::path outputs = keep_in.empty() ? clouds / "outputs" : fs::absolute(keep_in);
  if (!fs::create_directories(outputs)) give_up(outputs.string() + " is there already");

  Table table = read_table(folder / "cases.txt");
  table.words["here"] = folder.string();
  table.words["clouds"] = clouds.string();
  table.words["up"] = on_gpu ? "! depthupload" : "";
  table.words["raw"] = on_gpu ? "video/x-raw(memory:CUDAMemory)" : "video/x-raw";
  Texts lines;  // by the names of cases
  std::vector<std::string> failures;
  for (const auto& [name, words] : table.cases) {
    if (!is_wanted(name, patterns)) continue;
    table.words["out"] = (outputs / name).string();
    lines[name] = filled_in(words, table.words);
    Kept kept;
    if (const std::string wrong = run(lines[name], &kept); !wrong.empty()) {
      failures.push_back(name + ": " + wrong);
    }
    for (const auto& [output, content] : kept.of) write(outputs / (name + "." + output), content);
  }
  if (!reader.empty() && std::system((reader + " '" + outputs.string() + "'").c_str()) != 0) {
    failures.push_back(reader);
  }

  Texts recorded;
  std::ifstream file(folder / "digests.txt");
  for (std::string name, digest; file >> name >> digest;) recorded[name] = digest;
  // Outputs not produced, because of a pattern or without a reader, keep their recorded digests.
  Texts now = recorded;
  std::erase_if(now, [&](const auto& entry) {
    const bool is_python = fs::path(entry.first).extension() == ".python";
    return lines.count(case_of(entry.first)) != 0 && !(is_python && reader.empty());
  });
  const std::size_t left_out = now.size();
  for (const fs::directory_entry& output : fs::directory_iterator(outputs)) {
    now[output.path().filename()] = digest_of(output.path());
  }
  fs::remove_all(clouds);

  if (!variable("RECORD").empty() && failures.empty()) {
    std::string text;
    for (const auto& [name, digest] : now) text += name + " " + digest + "\n";
    write(folder / "digests.txt", text);
    recorded = now;
  }
  Texts all = recorded;
  all.insert(now.begin(), now.end());
  for (const auto& [name, any] : all) {
    const auto text = [&key = name](Texts& of) { return of[key].empty() ? "none" : of[key]; };
    if (text(recorded) == text(now)) continue;
    failures.push_back(name + ": expected " + text(recorded) + ", got " + text(now));
  }
  for (const std::string& failure : failures) {
    std::printf("FAIL %s\n  %s\n", failure.c_str(), lines[case_of(failure)].c_str());
  }
  std::printf("%zu outputs of %zu cases, %zu left out, %zu failures\n", now.size() - left_out,
              lines.size(), left_out, failures.size());
  if (failures.empty()) return 0;
  std::puts(
      "To see what differs, run this and an earlier build with KEEP=DIRECTORY and compare.\n"
      "If results change on purpose, run it with RECORD=1.");
  return 1;
}
