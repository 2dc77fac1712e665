// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/cloud_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include "gst/elements/base/open_error.h"

namespace rdp::gst {

void CloudFiles::start(const Choice& choice) {
  stop();
  choice_ = choice;
  found_floats_ = 0;
  number_ = choice_.start;
  any_ = ended_ = warned_ = false;
}

void CloudFiles::stop() {
  file_.close();
  loaded_ = std::vector<std::byte>();
}

void CloudFiles::read_header() {
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(file_.size(), clouds::kMaxHeaderBytes));
  std::byte* start = start_.ensure(clouds::kMaxHeaderBytes);
  file_.read(name_, 0, {start, size});
  clouds::FileFormat format = choice_.format;
  if (format == clouds::FileFormat::kAuto) format = clouds::find_format(name_, {start, size});
  guesses_floats_ = false;
  const unsigned floats = format == clouds::FileFormat::kKitti ? floats_of_point() : 0;
  clouds::read_header(name_, {start, size}, file_.size(), format, &header_, floats);
  body_ = clouds::body_of(header_, file_.size());
}

// Files of a sequence are alike: the first one that shows its floats decides for those that fit.
unsigned CloudFiles::floats_of_point() {
  if (choice_.point_floats > 0) return choice_.point_floats;
  const auto fits = [&](unsigned floats) { return file_.size() % (floats * sizeof(float)) == 0; };
  if (found_floats_ > 0 && fits(found_floats_)) return found_floats_;
  const clouds::FloatWindows windows = clouds::windows_of(file_.size());
  std::byte* bytes = start_.ensure(clouds::kMaxHeaderBytes);
  for (std::size_t i = 0; i < windows.count; ++i) {
    file_.read(name_, windows.offset(i), {bytes + i * windows.bytes, windows.bytes});
  }
  const auto floats = finder_.find({bytes, windows.count * windows.bytes}, windows.bytes);
  if (floats.decided) found_floats_ = floats.count;
  guesses_floats_ = !floats.decided && file_.size() > 0;
  return floats.count;
}

// Handles a missing number. True: the sequence begins anew.
bool CloudFiles::end_of_sequence(std::string* warning) {
  if (!warned_ && number_ < std::numeric_limits<int>::max()) {
    std::string following;
    choice_.pattern.write_name(number_ + 1, &following);
    if (access(following.c_str(), F_OK) == 0) {
      warned_ = true;
      *warning = "The sequence ends at \"" + name_ + "\", which is missing, but \"" + following +
                 "\" is there: expected numbers without a gap. Set stop-index to make a missing "
                 "file an error.";
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
    choice_.pattern.write_name(number_, &name_);
    const int problem = file_.open(name_.c_str());
    const bool may_end = any_ && choice_.pattern.has_number() && choice_.stop < 0;
    if (problem == ENOENT && may_end && number_ != choice_.start) {
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

void CloudFiles::load() {
  if (body_.in_place) return;
  std::vector<std::byte> points(bytes());
  read(points);
  loaded_ = std::move(points);
}

void CloudFiles::read(std::span<std::byte> out) {
  if (!loaded_.empty()) {
    std::copy(loaded_.begin(), loaded_.end(), out.begin());
    loaded_ = std::vector<std::byte>();
    return;
  }
  if (body_.in_place) {
    file_.read(name_, body_.offset, out);
    clouds::unpack_colours(body_, out);
    return;
  }
  const auto size = static_cast<std::size_t>(body_.size);
  std::byte* packed = packed_.ensure(size);
  file_.read(name_, body_.offset, {packed, size});
  decoder_.decode(name_, header_, body_, {packed, size}, out.data());
}

void CloudFiles::finish() {
  file_.close();
  any_ = true;
  const bool last = !choice_.pattern.has_number() || number_ == choice_.stop ||
                    number_ == std::numeric_limits<int>::max();
  if (!last) {
    ++number_;
  } else if (choice_.loop) {
    number_ = choice_.start;
  } else {
    ended_ = true;
  }
}

}  // namespace rdp::gst
