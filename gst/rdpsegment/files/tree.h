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

// The fault of a file, in the words that the user reads. Readers throw it;
// gst_rdp_camera_read_files() turns it into a GError.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// FILE:LINE: FIELD: found FOUND, expected EXPECTED
[[noreturn]] void fail(const std::string& file, int line, const std::string& field,
                       const std::string& found, const std::string& expected);

struct Node {
  enum class Kind { kNothing, kText, kList, kMap };
  Kind kind = Kind::kNothing;
  bool quoted = false;  // a text that can be no number
  int line = 1;
  std::string text;
  std::vector<std::string> names;  // of a map's items
  std::vector<Node> items;
};

// Adds an item to a map: no name twice, none that is too long, not too many. `path` is the map's.
void add_item(const std::string& file, const std::string& path, Node* map, std::string name,
              Node item);

// A text file cannot make the reader work for long or go deep: no calibration is near these.
inline constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
inline constexpr int kDeepest = 32;
inline constexpr std::size_t kMaxNodes = 200000;
inline constexpr std::size_t kMaxNames = 500;  // in one map
inline constexpr std::size_t kLongestName = 200;

struct Document {
  std::string file;  // as errors name it
  std::string text;
  Node root;
};

// A number as all these files write it, whatever the locale: none where `text` is something else;
// infinite or not a number where it says so.
std::optional<double> number_of(std::string_view text);
// For an error: six digits.
std::string to_text(double number);

// A value in a document, and how to ask for it. Each question that the value does not answer throws
// an Error with file, line and field.
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

  // Items of a map by name, the first name that is there; of a list by place.
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
  // A list of texts that are numbers.
  std::vector<double> numbers(std::size_t count, const std::string& expected) const;
  // A list of rows * columns numbers, a list of rows, or a map of rows, cols and data, as OpenCV
  // and ROS write it.
  std::vector<double> matrix(std::size_t rows, std::size_t columns) const;
  // The same of a vector, of any of these lengths, written as a row or a column.
  std::vector<double> vector(std::initializer_list<std::size_t> counts) const;

  // The value that came instead, in a few words.
  std::string found() const;
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const;
  [[noreturn]] void fail(const std::string& expected) const { fail(found(), expected); }
  // An error in words of its own, with the value's place before it where the document has a name.
  [[noreturn]] void refuse(const std::string& text) const;

 private:
  Field item(std::size_t index, const std::string& path) const;
  void append_numbers(std::vector<double>* out, const std::string& expected) const;

  const Document* document_;
  const Node* node_;
  std::string path_;
};

// The parsers. Each sets the root of a document of its text.
void parse_yaml(Document* document);
void parse_json(Document* document);
void parse_key_file(Document* document);
// Lines of NAME=VALUE: a value in brackets is a list of numbers, row by row.
void parse_assignments(Document* document);
// Lines of `NAME: WORD...` or of words alone, as KITTI's and COLMAP's are: each a list.
void parse_number_lines(Document* document);

}  // namespace rdp::calibration

#endif  // RDP_GST_RDPSEGMENT_FILES_TREE_H_
