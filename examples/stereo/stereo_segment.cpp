// SPDX-License-Identifier: LGPL-2.1-or-later
// From rectified stereo pairs to segments: OpenCV's semi-global block matcher makes disparity, an
// appsrc brings it into a pipeline with rdpsegment.
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Unref {
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
};
template <typename T>
using Ref = std::unique_ptr<T, Unref>;

struct Options {
  double epsilon = 2.0;
  int disparities = 128;
  std::string out = "out";
};

struct Pair {
  fs::path left;
  fs::path right;
};

// What the program says before it gives up.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<fs::path> pictures_of(const fs::path& path) {
  if (!fs::exists(path)) throw Failure("there is no " + path.string());
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> pictures;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file() && cv::haveImageReader(entry.path().string())) {
      pictures.push_back(entry.path());
    }
  }
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

std::vector<Pair> pairs_of(const char* left, const char* right) {
  const std::vector<fs::path> lefts = pictures_of(left);
  const std::vector<fs::path> rights = pictures_of(right);
  if (lefts.empty()) throw Failure(std::string("no picture in ") + left);
  if (lefts.size() != rights.size()) {
    throw Failure(std::to_string(lefts.size()) + " left but " + std::to_string(rights.size()) +
                  " right pictures: each left one needs its right one, in the same order");
  }
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < lefts.size(); ++i) pairs.push_back({lefts[i], rights[i]});
  return pairs;
}

cv::Mat read_gray(const fs::path& path) {
  cv::Mat picture = cv::imread(path.string(), cv::IMREAD_GRAYSCALE);
  if (picture.empty()) throw Failure("cannot read the picture " + path.string());
  return picture;
}

// Disparity in 1/16 px, 0 where it is unknown.
cv::Mat disparity_of(const Pair& pair, cv::StereoSGBM& matcher) {
  const cv::Mat left = read_gray(pair.left);
  const cv::Mat right = read_gray(pair.right);
  if (left.size() != right.size()) {
    throw Failure(pair.left.string() + " and " + pair.right.string() + " differ in size");
  }
  cv::Mat signed_disparity;
  matcher.compute(left, right, signed_disparity);
  // The matcher marks what it does not know with negative numbers.
  cv::Mat disparity;
  signed_disparity.convertTo(disparity, CV_16U);
  return disparity;
}

Ref<GstElement> make_pipeline(const Options& options) {
  GError* error = nullptr;
  // A queue on each branch: the two sinks must not wait for each other.
  Ref<GstElement> pipeline(
      gst_parse_launch("appsrc name=source format=time block=true max-bytes=8000000 "
                       "! rdpsegment name=seg sample-scale=0.0625 "
                       "seg.src ! queue ! rdpmetaconvert ! filesink name=json "
                       "seg.overlay ! queue ! pngenc ! multifilesink name=pictures",
                       &error));
  if (error != nullptr) {
    const std::string why = error->message;
    g_clear_error(&error);
    throw Failure("the pipeline cannot be made: " + why);
  }
  const auto set = [&](const char* element, const char* property, auto value) {
    const Ref<GstElement> child(gst_bin_get_by_name(GST_BIN(pipeline.get()), element));
    g_object_set(child.get(), property, value, nullptr);
  };
  set("seg", "epsilon", options.epsilon);
  set("json", "location", (options.out + "/segments.jsonl").c_str());
  set("pictures", "location", (options.out + "/overlay-%05d.png").c_str());
  return pipeline;
}

// A buffer with the disparity's rows, laid out as GStreamer wants them for its caps.
GstBuffer* buffer_of(const cv::Mat& disparity, const GstVideoInfo& info) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  GstVideoFrame frame;
  if (!gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE)) {
    gst_buffer_unref(buffer);
    throw Failure("a new buffer cannot be written");
  }
  auto* data = static_cast<guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0));
  for (int row = 0; row < disparity.rows; ++row) {
    std::memcpy(data + static_cast<std::ptrdiff_t>(row) * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0),
                disparity.ptr(row), static_cast<std::size_t>(disparity.cols) * 2);
  }
  gst_video_frame_unmap(&frame);
  return buffer;
}

