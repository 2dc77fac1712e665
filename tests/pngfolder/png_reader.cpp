// SPDX-License-Identifier: LGPL-2.1-or-later
// Samples of all kinds of PNG files, and files damaged at any offset.
#include "gst/elements/pngfolder/png_reader.h"

#include <cstring>

#include "gst/elements/base/open_error.h"
#include "tests/pngfolder/png_bytes.h"

// After the standard library: check.h defines a macro named fail.
#include "tests/support/check_test.h"
#include "tests/support/pipeline_rig.h"
#include "tests/support/temporary_files.h"

using namespace rdp::test;
using rdp::gst::PngClass;
using rdp::gst::PngReader;

namespace {

struct Kind {
  int colour, bits;
  PngClass png_class;
};
constexpr Kind kKinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1, PngClass::kGray8},
    {PNG_COLOR_TYPE_GRAY, 2, PngClass::kGray8},
    {PNG_COLOR_TYPE_GRAY, 4, PngClass::kGray8},
    {PNG_COLOR_TYPE_GRAY, 8, PngClass::kGray8},
    {PNG_COLOR_TYPE_GRAY, 16, PngClass::kGray16},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 8, PngClass::kGray8},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16, PngClass::kGray16},
    {PNG_COLOR_TYPE_PALETTE, 1, PngClass::kColour},
    {PNG_COLOR_TYPE_PALETTE, 2, PngClass::kColour},
    {PNG_COLOR_TYPE_PALETTE, 4, PngClass::kColour},
    {PNG_COLOR_TYPE_PALETTE, 8, PngClass::kColour},
    {PNG_COLOR_TYPE_RGB, 8, PngClass::kColour},
    {PNG_COLOR_TYPE_RGBA, 8, PngClass::kColour},
};

constexpr std::uint8_t kGuard = 0xa5;

// The samples that the reader returns; fails if it writes outside of its buffer.
std::vector<std::uint8_t> samples_in(PngReader* reader) {
  const std::size_t row = reader->header().row_bytes();
  const std::size_t stride = row + 13;
  std::vector<std::uint8_t> memory(stride * static_cast<std::size_t>(reader->header().height),
                                   kGuard);
  reader->decode(reinterpret_cast<std::byte*>(memory.data()), static_cast<std::ptrdiff_t>(stride));
  std::vector<std::uint8_t> samples;
  for (std::size_t at = 0; at < memory.size(); at += stride) {
    const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(at);
    samples.insert(samples.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
    for (std::size_t i = row; i < stride; ++i) fail_unless(memory[at + i] == kGuard);
  }
  return samples;
}

// The error for a file; "" if it is valid.
std::string complaint_about(PngReader* reader, const std::string& path) {
  try {
    reader->load(path);
    samples_in(reader);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// The number in the chunk at `at` that says how long it is, and the checksum behind it.
std::string with_chunk(const std::string& file, const char* type, const std::string& data) {
  png_byte length[4];
  png_save_uint_32(length, static_cast<png_uint_32>(data.size()));
  std::string summed = type + data;
  std::uint32_t sum = 0xffffffffU;
  for (const char c : summed) {
    sum ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320U : 0U);
  }
  png_byte check[4];
  png_save_uint_32(check, ~sum);
  // Replaces everything between the header and the end.
  return file.substr(0, 33) + std::string(reinterpret_cast<char*>(length), 4) + summed +
         std::string(reinterpret_cast<char*>(check), 4) + file.substr(file.size() - 12);
}

}  // namespace

CHECK_TEST(test_every_kind) {
  Folder folder;
  PngReader reader;
  int files = 0;
  for (const Kind& kind : kKinds) {
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {8, 8}, {17, 5}, {61, 43}}) {
      for (const bool interlaced : {false, true}) {
        for (const bool decorated : {false, true}) {
          const PngPicture picture = {.width = width,
                                      .height = height,
                                      .bits = kind.bits,
                                      .colour = kind.colour,
                                      .interlaced = interlaced,
                                      .decorated = decorated,
                                      .seed = static_cast<std::uint32_t>(width + kind.bits)};
          // Unique names: GLib syncs the disk when it overwrites a file.
          const std::string path = folder.write(std::to_string(++files) + ".png", picture.file());
          fail_unless(reader.header_of(path).png_class == kind.png_class);
          const rdp::gst::PngHeader& header = reader.load(path);
          fail_unless(header.width == width && header.height == height);
          fail_unless(header.png_class == kind.png_class);
          fail_unless(samples_in(&reader) == picture.samples(),
                      "colour type %d, %d bits, %dx%d, interlaced %d, decorated %d", kind.colour,
                      kind.bits, width, height, interlaced, decorated);
        }
      }
    }
  }
}

