// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_FILE_PATTERN_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_FILE_PATTERN_H_

#include <string>

namespace rdp::gst {

// The names of files with a number: "scan-%06d.pcd". The first %d or %0Nd stands for it, %% is a
// percent sign, and any other is left as it is. Not printf's own: a location may come from outside.
bool has_number(const char* location);

// The name with that number, in *name, whose memory is used again.
void write_name(const char* location, int number, std::string* name);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_FILE_PATTERN_H_
