// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/heightmap/second_definition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace rdp::test {
namespace {

using heightmap::Head;
using heightmap::Parameters;
using heightmap::Rig;
using Vector = std::array<double, 3>;
using Square = std::array<Vector, 3>;  // rows
using Camera = std::array<std::array<double, 4>, 3>;

Square adjugate_of(const Square& a) {
  Square d{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
      d[i][j] = a[r][u] * a[s][v] - a[r][v] * a[s][u];
    }
  }
  return d;
}

double determinant_of(const Square& a) {
  const Square d = adjugate_of(a);
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) sum += a[0][i] * d[i][0];
  return sum;
}

Square multiply(const Square& a, const Square& b) {
  Square c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Vector multiply(const Square& a, double x, double y) {
  Vector c{};
  for (std::size_t i = 0; i < 3; ++i) c[i] = a[i][0] * x + a[i][1] * y + a[i][2];
  return c;
}

Square left_of(const Camera& p) {
  Square m{};
  for (std::size_t i = 0; i < 3; ++i) m[i] = {p[i][0], p[i][1], p[i][2]};
  return m;
}

Square plane_of(const Camera& p, double h) {
  Square g{};
  for (std::size_t i = 0; i < 3; ++i) g[i] = {p[i][0], p[i][1], p[i][3] + h * p[i][2]};
  return g;
}

Camera camera_of(const heightmap::View& view) {
  Camera p{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) p[i][j] = view.projection[i][j];
  }
  if (determinant_of(left_of(p)) >= 0.0) return p;
  for (auto& row : p) {
    for (double& value : row) value = -value;
  }
  return p;
}

bool same_sign(double a, double b) { return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0); }

double middle_of(const Parameters& parameters) {
  const int last = parameters.min_height + (parameters.heights() - 1) * parameters.height_step;
  return (parameters.min_height + last) / 2000.0;
}

