// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_MEMORY_FRAME_LAYOUT_H_
#define RDP_GST_MEMORY_FRAME_LAYOUT_H_

#include <gst/video/video.h>

#include <concepts>
#include <string>

#include "common/image/depth_view.h"

// Shared by the adapters of all kinds of memory: locates and validates a frame's samples in its
// buffer.
namespace rdp::gst {

enum class Access { kRead, kReadWrite };

// A memory adapter: maps a frame of one kind of memory during its own life, and gives engines a
// view of it. map() takes a buffer whose caps are `info`. False: *reason says what was expected and
// what came, nothing is mapped, and no sample was read.
template <typename Frame>
concept MemoryAdapter = requires(Frame frame, const Frame mapped, GstBuffer* buffer,
                                 const GstVideoInfo& info, Access access, std::string* reason) {
  { frame.map(buffer, info, access, reason) } -> std::same_as<bool>;
  frame.unmap();
  mapped.view();
};

// Offset of the first sample from the buffer's start and distance of rows, in bytes.
struct FrameLayout {
  gsize offset;
  gsize stride;
};

// True if the caps describe only a part of the picture in `buffer`: see find_frame_origin().
inline bool is_cropped(GstBuffer* buffer) {
  return gst_buffer_get_video_crop_meta(buffer) != nullptr;
}

// Top-left corner of a frame within its buffer's picture, in samples.
struct FrameOrigin {
  guint x = 0;
  guint y = 0;
};

// Finds the frame with caps `info` within the `width` × `height` picture in `buffer`, by its
// GstVideoCropMeta. Elements that crop in place leave the samples, add this meta, and send caps of
// its size. Without one the frame is the whole picture. `picture` names the picture in messages:
// "the buffer's surface". False: *reason says what was expected and what came.
bool find_frame_origin(GstBuffer* buffer, const GstVideoInfo& info, guint width, guint height,
                       const char* picture, FrameOrigin* origin, std::string* reason);

// Finds the frame's first byte in a plane, counted from the plane's start; rows are `stride` bytes
// apart. A frame that begins between pixels with shared chroma keeps that chroma, also of left and
// upper neighbours, for its first pixel. A copied crop does the same. False: in this format no byte
// of the plane begins with that pixel.
bool find_plane_origin(const GstVideoFormatInfo* format, guint plane, const FrameOrigin& origin,
                       gsize stride, gsize* bytes);

// True if frames may be cropped in place at any pixel: find_plane_origin() succeeds everywhere.
bool takes_any_crop(const GstVideoInfo& info);

// Finds the first plane of a frame with caps `info` in a buffer of `size` bytes. That is the only
// plane, or the luma of NV12 and I420, whose other planes are ignored. A GstVideoMeta locates the
// picture's samples, and is checked against the caps and the size. Without one the picture's layout
// is `bare`, which equals `info` for memory without its own layout. The frame is the part of the
// picture in its GstVideoCropMeta, or all of it. False: *reason says what was expected and what
// came. Reads no sample.
bool find_frame_layout(GstBuffer* buffer, gsize size, const GstVideoInfo& info,
                       const GstVideoInfo& bare, FrameLayout* layout, std::string* reason);

// Describes a buffer of `size` bytes, without a GstVideoMeta, that is too small for a frame with
// caps `info` and layout `bare`, as in find_frame_layout(). For rows without padding, as in numpy
// and OpenCV, it adds a remedy.
std::string too_small_text(const GstVideoInfo& info, const GstVideoInfo& bare, gsize size);

// Returns the factor, 2 to 4, if a buffer in system memory is exactly that many one-plane frames
// large, with padded rows or without. Its format is likely not that of the caps. 0: no such factor,
// or a GstVideoMeta locates the frame. Other large buffers are valid, because pools and drivers
// round sizes up.
int times_too_large(GstBuffer* buffer, const GstVideoInfo& info);

// True if only the luma of frames is read. The first plane has one byte per pixel and the frame's
// size; the other planes are ignored.
inline bool is_luma_of_colour(const GstVideoInfo& info) {
  return GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_NV12 ||
         GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_I420;
}

// True if a pixel is several bytes of one plane, which are read as 8-bit samples: RGB, BGR, RGBA,
// BGRA.
inline bool is_packed_colour(const GstVideoInfo& info) {
  return GST_VIDEO_INFO_N_PLANES(&info) == 1 && GST_VIDEO_INFO_N_COMPONENTS(&info) >= 3;
}

// Samples in a row of a frame's first plane.
inline int samples_of_row(const GstVideoInfo& info) {
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  return is_packed_colour(info) ? width * GST_VIDEO_INFO_COMP_PSTRIDE(&info, 0) : width;
}

// Finds the chroma plane of an NV12 frame in a buffer of `size` bytes, after find_frame_layout()
// has found the luma. False: *reason says what was expected and what came.
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
