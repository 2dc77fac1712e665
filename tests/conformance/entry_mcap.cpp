// SPDX-License-Identifier: LGPL-2.1-or-later
// mcapsink, and mcapsrc with generated files.
#include <memory>

#include "common/mcap/messages.h"
#include "common/mcap/recording.h"
#include "common/mcap/schema_text.h"
#include "tests/conformance/entries.h"
#include "tests/support/temporary_files.h"

namespace conformance {
namespace {

std::string samples_of_frame(guint64 number) {
  std::string samples(24 * 16 * 2, '\0');
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<char>(31 * i + 7 * number);
  }
  return samples;
}

// Three frames, 30 a second.
void write_file(const std::string& path) {
  namespace mcap = rdp::mcap;
  namespace ros = rdp::ros;
  mcap::Recording recording({}, [path](unsigned) { return path; });
  const auto channel = recording.channel("/depth", ros::schema_name<ros::Image>(),
                                         ros::schema_text<ros::Image>(), {});
  ros::CdrWriter writer;
  const mcap::Recording::Item item{channel, &writer};
  for (guint64 number = 0; number < 3; ++number) {
    const std::string samples = samples_of_frame(number);
    ros::Image image;
    image.height = 16;
    image.width = 24;
    image.encoding = "16UC1";
    image.step = 48;
    image.data = ros::Blob::of(std::as_bytes(std::span(samples)));
    writer.write(image);
    recording.write(1000 + gst_util_uint64_scale(number, GST_SECOND, 30), {&item, 1});
  }
}

}  // namespace

std::vector<Element> entries_of_mcap() {
  Element source;
  source.name = source.factory = "mcapsrc";
  source.inputs.clear();
  source.in_place = source.pictures = source.crops = source.on_gpu = false;
  source.further_errors = 1;
  source.prepare = [](GstElement* made) {
    // Deleted when the process ends.
    static rdp::test::Folder folder;
    static const std::string path = folder.write("depth.mcap", "");
    write_file(path);
    g_object_set(made, "location", path.c_str(), nullptr);
  };
  source.expect_made = [](guint64 number) -> Check {
    return [number](GstBuffer* output) {
      return same_samples(output, {GST_VIDEO_FORMAT_GRAY16_LE, 24, 16},
                          samples_of_frame(number).data());
    };
  };

  Element sink;
  sink.name = sink.factory = "mcapsink";
  sink.settings = "location=recorded.mcap start-time=0";  // instead of the clock's time
  sink.inputs = {"depth_0"};
  sink.ends_here = true;
  sink.crops = sink.on_gpu = false;
  sink.expect = [](const Contents&) { return [](GstBuffer*) { return std::string(); }; };
  add_way(&sink, "compression=none metadata=false");
  return {source, sink};
}

}  // namespace conformance
