// SPDX-License-Identifier: LGPL-2.1-or-later
// Both views of a stereo pair in one buffer: layout by caps or by property, and the views in place.
#include "gst/memory/packed_views.h"

#include "tests/support/check_test.h"
#include "tests/support/luma_frames.h"

using namespace rdp::gst;

namespace {

GstVideoInfo parse(const char* fields) {
  const std::string text = "video/x-raw,format=GRAY8,width=64,height=48,framerate=30/1" +
                           std::string(fields[0] == 0 ? "" : ",") + fields;
  GstCaps* caps = gst_caps_from_string(text.c_str());
  GstVideoInfo info;
  fail_unless(caps != nullptr && gst_video_info_from_caps(&info, caps), "%s", text.c_str());
  gst_caps_unref(caps);
  return info;
}

void check_layout(const GstVideoInfo& info, PackingChoice choice, const ViewLayout& wanted,
                  MemoryKind kind = MemoryKind::kSystem) {
  ViewLayout layout{Packing::kBatch, true};
  std::string reason;
  fail_unless(rdp::gst::find_view_layout(info, choice, kind, &layout, &reason), "%s",
              reason.c_str());
  fail_unless(layout == wanted);
}

void check_refused(const GstVideoInfo& info, PackingChoice choice, const char* part,
                   MemoryKind kind = MemoryKind::kSystem) {
  ViewLayout layout;
  std::string reason;
  fail_if(rdp::gst::find_view_layout(info, choice, kind, &layout, &reason), "%s", part);
  fail_unless(reason.find(part) != std::string::npos, "'%s' is not in: %s", part, reason.c_str());
  fail_unless(layout == ViewLayout{});
}

GstVideoInfo with_flags(const char* mode, guint flags) {
  GstVideoInfo info = parse(mode);
  GST_VIDEO_INFO_MULTIVIEW_FLAGS(&info) = static_cast<GstVideoMultiviewFlags>(flags);
  return info;
}

constexpr char kBeside[] = "multiview-mode=side-by-side";
constexpr char kAbove[] = "multiview-mode=top-bottom";

}  // namespace

CHECK_TEST(test_modes) {
  check_layout(parse(""), PackingChoice::kAuto, {});
  check_layout(parse("multiview-mode=mono"), PackingChoice::kAuto, {});
  check_layout(parse("multiview-mode=left"), PackingChoice::kAuto, {});
  check_layout(parse("multiview-mode=right"), PackingChoice::kAuto, {});
  check_layout(parse(kBeside), PackingChoice::kAuto, {Packing::kSideBySide});
  check_layout(parse(kAbove), PackingChoice::kAuto, {Packing::kTopBottom});
  for (const char* mode : {"frame-by-frame", "separated", "row-interleaved", "column-interleaved",
                           "checkerboard", "side-by-side-quincunx", "multiview-frame-by-frame"}) {
    const std::string field = std::string("multiview-mode=") + mode;
    const GstVideoInfo info = parse((field + ",views=2").c_str());
    check_refused(info, PackingChoice::kAuto, (field + ", which has").c_str());
    check_refused(info, PackingChoice::kAuto, "two streams to the pads left and right");
    // The property overrides the caps.
    check_layout(info, PackingChoice::kSideBySide, {Packing::kSideBySide});
    check_layout(info, PackingChoice::kTopBottom, {Packing::kTopBottom});
  }
  GstVideoInfo strange = parse("");
  GST_VIDEO_INFO_MULTIVIEW_MODE(&strange) = static_cast<GstVideoMultiviewMode>(40);
  check_refused(strange, PackingChoice::kAuto, "(unknown)");
}

