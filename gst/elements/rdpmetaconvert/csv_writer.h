// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMETACONVERT_CSV_WRITER_H_
#define RDP_GST_ELEMENTS_RDPMETACONVERT_CSV_WRITER_H_

#include <gst/gst.h>

#include <span>
#include <string>
#include <string_view>

#include "gst/elements/rdpmetaconvert/convert_enums.h"
#include "gst/elements/rdpmetaconvert/frame_list.h"

namespace rdp {

// Writes obstacles as CSV: the format of docs/rdpmetaconvert.md. Keeps its memory between frames.
class CsvWriter {
 public:
  // The lines for the frames of a buffer, all of which have obstacles; with the header before the
  // first. Valid until the next call. Throws std::bad_alloc and stays usable.
  std::string_view lines(std::span<const ConvertedFrame> frames, GstRdpCsvContent content,
                         GstClockTime pts);

 private:
  std::string text_;
  bool begun_ = false;
};

}  // namespace rdp

#endif  // RDP_GST_ELEMENTS_RDPMETACONVERT_CSV_WRITER_H_
