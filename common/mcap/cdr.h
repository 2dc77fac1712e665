// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_CDR_H_
#define RDP_COMMON_MCAP_CDR_H_

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Messages of ROS 2 as bytes: XCDR1, little-endian. The writer, the reader and the schema texts
// know a structure of messages.h by its fields only.
namespace rdp::ros {

// The bytes of a message do not fit its type. what() names the field.
class CdrError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The fields of a message, in its order. Members have the names that fields have in ROS.
#define RDP_ROS_FIELDS(...) RDP_ROS_NAMED_FIELDS(#__VA_ARGS__, __VA_ARGS__)
// The same, with the names of ROS.
#define RDP_ROS_NAMED_FIELDS(names, ...)          \
  static constexpr const char* kNames = names;    \
  auto fields() { return std::tie(__VA_ARGS__); } \
  auto fields() const { return std::tie(__VA_ARGS__); }

// A name ends with its text, or with the comma before the next one.
inline std::string_view first_name(const char* names) {
  const std::string_view all = names;
  return all.substr(0, all.find(','));
}

// Calls code(name, member) with each field.
template <typename Message, typename Coder>
void code_fields(Message& message, Coder& code) {
  const char* names = Message::kNames;
  const auto step = [&](auto& member) {
    code(names, member);
    names += first_name(names).size();
    if (*names != '\0') names += 2;  // the blank, too
  };
  std::apply([&](auto&... members) { (step(members), ...); }, message.fields());
}

// A sequence of numbers, or of structures of equal numbers, that lies elsewhere, at any address.
template <typename T>
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::span<const T> elements) : bytes_(std::as_bytes(elements)) {}
  static Packed of_bytes(std::span<const std::byte> bytes) {
    Packed packed;
    packed.bytes_ = bytes;
    return packed;
  }
  std::size_t size() const { return bytes_.size() / sizeof(T); }
  std::span<const std::byte> bytes() const { return bytes_; }
  T operator[](std::size_t i) const {
    T element;
    std::memcpy(&element, bytes_.data() + i * sizeof(T), sizeof(T));
    return element;
  }

 private:
  std::span<const std::byte> bytes_;
};

// The pixels or records of a message: rows that may have gaps between them. Gaps are not written. A
// blob that was read is one row.
struct Blob {
  const std::byte* data = nullptr;
  std::size_t row_bytes = 0;
  std::size_t rows = 1;
  std::size_t stride = 0;

  static Blob of(std::span<const std::byte> bytes) {
    return {.data = bytes.data(), .row_bytes = bytes.size()};
  }
  std::size_t size() const { return row_bytes * rows; }
  std::span<const std::byte> bytes() const { return {data, size()}; }  // of what was read
  void append_to(std::vector<std::span<const std::byte>>* pieces) const {
    if (stride == row_bytes || rows == 1) {
      pieces->emplace_back(data, size());
      return;
    }
    for (std::size_t y = 0; y < rows; ++y) pieces->emplace_back(data + y * stride, row_bytes);
  }
};

namespace cdr {

template <typename T>
concept Number = std::is_arithmetic_v<T> || std::same_as<T, std::byte>;

// A packed sequence is of numbers of one size: of `T` itself, or of its member type `Element`.
template <typename T>
struct ElementOf {
  using Type = typename T::Element;
};
template <Number T>
struct ElementOf<T> {
  using Type = T;
};

inline constexpr std::array<std::byte, 4> kHead = {std::byte{0}, std::byte{1}, std::byte{0},
                                                   std::byte{0}};

}  // namespace cdr

// Writes messages. Keeps its memory between them. Blobs are not copied: they must stay valid while
// pieces() is in use. Throws std::bad_alloc, and std::length_error for a sequence of more than
// 4294967295 elements.
class CdrWriter {
 public:
  template <typename Message>
  void write(const Message& message) {
    small_.clear();
    blobs_.clear();
    blob_bytes_ = 0;
    small_.insert(small_.end(), cdr::kHead.begin(), cdr::kHead.end());
    code_fields(message, *this);
  }

  std::size_t size() const { return small_.size() + blob_bytes_; }
  // The last message as consecutive parts. Valid until the next message is written.
  std::span<const std::span<const std::byte>> pieces() {
    pieces_.clear();
    const std::span<const std::byte> small = small_;
    std::size_t done = 0;
    for (const Placed& placed : blobs_) {
      pieces_.push_back(small.subspan(done, placed.at - done));
      done = placed.at;
      placed.blob.append_to(&pieces_);
    }
    if (done < small.size()) pieces_.push_back(small.subspan(done));
    return pieces_;
  }

  template <cdr::Number T>
  void operator()(const char*, const T& number) {
    align(sizeof(T));
    append(&number, sizeof(T));
  }
  void operator()(const char*, std::string_view text) {
    count(text.size() + 1);
    append(text.data(), text.size());
    small_.push_back(std::byte{0});
  }
  void operator()(const char*, const Blob& blob) {
    count(blob.size());
    if (blob.size() == 0) return;
    blobs_.push_back({small_.size(), blob});
    blob_bytes_ += blob.size();
  }
  template <typename T>
  void operator()(const char*, const Packed<T>& packed) {
    count(packed.size());
    if (packed.size() == 0) return;
    align(sizeof(typename cdr::ElementOf<T>::Type));
    append(packed.bytes().data(), packed.bytes().size());
  }
  template <typename T, std::size_t N>
  void operator()(const char* name, const std::array<T, N>& array) {
    for (const T& element : array) (*this)(name, element);
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>& sequence) {
    count(sequence.size());
    for (const T& element : sequence) (*this)(name, element);
  }
  template <typename Struct>
  requires requires { Struct::kName; }
  void operator()(const char*, const Struct& part) { code_fields(part, *this); }

