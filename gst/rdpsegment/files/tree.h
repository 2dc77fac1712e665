/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_FILES_TREE_H_
#define RDP_GST_RDPSEGMENT_FILES_TREE_H_

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Calibration files of every syntax become one tree of texts, lists and maps. The tree knows the
// line of each value, so that an error can name it.
namespace rdp::calibration {

// A fault in a file, with a message for the user. Readers throw it; gst_rdp_camera_read_files()
// turns it into a GError.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// FILE:LINE: FIELD: found FOUND, expected EXPECTED
[[noreturn]] void fail(const std::string& file, int line, const std::string& field,
                       const std::string& found, const std::string& expected);

struct Node {
  enum class Kind { kNothing, kText, kList, kMap };
  Kind kind = Kind::kNothing;
  bool quoted = false;  // in quotes: a text, never a number
  int line = 1;
  std::string text;
  std::vector<std::string> names;  // names of a map's items
  std::vector<Node> items;
};

// Adds an item to a map. Throws an Error if the name is there already or too long, or if the map is
// full. `path` is the map's.
void add_item(const std::string& file, const std::string& path, Node* map, std::string name,
              Node item);

// Limits on the reader's time and depth. Real calibration files stay far below them.
inline constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
inline constexpr int kDeepest = 32;
inline constexpr std::size_t kMaxNodes = 200000;
inline constexpr std::size_t kMaxNames = 500;  // in one map
inline constexpr std::size_t kLongestName = 200;

struct Document {
  std::string file;  // as errors show it
  std::string text;
  Node root;
};

// Parses a number independently of the locale. Empty if `text` is no number; infinite or NaN if it
// says so.
std::optional<double> number_of(std::string_view text);
// Formats a number for an error, with six digits.
std::string to_text(double number);

// A value in a document, with typed access. A request that the value cannot satisfy throws an Error
// with file, line and field; only find() returns empty instead.
class Field {
 public:
  explicit Field(const Document& document) : document_(&document), node_(&document.root) {}

  const Node& node() const { return *node_; }
  int line() const { return node_->line; }
  const std::string& file() const { return document_->file; }
  const std::string& path() const { return path_; }
  bool is_map() const { return node_->kind == Node::Kind::kMap; }
  bool is_list() const { return node_->kind == Node::Kind::kList; }
  bool is_nothing() const { return node_->kind == Node::Kind::kNothing; }

  // Finds an item: of a map by name (the first of `names` that exists), of a list by index.
  std::optional<Field> find(std::string_view name) const;
  std::optional<Field> find(std::initializer_list<std::string_view> names) const;
  Field at(std::string_view name, const std::string& expected) const;
  Field at(std::size_t index) const;
  std::size_t size() const { return node_->items.size(); }
  // The same value under the name that the user gave it.
  Field named(std::string name) const;

  // The value; `expected` names it in the error.
  const std::string& text(const std::string& expected) const;
  double number(const std::string& expected = "a number") const;
  unsigned whole(unsigned least, unsigned most, const std::string& expected) const;
  // Requires a list of `count` numbers.
  std::vector<double> numbers(std::size_t count, const std::string& expected) const;
  // A list of rows * columns numbers, a list of rows, or a map of rows, cols and data, as OpenCV
  // and ROS write it.
  std::vector<double> matrix(std::size_t rows, std::size_t columns) const;
  // The same for a vector of one of these lengths, written as a row or a column.
  std::vector<double> vector(std::initializer_list<std::size_t> counts) const;

  // A short description of the value, for errors.
  std::string found() const;
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const;
  [[noreturn]] void fail(const std::string& expected) const { fail(found(), expected); }
  // Throws an Error with a text of its own, after the value's place if the document has a name.
  [[noreturn]] void refuse(const std::string& text) const;

 private:
  Field item(std::size_t index, const std::string& path) const;
  void append_numbers(std::vector<double>* out, const std::string& expected) const;

  const Document* document_;
  const Node* node_;
  std::string path_;
};

// The parsers. Each sets the root of the document from its text.
void parse_yaml(Document* document);
void parse_json(Document* document);
void parse_key_file(Document* document);
// Lines of NAME=VALUE: a value in brackets is a list of numbers, row by row.
void parse_assignments(Document* document);
// Lines of `NAME: WORD...`, or of words alone, as in KITTI's and COLMAP's files. Each line is a
// list.
void parse_number_lines(Document* document);

}  // namespace rdp::calibration

#endif  // RDP_GST_RDPSEGMENT_FILES_TREE_H_
