// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/cloud_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "gst/elements/base/open_error.h"
#include "gst/elements/pointcloud/file_pattern.h"

namespace rdp::gst {

void CloudFiles::start(const Choice& choice) {
  choice_ = choice;
  sequence_ = has_number(choice_.location.c_str());
  number_ = sequence_ ? choice_.start : 0;
  any_ = ended_ = warned_ = false;
}

void CloudFiles::stop() { file_.close(); }

void CloudFiles::read_header() {
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(file_.size(), clouds::kMostHeaderBytes));
  std::byte* start = start_.ensure(clouds::kMostHeaderBytes);
  file_.read(name_, 0, {start, size});
  clouds::read_header(name_, {start, size}, file_.size(), choice_.format, &header_);
  body_ = clouds::body_of(header_, file_.size());
}

// A number that is missing. True: the sequence begins anew.
bool CloudFiles::end_of_sequence(std::string* warning) {
  if (!warned_ && number_ < std::numeric_limits<int>::max()) {
    std::string following;
    write_name(choice_.location.c_str(), number_ + 1, &following);
    if (access(following.c_str(), F_OK) == 0) {
      warned_ = true;
      *warning = "The sequence ends at \"" + name_ + "\", which is missing, but \"" + following +
                 "\" is there: expected numbers without a gap, or a stop-index to be told where "
                 "one is missing.";
    }
  }
  number_ = choice_.start;
  ended_ = !choice_.loop;
  return choice_.loop;
}

bool CloudFiles::open_next(std::string* warning) {
  warning->clear();
  while (!file_.is_open()) {
    if (ended_) return false;
    write_name(choice_.location.c_str(), number_, &name_);
    const int problem = file_.open(name_.c_str());
    if (problem == ENOENT && any_ && sequence_ && choice_.stop < 0 && number_ != choice_.start) {
      if (!end_of_sequence(warning)) return false;
      continue;
    }
    if (problem != 0) {
      throw OpenError(name_, problem);
    }
    try {
      read_header();
    } catch (...) {
      file_.close();
      throw;
    }
  }
  return true;
}

void CloudFiles::read(std::span<std::byte> out) {
  if (body_.in_place) return file_.read(name_, body_.offset, out);
  const auto size = static_cast<std::size_t>(body_.size);
  std::byte* packed = packed_.ensure(size);
  file_.read(name_, body_.offset, {packed, size});
  decoder_.decode(name_, header_, body_, {packed, size}, out.data());
}

void CloudFiles::finish() {
  file_.close();
  any_ = true;
  const bool last =
      !sequence_ || number_ == choice_.stop || number_ == std::numeric_limits<int>::max();
  if (!last) {
    ++number_;
  } else if (choice_.loop) {
    number_ = sequence_ ? choice_.start : 0;
  } else {
    ended_ = true;
  }
}

}  // namespace rdp::gst