// Matches all pairs and pushes them, 10 a second of stream time. Ends early where the pipeline has
// given up; its bus says why.
void push_pairs(const std::vector<Pair>& pairs, const Options& options, GstAppSrc* source) {
  constexpr int kBlock = 5;
  const auto matcher = cv::StereoSGBM::create(0, options.disparities, kBlock, 8 * kBlock * kBlock,
                                              32 * kBlock * kBlock, 1, 31, 10, 100, 2,
                                              cv::StereoSGBM::MODE_SGBM_3WAY);
  GstVideoInfo info;
  gst_video_info_init(&info);
  GstClockTime pts = 0;
  for (const Pair& pair : pairs) {
    const cv::Mat disparity = disparity_of(pair, *matcher);
    if (disparity.cols != GST_VIDEO_INFO_WIDTH(&info) ||
        disparity.rows != GST_VIDEO_INFO_HEIGHT(&info)) {
      gst_video_info_set_format(&info, GST_VIDEO_FORMAT_GRAY16_LE,
                                static_cast<guint>(disparity.cols),
                                static_cast<guint>(disparity.rows));
      info.fps_n = 10;
      info.fps_d = 1;
      GstCaps* caps = gst_video_info_to_caps(&info);
      gst_app_src_set_caps(source, caps);
      gst_caps_unref(caps);
    }
    GstBuffer* buffer = buffer_of(disparity, info);
    GST_BUFFER_PTS(buffer) = pts;
    GST_BUFFER_DURATION(buffer) = GST_SECOND / 10;
    pts += GST_BUFFER_DURATION(buffer);
    if (gst_app_src_push_buffer(source, buffer) != GST_FLOW_OK) return;
  }
}

void segment(const std::vector<Pair>& pairs, const Options& options) {
  fs::create_directories(options.out);
  const Ref<GstElement> pipeline = make_pipeline(options);
  const Ref<GstElement> source(gst_bin_get_by_name(GST_BIN(pipeline.get()), "source"));
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  std::string failure;
  try {
    push_pairs(pairs, options, GST_APP_SRC(source.get()));
  } catch (const std::exception& error) {
    failure = error.what();
  }
  gst_app_src_end_of_stream(GST_APP_SRC(source.get()));
  const auto awaited = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  const Ref<GstMessage> message(
      gst_bus_timed_pop_filtered(GST_ELEMENT_BUS(pipeline.get()), GST_CLOCK_TIME_NONE, awaited));
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  if (failure.empty() && GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR) {
    GError* error = nullptr;
    gst_message_parse_error(message.get(), &error, nullptr);
    failure = std::string(GST_MESSAGE_SRC_NAME(message.get())) + ": " + error->message;
    g_clear_error(&error);
  }
  if (!failure.empty()) throw Failure(failure);
  std::printf("%zu frames: %s/segments.jsonl, and pictures of them in %s/overlay-*.png\n",
              pairs.size(), options.out.c_str(), options.out.c_str());
}

// The two arguments beside the options; throws where they or the options are wrong.
std::vector<std::string> parse(int argc, char** argv, Options* options) {
  gchar** files = nullptr;
  gchar* out = nullptr;
  const GOptionEntry entries[] = {
      {"epsilon", 'e', 0, G_OPTION_ARG_DOUBLE, &options->epsilon, "Tolerance in px (2)", "PX"},
      {"disparities", 'd', 0, G_OPTION_ARG_INT, &options->disparities,
       "How far to search, a multiple of 16 (128)", "PX"},
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "Where to write (out)", "FOLDER"},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, nullptr, "LEFT RIGHT"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
  GOptionContext* context = g_option_context_new("- segments rectified stereo pairs");
  g_option_context_set_description(
      context, "LEFT and RIGHT are two pictures, or two folders with as many of them.");
  g_option_context_add_main_entries(context, entries, nullptr);
  g_option_context_add_group(context, gst_init_get_option_group());
  GError* error = nullptr;
  const bool parsed = g_option_context_parse(context, &argc, &argv, &error);
  g_option_context_free(context);
  std::vector<std::string> arguments;
  for (gchar** file = files; file != nullptr && *file != nullptr; ++file) {
    arguments.emplace_back(*file);
  }
  g_strfreev(files);
  if (out != nullptr) options->out = out;
  g_free(out);
  const std::string why = error != nullptr ? error->message : "";
  g_clear_error(&error);
  if (!parsed) throw Failure(why);
  if (arguments.size() != 2) throw Failure("name the left and the right picture, or two folders");
  if (options->disparities < 16 || options->disparities % 16 != 0) {
    throw Failure("--disparities is a multiple of 16");
  }
  if (!(options->epsilon >= 0)) throw Failure("--epsilon is not negative");
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Options options;
    const std::vector<std::string> arguments = parse(argc, argv, &options);
    segment(pairs_of(arguments[0].c_str(), arguments[1].c_str()), options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stereo_segment: %s (see --help)\n", error.what());
    return 1;
  }
}