CHECK_TEST(test_choice) {
  for (const char* mode : {"", "multiview-mode=mono", kBeside, kAbove}) {
    check_layout(parse(mode), PackingChoice::kSideBySide, {Packing::kSideBySide});
    check_layout(parse(mode), PackingChoice::kTopBottom, {Packing::kTopBottom});
    check_layout(parse(mode), PackingChoice::kBatch, {Packing::kBatch}, MemoryKind::kNvmm);
    check_refused(parse(mode), PackingChoice::kBatch, "the caps have system memory");
    check_refused(parse(mode), PackingChoice::kBatch, "the caps have CUDA memory",
                  MemoryKind::kCuda);
  }
}

CHECK_TEST(test_flags) {
  constexpr guint kFirst = GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_VIEW_FIRST;
  // As GStreamer writes it into caps, too.
  GstVideoInfo source = with_flags(kBeside, kFirst);
  GstCaps* caps = gst_video_info_to_caps(&source);
  GstVideoInfo read;
  fail_unless(gst_video_info_from_caps(&read, caps));
  gst_caps_unref(caps);
  check_layout(read, PackingChoice::kAuto, {Packing::kSideBySide, true});
  check_layout(with_flags(kAbove, kFirst), PackingChoice::kAuto, {Packing::kTopBottom, true});
  check_layout(with_flags(kAbove, kFirst), PackingChoice::kSideBySide,
               {Packing::kSideBySide, true});
  check_layout(with_flags("", kFirst), PackingChoice::kSideBySide, {Packing::kSideBySide, true});
  check_layout(with_flags("", kFirst), PackingChoice::kBatch, {Packing::kBatch, true},
               MemoryKind::kNvmm);
  struct Case {
    guint flag;
    const char* part;
    const char* remedy;
  };
  const Case cases[] = {
      {GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLIPPED,
       "left-flipped in multiview-flags: the left view is "
       "upside down",
       "videoflip"},
      {GST_VIDEO_MULTIVIEW_FLAGS_LEFT_FLOPPED,
       "left-flopped in multiview-flags: the left view is "
       "mirrored",
       "videoflip"},
      {GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLIPPED,
       "right-flipped in multiview-flags: the right view "
       "is upside down",
       "videoflip"},
      {GST_VIDEO_MULTIVIEW_FLAGS_RIGHT_FLOPPED,
       "right-flopped in multiview-flags: the right view "
       "is mirrored",
       "videoflip"},
      {GST_VIDEO_MULTIVIEW_FLAGS_HALF_ASPECT,
       "half-aspect in multiview-flags: the views are "
       "squeezed",
       "capssetter"},
      {GST_VIDEO_MULTIVIEW_FLAGS_MIXED_MONO, "mixed-mono in multiview-flags", "pairs only"},
      {0x100, "0x100 in multiview-flags, which is not known", "two streams"},
  };
  for (const Case& bad : cases) {
    for (const guint with : {0U, kFirst}) {
      for (const char* mode : {kBeside, kAbove}) {
        const GstVideoInfo info = with_flags(mode, bad.flag | with);
        check_refused(info, PackingChoice::kAuto, bad.part);
        check_refused(info, PackingChoice::kAuto, bad.remedy);
        check_refused(info, PackingChoice::kTopBottom, bad.part);
        check_refused(info, PackingChoice::kBatch, bad.part, MemoryKind::kNvmm);
      }
    }
    // With a single view, the flags mean nothing.
    check_layout(with_flags("multiview-mode=mono", bad.flag), PackingChoice::kAuto, {});
  }
}

