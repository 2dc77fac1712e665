/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_HULL_PLY_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_HULL_PLY_H_

#include <gst/rdpsegment/rdpplanes.h>

#include <array>
#include <cstddef>
#include <span>

namespace rdp::meta {

/* The planes of one frame or cloud, to be written as PLY. They must outlive the writer. */
struct HullSource {
  const GstRdpPlanesInfo* info = nullptr;
  std::span<const GstRdpPlane> planes;
  std::span<const GstRdpPlaneCorner> corners;
  /* For the header's comments, which are left out where these are unset. */
  GstClockTime pts = GST_CLOCK_TIME_NONE;
  bool of_batch = false;
  guint batch_index = 0;
};

/* Writes hulls as a PLY of the binary little-endian format, as gst_rdp_planes_to_ply() describes
 * it, for the library and the plugin. Allocates nothing. */
class HullPly {
 public:
  explicit HullPly(const HullSource& source);

  /* The size in bytes; 0 if there are more corners than a PLY can number. */
  std::size_t size() const { return size_; }
  void write(char* out) const;

 private:
  HullSource source_;
  std::size_t vertices_ = 0;
  std::size_t size_ = 0;
  std::size_t header_size_ = 0;
  std::array<char, 640> header_;
};

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_HULL_PLY_H_ */
