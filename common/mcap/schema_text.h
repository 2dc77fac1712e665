// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_SCHEMA_TEXT_H_
#define RDP_COMMON_MCAP_SCHEMA_TEXT_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/mcap/cdr.h"

// Schemas of encoding ros2msg: each field of a type with its full name, then the types that it is
// made of, breadth first, once.
namespace rdp::ros {

namespace schema {

template <typename T>
constexpr const char* type_name() {
  if constexpr (requires { T::kName; }) return T::kName;
  if constexpr (std::same_as<T, bool>) return "bool";
  if constexpr (std::same_as<T, std::byte> || std::same_as<T, std::uint8_t>) return "uint8";
  if constexpr (std::same_as<T, std::uint32_t>) return "uint32";
  if constexpr (std::same_as<T, std::int32_t>) return "int32";
  if constexpr (std::same_as<T, float>) return "float32";
  if constexpr (std::same_as<T, double>) return "float64";
}

// Collects the fields of types. Instances are of use for their types alone.
class Fields {
 public:
  template <typename Message>
  static std::string text_of() {
    Fields all;
    code_fields(instance<Message>(), all);
    // Each adds the types that it names itself.
    for (std::size_t i = 0; i < all.types_.size(); ++i) {
      all.text_.append(80, '=').append("\nMSG: ").append(all.types_[i].name).append("\n");
      all.types_[i].add(all);
    }
    return std::move(all.text_);
  }

  template <typename T>
  void operator()(const char* name, const T&) {
    add<T>("", name);
  }
  void operator()(const char* name, const std::string_view&) { line("string", "", name); }
  void operator()(const char* name, const Blob&) { line("uint8", "[]", name); }
  template <typename T>
  void operator()(const char* name, const Packed<T>&) {
    add<T>("[]", name);
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>&) {
    add<T>("[]", name);
  }
  template <typename T, std::size_t N>
  void operator()(const char* name, const std::array<T, N>&) {
    add<T>("[" + std::to_string(N) + "]", name);
  }

 private:
  struct Type {
    std::string_view name;
    void (*add)(Fields& fields);
  };

  template <typename Struct>
  static const Struct& instance() {
    static const Struct kInstance{};
    return kInstance;
  }
  template <typename T>
  void add(const std::string& array, const char* name) {
    line(type_name<T>(), array, name);
    if constexpr (requires { T::kName; }) {
      const std::string_view type = T::kName;
      if (std::ranges::find(types_, type, &Type::name) != types_.end()) return;
      types_.push_back({type, [](Fields& fields) { code_fields(instance<T>(), fields); }});
    }
  }
  void line(std::string_view type, const std::string& array, const char* name) {
    text_.append(type).append(array).append(" ").append(first_name(name)).append("\n");
  }

  std::string text_;
  std::vector<Type> types_;
};

}  // namespace schema

template <typename Message>
std::string schema_text() {
  return schema::Fields::text_of<Message>();
}

// The name of a schema, such as sensor_msgs/msg/Image.
template <typename Message>
std::string schema_name() {
  std::string name = Message::kName;
  return name.insert(name.find('/'), "/msg");
}

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_SCHEMA_TEXT_H_
