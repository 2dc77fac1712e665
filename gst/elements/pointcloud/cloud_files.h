// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_FILES_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_FILES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/clouds/cloud_body.h"
#include "common/clouds/cloud_header.h"
#include "common/clouds/input_file.h"
#include "common/clouds/point_floats.h"
#include "common/image/grow_buffer.h"
#include "gst/elements/pointcloud/file_pattern.h"

namespace rdp::gst {

// Reads point cloud files one after the other. Belongs to one thread. Keeps its memory, so that
// files of equal size need no allocation.
class CloudFiles {
 public:
  struct Choice {
    FilePattern pattern;
    clouds::FileFormat format = clouds::FileFormat::kAuto;
    int start = 0;
    int stop = -1;  // -1: up to the first number that is missing
    bool loop = false;
    unsigned point_floats = 0;  // of raw files; 0: detected
  };

  void start(const Choice& choice);
  void stop();

  // Opens the next file, unless one is open, and reads its header. False: there are no more.
  // *warning describes a suspicious end of the sequence, or is empty. Throws OpenError, CloudError,
  // std::bad_alloc.
  bool open_next(std::string* warning);

  // True if there may be more than one file.
  bool several() const { return choice_.loop || choice_.pattern.has_number(); }

  // About the file that is open.
  const std::string& name() const { return name_; }
  int number() const { return number_; }
  const clouds::CloudHeader& header() const { return header_; }
  const clouds::CloudBody& body() const { return body_; }
  // True if the floats per point of this raw file are a guess, because nothing tells them.
  bool guesses_floats() const { return guesses_floats_; }
  std::size_t bytes() const {  // of its points, as read() gives them
    return body_.in_place ? body_.size : header_.points * body_.step;
  }
  // Reads points that need conversion ahead, so that faults in the file are reported now; the next
  // read() returns them. Throws CloudError, std::bad_alloc.
  void load();
  // Reads the points into `out`, which has as many bytes. Throws CloudError, std::bad_alloc.
  void read(std::span<std::byte> out);
  // Goes on to the next file.
  void finish();

 private:
  void read_header();
  unsigned floats_of_point();
  bool end_of_sequence(std::string* warning);

  Choice choice_;
  int number_ = 0;
  bool any_ = false;  // a file was read
  bool ended_ = false;
  bool warned_ = false;
  std::string name_;
  clouds::InputFile file_;
  clouds::CloudHeader header_;
  clouds::CloudBody body_;
  clouds::CloudDecoder decoder_;
  clouds::PointFloatsFinder finder_;
  unsigned found_floats_ = 0;  // of raw files; 0: not yet
  bool guesses_floats_ = false;
  GrowBuffer<std::byte> start_;
  GrowBuffer<std::byte> packed_;
  std::vector<std::byte> loaded_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_FILES_H_
