// SPDX-License-Identifier: LGPL-2.1-or-later
// PNG files of arbitrary bytes: the reader writes all samples and nothing beside them, or returns
// an error that names the file and the expectation.
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "gst/elements/pngfolder/png_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kMaxPixels = 1 << 20;  // of pictures that are decoded here
constexpr std::size_t kGap = 5;      // between rows

// Recomputes checksums, which almost never match changed bytes; libpng would refuse the bytes.
void mend_checksums(Bytes* file) {
  const auto number_at = [&](std::size_t at) {
    return std::size_t{(*file)[at]} << 24 | std::size_t{(*file)[at + 1]} << 16 |
           std::size_t{(*file)[at + 2]} << 8 | (*file)[at + 3];
  };
  for (std::size_t at = 8; at + 12 <= file->size();) {
    const std::size_t size = number_at(at);
    if (size > file->size() - at - 12) return;
    const auto sum = crc32(0, file->data() + at + 4, static_cast<uInt>(4 + size));
    for (std::size_t i = 0; i < 4; ++i) {
      (*file)[at + 8 + size + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
    }
    at += 12 + size;
  }
}

// A file that is in memory alone.
class MemoryFile {
 public:
  explicit MemoryFile(const Bytes& bytes) : file_(memfd_create("picture", MFD_CLOEXEC)) {
    FUZZ_CHECK(file_ >= 0 &&
                   write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
               "%zu bytes", bytes.size());
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

// The samples, in memory that had these bytes before.
Bytes decoded(rdp::gst::PngReader* reader, std::uint8_t before) {
  const std::size_t row = reader->header().row_bytes();
  const auto height = static_cast<std::size_t>(reader->header().height);
  Bytes memory((row + kGap) * height, before);
  reader->decode(reinterpret_cast<std::byte*>(memory.data()),
                 static_cast<std::ptrdiff_t>(row + kGap));
  Bytes samples;
  for (std::size_t i = 0; i < height; ++i) {
    const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(i * (row + kGap));
    const auto end = begin + static_cast<std::ptrdiff_t>(row);
    samples.insert(samples.end(), begin, end);
    FUZZ_CHECK(std::all_of(end, end + kGap, [=](std::uint8_t b) { return b == before; }),
               "row %zu goes on", i);
  }
  return samples;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The last byte decides if checksums are recomputed: a seed is a file plus one byte.
  if (size == 0) return 0;
  const bool mended = (data[--size] & 1) != 0;
  Bytes bytes(data, data + size);
  if (mended) mend_checksums(&bytes);
  const MemoryFile file(bytes);
  // Reused for each input, as in the element.
  static rdp::gst::PngReader reader;
  try {
    const rdp::gst::PngHeader header = reader.load(file.path());
    if (header.width * header.height > kMaxPixels) return 0;
    FUZZ_CHECK(decoded(&reader, 0x00) == decoded(&reader, 0xff), "%dx%d", header.width,
               header.height);
  } catch (const std::exception& error) {
    FUZZ_CHECK(std::strstr(error.what(), file.path().c_str()) != nullptr, "%s", error.what());
    FUZZ_CHECK(std::strstr(error.what(), "expected") != nullptr, "%s", error.what());
  }
  return 0;
}