// A file truncated anywhere, or with any byte changed, causes an error with its name.
CHECK_TEST(test_damaged_anywhere) {
  Folder folder;
  PngReader reader;
  for (const bool interlaced : {false, true}) {
    const std::string good = PngPicture{.interlaced = interlaced}.file();
    const auto name = [&](std::size_t number, const char* end) {
      return (interlaced ? "i" : "") + std::to_string(number) + end;
    };
    for (std::size_t size = 0; size < good.size(); ++size) {
      const std::string said =
          complaint_about(&reader, folder.write(name(size, "-cut.png"), good.substr(0, size)));
      check_has(said, "-cut.png\" is ");
      check_has(said, size < 8 ? "got " : "expected ");
      check_has(said, size == 0 ? "no PNG" : "cut off");
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x21);
      const std::string said = complaint_about(&reader, folder.write(name(at, "-bad.png"), bad));
      check_has(said, "-bad.png\" ");
      check_has(said, "expected ");
    }
    fail_unless(complaint_about(&reader, folder.write("good.png", good)).empty());
    // Data after its end is ignored.
    fail_unless(complaint_about(&reader, folder.write("more.png", good + "more")).empty());
  }
}

CHECK_TEST(test_errors) {
  Folder folder;
  PngReader reader;
  const std::string good = PngPicture().file();
  const struct {
    std::string file;
    const char *first, *second;
  } cases[] = {
      {"hello", "no PNG: expected it to start with 89 50 4e 47 0d 0a 1a 0a, got 68 65 6c 6c 6f",
       "set location to a pattern"},
      {good.substr(0, 40), "cut off: expected ", "Copy or write it again"},
      {PngPicture{.colour = PNG_COLOR_TYPE_RGB}.file(), "has 16 bits for each of red, green",
       "Convert it to 8 bits"},
      {PngPicture{.colour = PNG_COLOR_TYPE_RGBA}.file(), "has 16 bits for each", "pngdec"},
      {PngPicture{.width = 16385, .height = 1}.file(), "is 16385x1, expected 1 to 16384", "scale"},
      {PngPicture{.width = 1, .height = 16385}.file(), "is 1x16385", "expected 1 to 16384"},
      // Valid checksums, but invalid samples.
      {with_chunk(good, "IDAT", "no samples"), "cannot be decoded: expected 5x4 pixels, got \"",
       "Write it again"},
      {with_chunk(good, "tEXt", "a\0b"), "cannot be decoded", "libpng"},
  };
  for (const auto& c : cases) {
    const std::string path = folder.write("a.png", c.file);
    const std::string said = complaint_about(&reader, path);
    check_has(said, ("\"" + path + "\" ").c_str());
    check_has(said, c.first);
    check_has(said, c.second);
  }
  try {
    reader.load(folder.path() + "/nothing.png");
    fail_unless(false, "it is not there");
  } catch (const rdp::gst::OpenError& error) {
    check_has(error.what(), "nothing.png\": No such file");
  }
  // The reader continues with the next file.
  fail_unless(complaint_about(&reader, folder.write("a.png", good)).empty());
}

// A returned block is reused, and freed if no longer needed.
CHECK_TEST(test_blocks) {
  rdp::gst::RecycledBlocks blocks;
  void* first = blocks.take(100);
  std::memset(first, 1, 100);
  void* second = blocks.take(200);
  fail_unless(first != nullptr && second != nullptr && !blocks.ran_out());
  blocks.give(first);
  blocks.give(nullptr);
  fail_unless(blocks.take(100) == first);
  blocks.give(first);
  blocks.give(second);
  blocks.settle();
  fail_unless(blocks.take(200) == second);
  blocks.give(second);
  blocks.settle();
  fail_unless(blocks.take(200) == second);
  blocks.give(second);
  fail_unless(blocks.take(std::size_t{1} << 62) == nullptr && blocks.ran_out());
  blocks.settle();
  fail_unless(!blocks.ran_out());
}

CHECK_CASE(png_reader)