 private:
  struct Placed {
    std::size_t at;  // in small_
    Blob blob;
  };

  void align(std::size_t to) {
    const std::size_t at = size() - cdr::kHead.size();
    small_.resize(small_.size() + (to - at % to) % to);
  }
  void append(const void* bytes, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(bytes);
    small_.insert(small_.end(), first, first + size);
  }
  void count(std::size_t elements) {
    if (elements > UINT32_MAX) {
      throw std::length_error("a sequence of " + std::to_string(elements) +
                              " elements, expected at most 4294967295");
    }
    (*this)("", static_cast<std::uint32_t>(elements));
  }

  std::vector<std::byte> small_;
  std::vector<Placed> blobs_;
  std::vector<std::span<const std::byte>> pieces_;
  std::size_t blob_bytes_ = 0;
};

// Reads a message. Texts, blobs and packed sequences are views of its bytes. Element counts are
// checked against the message's size before anything is allocated.
class CdrReader {
 public:
  // Throws CdrError.
  template <typename Message>
  static Message read(std::span<const std::byte> bytes) {
    CdrReader reader(bytes);
    Message message;
    code_fields(message, reader);
    return message;
  }

  template <cdr::Number T>
  void operator()(const char* name, T& number) {
    align(sizeof(T), name);
    if constexpr (std::same_as<T, bool>) {
      number = *take(1, name) != std::byte{0};
    } else {
      std::memcpy(&number, take(sizeof(T), name), sizeof(T));
    }
  }
  void operator()(const char* name, std::string_view& text) {
    const std::size_t length = count(name);
    const auto* first = reinterpret_cast<const char*>(take(length, name));
    text = {first, length};
    if (text.ends_with('\0')) text.remove_suffix(1);
  }
  void operator()(const char* name, Blob& blob) {
    const std::size_t size = count(name);
    blob = Blob::of({take(size, name), size});
  }
  template <typename T>
  void operator()(const char* name, Packed<T>& packed) {
    const std::size_t elements = count(name);
    if (elements > 0) align(sizeof(typename cdr::ElementOf<T>::Type), name);
    if (elements > (bytes_.size() - at_) / sizeof(T)) lacks(elements * sizeof(T), name);
    const std::size_t size = elements * sizeof(T);
    packed = Packed<T>::of_bytes({take(size, name), size});
  }
  template <typename T, std::size_t N>
  void operator()(const char* name, std::array<T, N>& array) {
    for (T& element : array) (*this)(name, element);
  }
  template <typename T>
  void operator()(const char* name, std::vector<T>& sequence) {
    const std::size_t elements = count(name);
    if (elements > (bytes_.size() - at_) / T::kLeastBytes) {
      lacks(elements * T::kLeastBytes, name);
    }
    sequence.clear();
    for (std::size_t i = 0; i < elements; ++i) (*this)(name, sequence.emplace_back());
  }
  template <typename Struct>
  requires requires { Struct::kName; }
  void operator()(const char*, Struct& part) { code_fields(part, *this); }

 private:
  explicit CdrReader(std::span<const std::byte> bytes) : bytes_(bytes) {
    if (bytes.size() < cdr::kHead.size()) {
      throw CdrError("it has " + std::to_string(bytes.size()) +
                     " bytes, expected a head of 4 bytes");
    }
    const auto first = std::to_integer<unsigned>(bytes[0]);
    const auto id = std::to_integer<unsigned>(bytes[1]);
    if (first != 0 || id != 1) {
      const char* words = first != 0            ? "an unknown encoding"
                          : id == 0             ? "big-endian CDR"
                          : id >= 6 && id <= 11 ? "XCDR2"
                                                : "an unknown encoding";
      static constexpr char kDigits[] = "0123456789abcdef";
      const std::string hex{kDigits[first >> 4], kDigits[first & 15], ' ', kDigits[id >> 4],
                            kDigits[id & 15]};
      throw CdrError(std::string("it is ") + words + " (" + hex +
                     "), expected little-endian XCDR1 (00 01)");
    }
    at_ = cdr::kHead.size();
  }

  [[noreturn]] void lacks(std::uint64_t wanted, const char* name) const {
    throw CdrError("field " + std::string(first_name(name)) + " needs " + std::to_string(wanted) +
                   " bytes at byte " + std::to_string(at_) + ", but " +
                   std::to_string(bytes_.size() - std::min(at_, bytes_.size())) + " are left");
  }
  void align(std::size_t to, const char* name) {
    const std::size_t gap = (to - (at_ - cdr::kHead.size()) % to) % to;
    if (gap > bytes_.size() - at_) lacks(gap + to, name);
    at_ += gap;
  }
  const std::byte* take(std::size_t size, const char* name) {
    if (size > bytes_.size() - at_) lacks(size, name);
    return bytes_.data() + std::exchange(at_, at_ + size);
  }
  std::size_t count(const char* name) {
    std::uint32_t elements = 0;
    (*this)(name, elements);
    return elements;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_CDR_H_