CHECK_TEST(test_sizes) {
  struct Case {
    Packing packing;
    int width, height, view_width, view_height;  // 0: refused
  };
  const Case cases[] = {
      {Packing::kNone, 65, 49, 65, 49},       {Packing::kBatch, 65, 49, 65, 49},
      {Packing::kSideBySide, 64, 49, 32, 49}, {Packing::kSideBySide, 2, 1, 1, 1},
      {Packing::kSideBySide, 65, 48, 0, 0},   {Packing::kSideBySide, 1, 48, 0, 0},
      {Packing::kTopBottom, 65, 48, 65, 24},  {Packing::kTopBottom, 1, 2, 1, 1},
      {Packing::kTopBottom, 64, 49, 0, 0},    {Packing::kTopBottom, 64, 1, 0, 0},
  };
  for (const Case& c : cases) {
    int width = -1;
    int height = -1;
    std::string reason;
    const bool found =
        rdp::gst::find_view_size({c.packing}, c.width, c.height, &width, &height, &reason);
    fail_unless(found == (c.view_width != 0));
    g_autoptr(GstCaps) caps = gst_caps_new_simple(
        "video/x-raw", "format", G_TYPE_STRING, "NV12", "width", G_TYPE_INT, c.width, "height",
        G_TYPE_INT, c.height, "framerate", GST_TYPE_FRACTION, 30, 1, "multiview-mode",
        G_TYPE_STRING, "side-by-side", "views", G_TYPE_INT, 2, nullptr);
    gst_caps_set_features_simple(caps, gst_caps_features_new("memory:NVMM", nullptr));
    GstCaps* view = rdp::gst::view_caps_new(caps, {c.packing}, &reason);
    fail_unless((view != nullptr) == found);
    if (found) {
      fail_unless_equals_int(width, c.view_width);
      fail_unless_equals_int(height, c.view_height);
      g_autoptr(GstCaps) wanted = gst_caps_new_simple(
          "video/x-raw", "format", G_TYPE_STRING, "NV12", "width", G_TYPE_INT, width, "height",
          G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 30, 1, nullptr);
      gst_caps_set_features_simple(wanted, gst_caps_features_new("memory:NVMM", nullptr));
      fail_unless(gst_caps_is_strictly_equal(view, wanted));
      gst_caps_unref(view);
    } else {
      const bool beside = c.packing == Packing::kSideBySide;
      fail_unless(reason.find(beside ? "odd width" : "odd height") != std::string::npos);
      fail_unless(reason.find(beside ? "right=1" : "bottom=1") != std::string::npos);
    }
  }
  g_autoptr(GstCaps) caps = gst_caps_from_string("video/x-raw,format=GRAY8");
  std::string reason;
  fail_unless(rdp::gst::view_caps_new(caps, {Packing::kSideBySide}, &reason) == nullptr);
  fail_unless(reason.find("no width and height") != std::string::npos);
}

// A surface of noise for the host, with padded rows, and a made-up address for the device.
struct Frame {
  Frame(int width, int height, rdp::SampleType type, unsigned seed)
      : stride(width * rdp::bytes_per_sample(type) + 5),
        bytes(luma_frames::noise(stride, height, seed)) {
    surface.host = {reinterpret_cast<std::byte*>(bytes.data()), stride, width, height, type};
    surface.device = {0x1000, stride + 3, width, height, type};
  }
  int stride;
  std::vector<std::uint8_t> bytes;
  FrameSurface surface;
};

// Each sample of a view is the sample of the frame at this corner, in the same memory.
static void check_view(const FrameSurface& view, const FrameSurface& frame, int width, int height,
                       int x, int y) {
  const int sample = rdp::bytes_per_sample(frame.host.type);
  fail_unless(view.host.type == frame.host.type && view.device.type == frame.host.type);
  fail_unless(view.host.width == width && view.host.height == height);
  fail_unless(view.device.width == width && view.device.height == height);
  fail_unless(view.host.stride == frame.host.stride && view.device.pitch == frame.device.pitch);
  fail_unless(view.device.data == frame.device.data + static_cast<unsigned long long>(
                                                          y * frame.device.pitch + x * sample));
  for (int row = 0; row < height; ++row) {
    fail_unless(view.host.row(row) == frame.host.row(y + row) + x * sample);
    for (int column = 0; column < width; ++column) {
      fail_unless(view.host.at(row, column) == frame.host.at(y + row, x + column));
    }
  }
}

