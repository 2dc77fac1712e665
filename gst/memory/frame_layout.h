// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_FRAME_LAYOUT_H_
#define RDP_GST_MEMORY_FRAME_LAYOUT_H_

#include <gst/video/video.h>

#include <concepts>
#include <string>

#include "common/image/depth_view.h"

// Shared by the adapters of all kinds of memory: finds the samples of a frame in its buffer, and
// checks them.
namespace rdp::gst {

enum class Access { kRead, kReadWrite };

// A memory adapter: maps a frame of one kind of memory for as long as it lives, and shows it as the
// view that the engines work on. map() takes a buffer whose caps are `info`; false: *reason says
// what was expected and what came, nothing is mapped, and no sample has been touched.
template <typename Frame>
concept MemoryAdapter = requires(Frame frame, const Frame mapped, GstBuffer* buffer,
                                 const GstVideoInfo& info, Access access, std::string* reason) {
  { frame.map(buffer, info, access, reason) } -> std::same_as<bool>;
  frame.unmap();
  mapped.view();
};

// The first sample's offset from the start of the buffer and the distance of rows, in bytes.
struct FrameLayout {
  gsize offset;
  gsize stride;
};

// True if the caps describe a part of the picture that `buffer` holds: see find_frame_origin().
inline bool is_cropped(GstBuffer* buffer) {
  return gst_buffer_get_video_crop_meta(buffer) != nullptr;
}

// The corner of a frame within the picture that its buffer holds, in samples.
struct FrameOrigin {
  guint x = 0;
  guint y = 0;
};

// Finds the frame whose caps are `info` within the picture of `width` × `height` samples that
// `buffer` holds. A GstVideoCropMeta says where it is: elements that crop in place leave the
// samples where they are, add it, and send caps of its size. Without one the frame is the whole
// picture. `picture` names it in messages: "the buffer's surface". False: *reason says what was
// expected and what came.
bool find_frame_origin(GstBuffer* buffer, const GstVideoInfo& info, guint width, guint height,
                       const char* picture, FrameOrigin* origin, std::string* reason);

// Finds where a frame begins in a plane of its picture, in bytes from the plane's start, whose rows
// are `stride` bytes apart. Pixels that share their chroma share that of the first one's left and
// upper neighbours, too, if the frame begins between them: as where the crop is copied. False: in
// this format no byte of the plane begins with that pixel.
bool find_plane_origin(const GstVideoFormatInfo* format, guint plane, const FrameOrigin& origin,
                       gsize stride, gsize* bytes);

// True if frames may be cropped in place at any pixel: find_plane_origin() succeeds everywhere.
bool takes_any_crop(const GstVideoInfo& info);

// Finds the first plane of a frame whose caps are `info` in a buffer of `size` bytes: the only one,
// or the luma of NV12 and I420, whose other planes are not looked at. A GstVideoMeta decides where
// the samples of the picture are; what it says is checked against the caps and the size. Without
// one the picture and its layout are those of `bare`, which is `info` for memory that has no layout
// of its own. Of the picture, the frame is what a GstVideoCropMeta says, or all of it. False:
// *reason says what was expected and what came. Reads no sample.
bool find_frame_layout(GstBuffer* buffer, gsize size, const GstVideoInfo& info,
                       const GstVideoInfo& bare, FrameLayout* layout, std::string* reason);

// The fault of a buffer of `size` bytes, without a GstVideoMeta, that is too small for a
// frame whose caps are `info` and whose layout is `bare`, as in find_frame_layout(). Rows without
// padding, as numpy and OpenCV have them, get a remedy of their own.
std::string too_small_text(const GstVideoInfo& info, const GstVideoInfo& bare, gsize size);

// The factor, 2 to 4, if a buffer in system memory has exactly so many times the bytes of a frame
// of one plane, with padded rows or without: likely it is in another format than its caps. 0: it
// has not, or a GstVideoMeta says where the frame is. Other larger buffers are no fault: pools and
// drivers round sizes up.
int times_too_large(GstBuffer* buffer, const GstVideoInfo& info);

// True if frames are read by their luma alone: the first plane has one byte a pixel and the frame's
// size, and the other planes are ignored.
inline bool is_luma_of_colour(const GstVideoInfo& info) {
  return GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_NV12 ||
         GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_I420;
}

// True if a pixel is several bytes of one plane, which are read as samples of 8 bits each: RGB,
// BGR, RGBA, BGRA.
inline bool is_packed_colour(const GstVideoInfo& info) {
  return GST_VIDEO_INFO_N_PLANES(&info) == 1 && GST_VIDEO_INFO_N_COMPONENTS(&info) >= 3;
}

// Samples in a row of a frame's first plane.
inline int samples_of_row(const GstVideoInfo& info) {
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  return is_packed_colour(info) ? width * GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0) : width;
}

// The chroma plane of a frame of NV12 in a buffer of `size` bytes, as find_frame_layout() finds the
// luma, which has been found. False: *reason says what was expected and what came.
bool find_chroma_layout(GstBuffer* buffer, gsize size, const GstVideoInfo& info,
                        FrameLayout* layout, std::string* reason);

// The sample type of colours, GRAY8, GRAY16_LE, and the luma of NV12 and I420.
inline SampleType sample_type(const GstVideoInfo& info) {
  return GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_GRAY16_LE ? SampleType::kU16
                                                                    : SampleType::kU8;
}

// printf into a string.
std::string format_text(const char* format, ...) G_GNUC_PRINTF(1, 2);
// A number as in a launch line, with a point in every locale.
std::string number_text(double value, const char* format = "%.9g");

}  // namespace rdp::gst

#endif  // RDP_GST_MEMORY_FRAME_LAYOUT_H_
