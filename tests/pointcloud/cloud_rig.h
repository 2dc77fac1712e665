// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_POINTCLOUD_CLOUD_RIG_H_
#define RDP_TESTS_POINTCLOUD_CLOUD_RIG_H_

#include <string>
#include <vector>

#include "tests/clouds/cloud_file_bytes.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

// Helpers that run pointcloudsrc and read files.
namespace rdp::test {

struct ReadCloud {
  std::string bytes;  // of the buffer
  GstClockTime pts;
  GstClockTime duration;
};

struct ReadClouds {
  std::string error;  // "" if the stream ended
  std::string warnings;
  std::string caps;
  std::vector<ReadCloud> clouds;

  // The coordinates of a point cloud, 12 bytes per point, located by the last caps.
  std::string xyz(std::size_t cloud) const {
    g_autoptr(GstCaps) parsed = gst_caps_from_string(caps.c_str());
    gint step = 0, offset = 0;
    gst_structure_get(gst_caps_get_structure(parsed, 0), "point-step", G_TYPE_INT, &step, "offset",
                      G_TYPE_INT, &offset, nullptr);
    const std::string& bytes = clouds.at(cloud).bytes;
    std::string points;
    for (auto at = static_cast<std::size_t>(offset); at < bytes.size();
         at += static_cast<std::size_t>(step)) {
      points += bytes.substr(at, 12);
    }
    return points;
  }
};

inline std::string bytes_in(GstBuffer* buffer) {
  std::string bytes(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
  return bytes;
}

// Runs pointcloudsrc with the properties `words`.
inline ReadClouds read_clouds(const std::string& words) {
  PipelineRig rig("pointcloudsrc " + words + " ! fakesink name=sink");
  Received received(rig.get("sink"));
  rig.play();
  ReadClouds result;
  result.error = rig.wait();
  for (const std::string& warning : rig.warnings) result.warnings += warning;
  result.caps = received.caps();
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  for (GstBuffer* buffer : received.buffers) {
    result.clouds.push_back(
        {bytes_in(buffer), GST_BUFFER_PTS(buffer), GST_BUFFER_DURATION(buffer)});
  }
  return result;
}

// Reads a file and deletes it.
inline std::string take_file(const std::string& path) {
  gchar* data = nullptr;
  gsize size = 0;
  fail_unless(g_file_get_contents(path.c_str(), &data, &size, nullptr), "%s", path.c_str());
  std::string bytes(data, size);
  g_free(data);
  g_remove(path.c_str());
  return bytes;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_POINTCLOUD_CLOUD_RIG_H_