CHECK_TEST(test_halves) {
  for (const auto type : {rdp::SampleType::kU8, rdp::SampleType::kU16}) {
    for (const auto& size : {std::pair{64, 48}, std::pair{2, 2}, std::pair{34, 6}}) {
      const auto [w, h] = size;
      const Frame frame(w, h, type, 3);
      for (const bool right_first : {false, true}) {
        FrameSurface left, right;
        std::string reason;
        fail_unless(rdp::gst::split_views({&frame.surface, 1}, {Packing::kSideBySide, right_first},
                                          &left, &right, &reason));
        check_view(left, frame.surface, w / 2, h, right_first ? w / 2 : 0, 0);
        check_view(right, frame.surface, w / 2, h, right_first ? 0 : w / 2, 0);
        fail_unless(rdp::gst::split_views({&frame.surface, 1}, {Packing::kTopBottom, right_first},
                                          &left, &right, &reason));
        check_view(left, frame.surface, w, h / 2, 0, right_first ? h / 2 : 0);
        check_view(right, frame.surface, w, h / 2, 0, right_first ? 0 : h / 2);
      }
      // Mapped for one side only.
      FrameSurface left, right;
      std::string reason;
      FrameSurface one = frame.surface;
      one.host = {};
      fail_unless(rdp::gst::split_views({&one, 1}, {Packing::kSideBySide}, &left, &right, &reason));
      fail_unless(right.host.data == nullptr && right.device.data > left.device.data);
      fail_unless_equals_int(right.width(), w / 2);
      one = frame.surface;
      one.device = {};
      fail_unless(rdp::gst::split_views({&one, 1}, {Packing::kTopBottom}, &left, &right, &reason));
      fail_unless(right.device.data == 0 && right.host.data > left.host.data);
      fail_unless_equals_int(right.height(), h / 2);
    }
  }
}

CHECK_TEST(test_batches) {
  const Frame one(33, 21, rdp::SampleType::kU8, 1);
  const Frame two(33, 21, rdp::SampleType::kU8, 2);
  const Frame other(33, 20, rdp::SampleType::kU8, 2);
  const FrameSurface all[] = {one.surface, two.surface, one.surface};
  const std::span<const FrameSurface> surfaces(all);
  FrameSurface left, right;
  std::string reason;
  fail_unless(rdp::gst::split_views(surfaces.first(2), {Packing::kBatch}, &left, &right, &reason));
  check_view(left, one.surface, 33, 21, 0, 0);
  check_view(right, two.surface, 33, 21, 0, 0);
  fail_unless(
      rdp::gst::split_views(surfaces.first(2), {Packing::kBatch, true}, &left, &right, &reason));
  check_view(right, one.surface, 33, 21, 0, 0);
  check_view(left, two.surface, 33, 21, 0, 0);
  const auto refused = [&](std::span<const FrameSurface> of, Packing packing, const char* part) {
    fail_if(rdp::gst::split_views(of, {packing}, &left, &right, &reason), "%s", part);
    fail_unless(reason.find(part) != std::string::npos, "'%s' is not in: %s", part, reason.c_str());
  };
  refused(surfaces.first(1), Packing::kBatch, "the buffer has 1: set batch-size=2");
  refused(surfaces, Packing::kBatch, "the buffer has 3: set batch-size=2");
  refused({}, Packing::kBatch, "the buffer has 0");
  refused(surfaces.first(2), Packing::kSideBySide, "the buffer has 2: set packing=batch");
  refused({}, Packing::kTopBottom, "the buffer has 0");
  refused(surfaces.first(1), Packing::kNone, "one view alone");
  refused(surfaces.first(1), Packing::kSideBySide, "odd width");
  refused(surfaces.first(1), Packing::kTopBottom, "odd height");
  const FrameSurface mixed[] = {one.surface, other.surface};
  refused(mixed, Packing::kBatch, "33x21 and 33x20");
}

CHECK_CASE(packed_views)
