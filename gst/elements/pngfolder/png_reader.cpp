// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pngfolder/png_reader.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include "gst/elements/base/open_error.h"

namespace rdp::gst {
namespace {

// Above the size of any sensible picture of kMaxPngSide.
constexpr std::uint64_t kMaxFileBytes = 1U << 30;

// A file in memory, and what libpng says of it.
struct Reading {
  const std::byte* bytes;
  std::size_t left;
  char wrong[160];
};

struct Rows {
  PngHeader header;
  png_bytep first;
  std::ptrdiff_t stride;
};

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
  auto* reading = static_cast<Reading*>(png_get_error_ptr(png));
  std::strncpy(reading->wrong, text, sizeof(reading->wrong) - 1);
  png_longjmp(png, 1);
}

// Ignores warnings, such as of a palette with colours that nobody uses: they do not stop the
// decoder.
void on_warning(png_structp, png_const_charp) {}

void give_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* reading = static_cast<Reading*>(png_get_io_ptr(png));
  if (count > reading->left) png_error(png, "it ends too early");
  std::memcpy(out, reading->bytes, count);
  reading->bytes += count;
  reading->left -= count;
}

png_voidp allocate_block(png_structp png, png_alloc_size_t size) {
  return static_cast<RecycledBlocks*>(png_get_mem_ptr(png))->take(size);
}

void give_block(png_structp png, png_voidp block) {
  static_cast<RecycledBlocks*>(png_get_mem_ptr(png))->give(block);
}

// libpng may leave it with longjmp(): nothing here has a destructor.
[[gnu::noinline]] void read_rows(png_structp png, png_infop info, const Rows& rows) {
  // Checksums were checked before. Display data (gamma, profiles) is ignored: samples are
  // measurements.
  png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
#endif
  png_set_user_limits(png, kMaxPngSide, kMaxPngSide);
  png_read_info(png, info);
  png_set_expand(png);
  png_set_strip_alpha(png);
  if (std::endian::native == std::endian::little) png_set_swap(png);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != rows.header.row_bytes()) {
    png_error(png, "its rows have another size than its header says");
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (int row = 0; row < rows.header.height; ++row) {
      png_read_row(png, rows.first + row * rows.stride, nullptr);
    }
  }
}

// A separate function: variables of a caller that change between setjmp() and longjmp() are
// undefined.
[[gnu::noinline]] bool has_read_rows(png_structp png, png_infop info, const Rows& rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  read_rows(png, info, rows);
  return true;
}

}  // namespace

std::size_t PngReader::open(const std::string& path) {
  loaded_ = false;
  path_ = path;
  if (const int problem = file_.open(path.c_str()); problem != 0) throw OpenError(path, problem);
  return static_cast<std::size_t>(std::min(file_.size(), kMaxFileBytes + 1));
}

PngHeader PngReader::header_of(const std::string& path) {
  const std::size_t size = std::min(open(path), kPngHeaderBytes);
  std::byte start[kPngHeaderBytes];
  file_.read(path, 0, {start, size});
  file_.close();
  return read_png_header(path, {start, size});
}

const PngHeader& PngReader::load(const std::string& path) {
  size_ = open(path);
  std::byte start[kPngHeaderBytes];
  const std::size_t head = std::min(size_, kPngHeaderBytes);
  file_.read(path, 0, {start, head});
  header_ = read_png_header(path, {start, head});
  if (size_ > kMaxFileBytes) {
    throw PngError(in_quotes(path) + " has " + std::to_string(file_.size()) +
                   " bytes, expected at most " + std::to_string(kMaxFileBytes) +
                   ". Write it again with the picture alone.");
  }
  std::byte* bytes = bytes_.ensure(size_);
  file_.read(path, 0, {bytes, size_});
  file_.close();
  check_png_chunks(path, {bytes, size_});
  loaded_ = true;
  return header_;
}

const PngHeader& PngReader::load(const std::string& name, std::span<const std::byte> bytes) {
  loaded_ = false;
  path_ = name;
  size_ = bytes.size();
  header_ = read_png_header(name, bytes.first(std::min(size_, kPngHeaderBytes)));
  std::ranges::copy(bytes, bytes_.ensure(size_));
  check_png_chunks(name, bytes);
  loaded_ = true;
  return header_;
}

void PngReader::decode(std::byte* first, std::ptrdiff_t stride) {
  Reading reading = {bytes_.data(), size_, ""};
  const Rows rows = {header_, reinterpret_cast<png_bytep>(first), stride};
  png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning,
                                             &blocks_, allocate_block, give_block);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  bool complete = false;
  if (info != nullptr) {
    png_set_read_fn(png, &reading, give_bytes);
    complete = has_read_rows(png, info, rows);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  const bool ran_out = blocks_.ran_out();
  blocks_.settle();
  if (complete) return;
  if (ran_out) throw std::bad_alloc();
  throw PngError(in_quotes(path_) + " cannot be decoded: expected " +
                 std::to_string(header_.width) + "x" + std::to_string(header_.height) +
                 " pixels, got \"" + reading.wrong + "\" from libpng. Write it again.");
}

void PngReader::forget() {
  loaded_ = false;
  file_.close();
  bytes_ = {};
  blocks_.free_all();
}

}  // namespace rdp::gst