class Slow {
 public:
  Slow(const Rig& rig, const Parameters& parameters, std::span<const DepthView> pictures)
      : p_(parameters),
        pictures_(pictures),
        reference_(static_cast<std::size_t>(rig.reference)),
        width_(rig.seen().width),
        height_(rig.seen().height),
        unknown_((parameters.max_height - parameters.min_height) / parameters.height_step + 1) {
    for (const heightmap::View& view : rig.views) cameras_.push_back(camera_of(view));
    for (const DepthView& picture : pictures) {
      std::vector<std::vector<bool>> bits;
      for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) bits.push_back(census(picture, x, y));
      }
      census_.push_back(bits);
    }
  }

  SlowHeights run(int speckle) {
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) out_.potential.push_back(potential(x, y));
    }
    look_up();
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        add_costs(x, y);
      }
    }
    propagate();
    out_.without_specks = without_specks(out_.labels, speckle);
    find_heads(std::max(1, speckle));
    return out_;
  }

 private:
  int place(int x, int y) const { return y * width_ + x; }
  int potential_at(int x, int y) const {
    return out_.potential[static_cast<std::size_t>(place(x, y))];
  }
  int cost(int x, int y, int l) const {
    return out_.costs[static_cast<std::size_t>(place(x, y) * (unknown_ + 1) + l)];
  }
  bool inside(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }

  // 1. Census.

  static int pixel(const DepthView& picture, int x, int y) {
    return picture.at(std::clamp(y, 0, picture.height - 1), std::clamp(x, 0, picture.width - 1));
  }
  static int smooth(const DepthView& picture, int x, int y) {
    x = std::clamp(x, 0, picture.width - 1);
    y = std::clamp(y, 0, picture.height - 1);
    const auto in_row = [&](int r) {
      return pixel(picture, x - 1, r) + 2 * pixel(picture, x, r) + pixel(picture, x + 1, r);
    };
    return in_row(y - 1) + 2 * in_row(y) + in_row(y + 1);
  }
  static std::vector<bool> census(const DepthView& picture, int x, int y) {
    std::vector<bool> bits;
    for (int i = 0; i < 25; ++i) {
      if (i == 12) continue;
      bits.push_back(smooth(picture, x + i % 5 - 2, y + i / 5 - 2) >= smooth(picture, x, y));
    }
    return bits;
  }

  // 2. Data cost.

  // Hamming distance at a height, for view i.
  int differ(std::size_t i, int x, int y, int millimetres) const {
    const Camera& r = cameras_[reference_];
    const double h = millimetres / 1000.0;
    const Square h0 = multiply(plane_of(cameras_[i], 0.0), adjugate_of(plane_of(r, 0.0)));
    const Square h1 = multiply(left_of(cameras_[i]), adjugate_of(left_of(r)));
    const Vector a = multiply(h0, x, y);
    const Vector b = multiply(h1, x, y);
    const double sign = determinant_of(plane_of(r, h));
    const double w = a[2] + h * b[2];
    const double u = std::floor((a[0] + h * b[0]) / w + 0.5);
    const double v = std::floor((a[1] + h * b[1]) / w + 0.5);
    const DepthView& picture = pictures_[i];
    if (!same_sign(multiply(adjugate_of(left_of(r)), x, y)[2], sign) || !same_sign(w, sign) ||
        !std::isfinite(u) || !std::isfinite(v) || u < 0.0 || u > picture.width - 1.0 || v < 0.0 ||
        v > picture.height - 1.0) {
      return 12;
    }
    const std::vector<bool>& mine = census_[reference_][static_cast<std::size_t>(place(x, y))];
    const std::vector<bool>& other =
        census_[i][static_cast<std::size_t>(v) * static_cast<std::size_t>(picture.width) +
                   static_cast<std::size_t>(u)];
    int count = 0;
    for (std::size_t n = 0; n < mine.size(); ++n) count += mine[n] != other[n];
    return count;
  }
  // Caches repeated queries.
  void look_up() {
    std::set<int> heights;
    for (int l = 0; l < unknown_; ++l) heights.insert(p_.min_height + l * p_.height_step);
    for (const int low : low_heights()) heights.insert(low);
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
      for (const int h : heights) {
        for (int y = 0; y < height_; ++y) {
          for (int x = 0; x < width_; ++x) {
            differ_[{i, h}].push_back(i == reference_ ? 0 : differ(i, x, y, h));
          }
        }
      }
    }
  }
  std::vector<int> low_heights() const {
    std::vector<int> low;
    if (p_.low_step == 0) return low;
    for (int h = 0; h <= p_.min_height - 100; h += p_.low_step) low.push_back(h);
    return low;
  }

  // Cost of a window with a height for each of its pixels.
  template <typename HeightAt>
  int window_cost(int x, int y, const HeightAt& height_at) const {
    std::int64_t sum = 0;
    std::int64_t least = -1;
    const std::int64_t n = p_.window * p_.window;
    const auto views = static_cast<std::int64_t>(cameras_.size()) - 1;
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
      if (i == reference_) continue;
      std::int64_t one = 0;
      for (int dy = -(p_.window / 2); dy <= p_.window / 2; ++dy) {
        for (int dx = -(p_.window / 2); dx <= p_.window / 2; ++dx) {
          const int qx = std::clamp(x + dx, 0, width_ - 1);
          const int qy = std::clamp(y + dy, 0, height_ - 1);
          one += differ_.at({i, height_at(qx, qy)})[static_cast<std::size_t>(place(qx, qy))];
        }
      }
      sum += one;
      if (least < 0 || one < least) least = one;
    }
    const std::int64_t cost = (31 * (3 * sum + views * least) + 12 * views * n) / (24 * views * n);
    return static_cast<int>(std::min<std::int64_t>(127, cost));
  }
  int height_cost(int x, int y, int l) const {
    return window_cost(x, y, [&](int qx, int qy) {
      const int up = potential_at(qx, qy) - potential_at(x, y);
      return p_.min_height + std::clamp(l + up, 0, unknown_ - 1) * p_.height_step;
    });
  }
  int unknown_cost(int x, int y) const {
    int cost = p_.unknown_cost;
    for (const int h : low_heights()) {
      cost = std::min(cost, window_cost(x, y, [h](int, int) { return h; }) + p_.low_bias);
    }
    return std::clamp(cost, 0, 127);
  }

  // True if the window, including the pixels smoothed into its censuses, has a single grey level.
  bool plain(int x, int y) const {
    const int reach = (p_.window - 1) / 2 + 2 + 1;
    const DepthView& picture = pictures_[reference_];
    std::set<int> greys;
    for (int qy = std::max(0, y - reach); qy <= std::min(height_ - 1, y + reach); ++qy) {
      for (int qx = std::max(0, x - reach); qx <= std::min(width_ - 1, x + reach); ++qx) {
        greys.insert(pixel(picture, qx, qy));
      }
    }
    return greys.size() == 1;
  }
  // Then `unknown` costs less than every height, and none of them is free.
  void add_costs(int x, int y) {
    std::vector<int> costs;
    for (int l = 0; l < unknown_; ++l) costs.push_back(height_cost(x, y, l));
    int unknown = unknown_cost(x, y);
    if (plain(x, y)) {
      for (int& cost : costs) cost = std::max(cost, 1);
      for (const int cost : costs) unknown = std::min(unknown, cost - 1);
    }
    costs.push_back(unknown);
    out_.costs.insert(out_.costs.end(), costs.begin(), costs.end());
  }

  // From the reference camera to a place.
  Vector ray_to(Vector place) const {
    const Camera& r = cameras_[reference_];
    const Square inverse = adjugate_of(left_of(r));
    const double det = determinant_of(left_of(r));
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector& row = inverse[i];
      place[i] += (row[0] * r[0][3] + row[1] * r[1][3] + row[2] * r[2][3]) / det;
    }
    return place;
  }

  // 3. Slope.

  // In 1/65536 label, along an axis.
  std::int64_t slope(int x, int y, int axis) const {
    const Camera& r = cameras_[reference_];
    const Square g = plane_of(r, middle_of(p_));
    const Vector q = multiply(adjugate_of(g), x, y);
    if (!same_sign(q[2], determinant_of(g))) return 0;
    const Vector at = multiply(g, q[0] / q[2], q[1] / q[2]);
    const double vx = (r[0][2] * at[2] - at[0] * r[2][2]) / (at[2] * at[2]);
    const double vy = (r[1][2] * at[2] - at[1] * r[2][2]) / (at[2] * at[2]);
    const double m = (vx * vx + vy * vy) * (p_.height_step / 1000.0);
    // Beyond 45 degrees the slope fades.
    const Vector ray = ray_to({q[0] / q[2], q[1] / q[2], middle_of(p_)});
    const double across = ray[0] * ray[0] + ray[1] * ray[1];
    const double part = std::fmin(1.0, across / (across + ray[2] * ray[2]) * 2.0);
    const double s = part * ((axis == 0 ? vx : vy) / m);
    if (!std::isfinite(s)) return 0;
    return static_cast<std::int64_t>(std::floor(65536.0 * std::min(4.0, std::max(-4.0, s)) + 0.5));
  }
  int potential(int x, int y) const {
    if (!p_.slope) return 0;
    std::int64_t sum = 0;
    for (int i = 0; i < x; ++i) sum += slope(i, height_ / 2, 0);
    for (int j = height_ / 2; j < y; ++j) sum += slope(x, j, 1);
    for (int j = y; j < height_ / 2; ++j) sum -= slope(x, j, 1);
    return static_cast<int>(std::floor(static_cast<double>(sum) / 65536.0 + 0.5));
  }

  // 5 to 7. Messages, from each pixel to each of its neighbours.

  int rise(int x, int y, int qx, int qy) const {
    return std::clamp(potential_at(qx, qy) - potential_at(x, y), -p_.max_slope, p_.max_slope);
  }
  int jump(int x, int y, int qx, int qy) const {
    const DepthView& picture = pictures_[reference_];
    const int change = pixel(picture, x, y) - pixel(picture, qx, qy);
    const bool edge = p_.edge_contrast != 0 && std::abs(change) >= p_.edge_contrast;
    return edge ? p_.edge_jump : p_.unknown_jump;
  }
  std::vector<std::pair<int, int>> neighbours(int x, int y) const {
    std::vector<std::pair<int, int>> found;
    for (const auto& [qx, qy] :
         {std::pair{x, y - 1}, std::pair{x + 1, y}, std::pair{x, y + 1}, std::pair{x - 1, y}}) {
      if (inside(qx, qy)) found.emplace_back(qx, qy);
    }
    return found;
  }
  // Belief of a pixel for a label, without the message of neighbour `but`.
  int knows(int x, int y, int l, int but) const {
    int sum = cost(x, y, l);
    for (const auto& [qx, qy] : neighbours(x, y)) {
      if (place(qx, qy) == but) continue;
      const auto told = told_.find({place(qx, qy), place(x, y)});
      if (told != told_.end()) sum += told->second[static_cast<std::size_t>(l)];
    }
    return sum;
  }
  void propagate() {
    std::int64_t before = 0;
    bool second = false;
    for (int k = 0; k < p_.iterations; ++k) {
      for (int y = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x) {
          if ((x + y + k) % 2 != 0) continue;
          for (const auto& [qx, qy] : neighbours(x, y)) {
            std::vector<int> known;
            for (int l = 0; l <= unknown_; ++l) known.push_back(knows(x, y, l, place(qx, qy)));
            told_[{place(x, y), place(qx, qy)}] =
                slow_message(known, rise(x, y, qx, qy), jump(x, y, qx, qy), p_);
          }
        }
      }
      ++out_.iterations;
      if (p_.tolerance > 0 && k % 10 == 9) {
        const std::int64_t now = energy(labels());
        if (second && (before - now) * 1000000 <= p_.tolerance * before) break;
        before = now;
        second = true;
      }
    }
    out_.labels = labels();
    out_.energy = energy(out_.labels);
  }
  std::vector<int> labels() const {
    std::vector<int> best;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        int least = 0;
        for (int l = 1; l <= unknown_; ++l) {
          if (knows(x, y, l, -1) < knows(x, y, least, -1)) least = l;
        }
        best.push_back(least);
      }
    }
    return best;
  }
  // Each edge is visited twice.
  std::int64_t energy(const std::vector<int>& labels) const {
    std::int64_t costs = 0;
    std::int64_t edges = 0;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const int a = labels[static_cast<std::size_t>(place(x, y))];
        costs += cost(x, y, a);
        for (const auto& [qx, qy] : neighbours(x, y)) {
          const int b = labels[static_cast<std::size_t>(place(qx, qy))];
          const int up = rise(x, y, qx, qy);
          if ((a == unknown_) != (b == unknown_)) {
            edges += jump(x, y, qx, qy);
          } else if (a != unknown_) {
            edges += std::min(p_.max_jump, p_.smoothness * std::abs(b - a - up));
          }
        }
      }
    }
    return costs + edges / 2;
  }

  // 8. Speckles: each pixel takes the least number among its connected neighbours, until none
  // changes.

  std::vector<int> without_specks(std::vector<int> labels, int size) const {
    std::vector<int> number(labels.size());
    for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<int>(i);
    for (bool changed = true; changed;) {
      changed = false;
      for (int y = 0; y < height_; ++y) {
        for (int x = 0; x < width_; ++x) {
          const auto p = static_cast<std::size_t>(place(x, y));
          for (const auto& [qx, qy] : neighbours(x, y)) {
            const auto q = static_cast<std::size_t>(place(qx, qy));
            if (labels[p] == unknown_ || labels[q] == unknown_) continue;
            if (std::abs(labels[p] - labels[q]) > 1 || number[q] >= number[p]) continue;
            number[p] = number[q];
            changed = true;
          }
        }
      }
    }
    std::map<int, int> sizes;
    for (const int n : number) ++sizes[n];
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (sizes[number[i]] <= size) labels[i] = unknown_;
    }
    return labels;
  }

  // 9. Heads.

  struct Vote {
    int column, row, x, y, height;
  };
  static int cell_of(int millimetres) {
    return static_cast<int>(std::floor(static_cast<double>(millimetres) / 50.0));
  }
  std::vector<Vote> votes() const {
    std::vector<Vote> found;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const int label = out_.without_specks[static_cast<std::size_t>(place(x, y))];
        if (label == unknown_) continue;
        const int h = p_.min_height + label * p_.height_step;
        const Square g = plane_of(cameras_[reference_], h / 1000.0);
        const Vector q = multiply(adjugate_of(g), x, y);
        if (!same_sign(q[2], determinant_of(g))) continue;
        const double ground_x = std::floor(1000.0 * (q[0] / q[2]) + 0.5);
        const double ground_y = std::floor(1000.0 * (q[1] / q[2]) + 0.5);
        if (!(std::abs(ground_x) <= 1e6 && std::abs(ground_y) <= 1e6)) continue;
        found.push_back({x, y, static_cast<int>(ground_x), static_cast<int>(ground_y), h});
      }
    }
    return found;
  }
  void find_heads(int least) {
    const std::vector<Vote> all = votes();
    std::map<std::pair<int, int>, int> score;  // by cell, along Y and X
    for (const Vote& vote : all) {
      for (int dv = -2; dv <= 2; ++dv) {
        for (int du = -2; du <= 2; ++du) {
          if (du * du + dv * dv <= 5) ++score[{cell_of(vote.y) + dv, cell_of(vote.x) + du}];
        }
      }
    }
    for (const auto& [cell, n] : score) {
      bool head = n >= least;
      for (const auto& [other, m] : score) {
        const std::int64_t dv = std::int64_t{other.first} - cell.first;
        const std::int64_t du = std::int64_t{other.second} - cell.second;
        if (du * du + dv * dv > 25 || other == cell) continue;
        if (m > n || (m == n && other < cell)) head = false;
      }
      if (head) add_head(all, cell.first, cell.second, n);
    }
  }
  void add_head(const std::vector<Vote>& all, int v, int u, int n) {
    double x = 0.0;
    double y = 0.0;
    std::vector<int> heights;
    for (const Vote& vote : all) {
      const int dv = cell_of(vote.y) - v;
      const int du = cell_of(vote.x) - u;
      if (std::abs(dv) > 2 || std::abs(du) > 2 || du * du + dv * dv > 5) continue;
      x += vote.x;
      y += vote.y;
      heights.push_back(vote.height);
    }
    std::sort(heights.rbegin(), heights.rend());
    const int height = heights[static_cast<std::size_t>(std::max(1, n / 32) - 1)];
    Head head{0,
              0,
              static_cast<int>(std::floor(x / n + 0.5)),
              static_cast<int>(std::floor(y / n + 0.5)),
              height,
              n};
    move_to_middle(&head);
    for (const Vote& vote : all) {
      const int dv = cell_of(vote.y) - v;
      const int du = cell_of(vote.x) - u;
      if (std::abs(dv) > 2 || std::abs(du) > 2 || du * du + dv * dv > 5) continue;
      if (vote.height != height) continue;
      head.column = vote.column;
      head.row = vote.row;
      break;
    }
    out_.heads.push_back(head);
  }
  // Two thirds of 85 mm along the ray to the head; only the horizontal part counts.
  void move_to_middle(Head* head) const {
    const Vector ray = ray_to({head->x / 1000.0, head->y / 1000.0, head->height / 1000.0});
    const double length = std::sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
    if (!std::isfinite(ray[0] / length + ray[1] / length)) return;
    head->x += static_cast<int>(std::floor(57.0 * (ray[0] / length) + 0.5));
    head->y += static_cast<int>(std::floor(57.0 * (ray[1] / length) + 0.5));
  }

  const Parameters& p_;
  std::span<const DepthView> pictures_;
  std::size_t reference_;
  int width_;
  int height_;
  int unknown_;
  std::vector<Camera> cameras_;
  std::vector<std::vector<std::vector<bool>>> census_;              // by view and pixel
  std::map<std::pair<std::size_t, int>, std::vector<int>> differ_;  // by view and height
  std::map<std::pair<int, int>, std::vector<int>> told_;            // by sender and receiver
  SlowHeights out_;
};

}  // namespace

std::vector<int> slow_message(const std::vector<int>& known, int rise, int jump,
                              const Parameters& parameters) {
  const int unknown = static_cast<int>(known.size()) - 1;
  std::vector<int> told;
  for (int b = 0; b <= unknown; ++b) {
    int least = 1 << 20;
    for (int a = 0; a <= unknown; ++a) {
      int edge = 0;
      if (a < unknown && b < unknown) {
        edge = std::min(parameters.max_jump, parameters.smoothness * std::abs(b - a - rise));
      } else if (a < unknown || b < unknown) {
        edge = jump;
      }
      least = std::min(least, known[static_cast<std::size_t>(a)] + edge);
    }
    told.push_back(least);
  }
  const int lowest = *std::min_element(told.begin(), told.end());
  for (int& value : told) value -= lowest;
  return told;
}

int slow_speckle(const Rig& rig, const Parameters& parameters) {
  const Camera p = camera_of(rig.seen());
  const Square g = plane_of(p, middle_of(parameters));
  const Vector q =
      multiply(adjugate_of(g), (rig.seen().width - 1) / 2.0, (rig.seen().height - 1) / 2.0);
  const double w = multiply(g, q[0] / q[2], q[1] / q[2])[2];
  const auto length = [](const Vector& a) {
    return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  };
  const auto across = [&](std::size_t i) {
    const Square m = left_of(p);
    const Vector& a = m[i];
    const Vector& b = m[2];
    return length(
        {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
  };
  const Vector m3 = left_of(p)[2];
  const double k2 =
      across(0) * across(1) / ((m3[0] * m3[0] + m3[1] * m3[1] + m3[2] * m3[2]) * (w * w));
  return std::max(1, static_cast<int>(std::min(std::floor(M_PI * 0.01 * k2 / 3.0), 268435456.0)));
}

SlowHeights slow_heights(const Rig& rig, const Parameters& parameters,
                         std::span<const DepthView> pictures) {
  const int speckle = parameters.speckle < 0 ? slow_speckle(rig, parameters) : parameters.speckle;
  return Slow(rig, parameters, pictures).run(speckle);
}

}  // namespace rdp::test
