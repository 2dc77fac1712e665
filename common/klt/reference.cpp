// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/reference.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <utility>

#include "common/klt/reference_registration.h"

namespace rdp::klt::reference {
namespace {

constexpr int kBinomial[] = {1, 4, 6, 4, 1};
constexpr int kScharr[] = {3, 10, 3};

std::size_t index_of(const Level& level, int row, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(level.width) +
         static_cast<std::size_t>(column);
}

bool contains(const Level& level, int row, int column) {
  return row >= 0 && row < level.height && column >= 0 && column < level.width;
}

void add_gradients(Level* level) {
  for (int row = 0; row < level->height; ++row) {
    for (int column = 0; column < level->width; ++column) {
      int gx = 0;
      int gy = 0;
      for (int i = -1; i <= 1; ++i) {
        gx += kScharr[i + 1] *
              (level->pixel(row + i, column + 1) - level->pixel(row + i, column - 1));
        gy += kScharr[i + 1] *
              (level->pixel(row + 1, column + i) - level->pixel(row - 1, column + i));
      }
      level->gx.push_back(static_cast<std::int16_t>(gx));
      level->gy.push_back(static_cast<std::int16_t>(gy));
    }
  }
}

Level next_level(const Level& fine) {
  Level level{next_level_size(fine.width), next_level_size(fine.height), {}, {}, {}};
  for (int row = 0; row < level.height; ++row) {
    for (int column = 0; column < level.width; ++column) {
      int sum = 0;
      for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
          sum += kBinomial[i] * kBinomial[j] * fine.pixel(2 * row + i - 2, 2 * column + j - 2);
        }
      }
      level.pixels.push_back(static_cast<std::uint8_t>((sum + 128) >> 8));
    }
  }
  return level;
}

// Bilinear interpolation of four samples, at 1/128 px; the weights sum to 2^14.
template <typename Sample>
int between(const Sample& sample, int x, int y) {
  const int column = x >> 7;
  const int row = y >> 7;
  const int fx = x & 127;
  const int fy = y & 127;
  const auto in_row = [&](int r) {
    return (128 - fx) * sample(r, column) + fx * sample(r, column + 1);
  };
  return (128 - fy) * in_row(row) + fy * in_row(row + 1);
}

int slope_x(const Level& level, int x, int y) {
  const auto gradient = [&](int row, int column) { return level.gradient_x(row, column); };
  return (between(gradient, x, y) + 8192) >> 14;
}
int slope_y(const Level& level, int x, int y) {
  const auto gradient = [&](int row, int column) { return level.gradient_y(row, column); };
  return (between(gradient, x, y) + 8192) >> 14;
}

// The other window minus the template.
std::vector<int> differences(const Level& level, const Window& window, Place displacement,
                             int side) {
  std::vector<int> result;
  const int x = window.start.x + window_shift(displacement.x);
  const int y = window.start.y + window_shift(displacement.y);
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      result.push_back(intensity(level, x + 128 * column, y + 128 * row) -
                       window.intensity[result.size()]);
    }
  }
  return result;
}

ResidualSums sums_of(const std::vector<int>& r, const Window& window) {
  std::int64_t rgx = 0;
  std::int64_t rgy = 0;
  std::int64_t sum = 0;
  std::int64_t ri = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    rgx += static_cast<std::int64_t>(r[i]) * window.gx[i];
    rgy += static_cast<std::int64_t>(r[i]) * window.gy[i];
    sum += r[i];
    ri += static_cast<std::int64_t>(r[i]) * window.intensity[i];
  }
  return {static_cast<double>(rgx), static_cast<double>(rgy), static_cast<double>(sum),
          static_cast<double>(ri)};
}

double residual_at(const Level& level, const Window& window, const Equations& equations,
                   Place displacement, const StepRules& rules) {
  const std::vector<int> r = differences(level, window, displacement, rules.window);
  const LightChange change =
      light_change(equations, window.sums, sums_of(r, window), rules.pixels(), rules.light);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    sum += difference_of(r[i], window.intensity[i], change);
  }
  return residual_of(sum, rules.pixels());
}

bool is_near(const Level& level, Place centre, Place displacement) {
  return klt::is_near(centre.x + displacement.x, level.width) &&
         klt::is_near(centre.y + displacement.y, level.height);
}

// Moves *displacement on one level. False: the window has left the level.
bool iterate(const Level& level, const Window& window, const Equations& equations, Place centre,
             const StepRules& rules, Place* displacement) {
  if (!is_near(level, centre, *displacement)) return false;
  Place before{};
  for (int i = 0; i < rules.max_iterations; ++i) {
    const std::vector<int> r = differences(level, window, *displacement, rules.window);
    const Place step = step_of(equations, sums_of(r, window), rules.light);
    const Move move = move_of(step, before, i == 0, rules.epsilon);
    displacement->x += move.x;
    displacement->y += move.y;
    if (!is_near(level, centre, *displacement)) return false;
    if (move.last) break;
    before = step;
  }
  return true;
}

// The part of the frame, for parts of this side, that contains a place.
std::pair<int, int> part_of(Place place, int side) {
  return {pixel_of(place.y) / side, pixel_of(place.x) / side};
}

Place place_of(const Track& track) { return {exact_fixed(track.x), exact_fixed(track.y)}; }

Track new_track(std::uint32_t id, Place place, double eigenvalue) {
  return {id,
          0,
          to_pixels(place.x),
          to_pixels(place.y),
          0.0F,
          0.0F,
          0.0F,
          static_cast<float>(eigenvalue)};
}

// The shape of a track at the start of a frame. Another kind of window drops the patch.
Shape shape_of(const State& before, std::size_t track, const StepRules& rules) {
  if (before.shapes.empty()) return {};
  const Shape& shape = before.shapes[track];
  const bool lit = rules.light != Light::kNone;
  if (before.window == rules.window && (before.light != Light::kNone) == lit) return shape;
  return {without_patch(shape.track), {}};
}

// A pixel at which a feature may be born.
struct Candidate {
  int row;
  int column;
  float score;
  double eigenvalue;
};

// No pixel around it has a higher score, and none above or to the left an equal one.
bool is_maximum(const std::vector<float>& all, const Level& level, int row, int column) {
  const float score = all[index_of(level, row, column)];
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      if ((i == 0 && j == 0) || !contains(level, row + i, column + j)) continue;
      const float other = all[index_of(level, row + i, column + j)];
      const bool earlier = i < 0 || (i == 0 && j < 0);
      if (other > score || (other == score && earlier)) return false;
    }
  }
  return true;
}

// The features that may be born in cells without a track, by cells.
std::vector<Candidate> candidates(const Level& level, const DepthView& mask,
                                  const std::set<std::pair<int, int>>& taken,
                                  const Parameters& parameters) {
  const std::vector<float> all = scores(level);
  const float limit =
      static_cast<float>(parameters.quality) * *std::max_element(all.begin(), all.end());
  const int cell = parameters.cell;
  std::vector<Candidate> found;
  for (int y = 0; y < parts_of(level.height, cell); ++y) {
    for (int x = 0; x < parts_of(level.width, cell); ++x) {
      if (taken.count({y, x}) != 0) continue;
      Candidate best{0, 0, 0.0F, 0.0};
      for (int row = y * cell; row < std::min((y + 1) * cell, level.height); ++row) {
        for (int column = x * cell; column < std::min((x + 1) * cell, level.width); ++column) {
          const float score = all[index_of(level, row, column)];
          if (score > best.score && is_maximum(all, level, row, column) &&
              (mask.data == nullptr || mask.at(row, column) != 0)) {
            best = {row, column, score, 0.0};
          }
        }
      }
      if (!(best.score > limit)) continue;
      const StepRules rules = step_rules(parameters);
      const Equations equations =
          equations_at(level, {best.column * kPixel, best.row * kPixel}, rules);
      if (!has_texture(equations, rules.min_eigenvalue, true)) continue;
      best.eigenvalue = equations.eigenvalue;
      found.push_back(best);
    }
  }
  return found;
}

// Keeps the best of them, at equal scores the upper, then the left ones.
void keep_best(std::size_t count, std::vector<Candidate>* found) {
  std::vector<Candidate> sorted = *found;
  std::sort(sorted.begin(), sorted.end(), [](const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  sorted.resize(std::min(count, sorted.size()));
  std::set<std::pair<int, int>> kept;
  for (const Candidate& candidate : sorted) kept.insert({candidate.row, candidate.column});
  std::erase_if(*found, [&](const Candidate& candidate) {
    return kept.count({candidate.row, candidate.column}) == 0;
  });
}

}  // namespace

int Level::pixel(int row, int column) const {
  return pixels[index_of(*this, mirrored(row, height), mirrored(column, width))];
}

int Level::gradient_x(int row, int column) const {
  return contains(*this, row, column) ? gx[index_of(*this, row, column)] : 0;
}

int Level::gradient_y(int row, int column) const {
  return contains(*this, row, column) ? gy[index_of(*this, row, column)] : 0;
}

Pyramid pyramid_of(const DepthView& frame) {
  Level level{frame.width, frame.height, {}, {}, {}};
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      level.pixels.push_back(static_cast<std::uint8_t>(frame.at(row, column)));
    }
  }
  Pyramid pyramid{level};
  while (static_cast<int>(pyramid.size()) < kMaxLevels &&
         (pyramid.back().width > 1 || pyramid.back().height > 1)) {
    pyramid.push_back(next_level(pyramid.back()));
  }
  for (Level& each : pyramid) add_gradients(&each);
  return pyramid;
}

int intensity(const Level& level, int x, int y) {
  const auto pixel = [&](int row, int column) { return level.pixel(row, column); };
  return (between(pixel, x, y) + 256) >> 9;
}

Window template_at(const Level& level, Place centre, int side) {
  Window window;
  window.start = {window_start(centre.x, side), window_start(centre.y, side)};
  TemplateSums& sums = window.sums;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const int x = window.start.x + 128 * column;
      const int y = window.start.y + 128 * row;
      const std::int64_t i = intensity(level, x, y);
      const std::int64_t gx = slope_x(level, x, y);
      const std::int64_t gy = slope_y(level, x, y);
      window.intensity.push_back(static_cast<int>(i));
      window.gx.push_back(static_cast<int>(gx));
      window.gy.push_back(static_cast<int>(gy));
      sums.gxx += gx * gx;
      sums.gxy += gx * gy;
      sums.gyy += gy * gy;
      sums.gx += gx;
      sums.gy += gy;
      sums.i += i;
      sums.ii += i * i;
      sums.gxi += gx * i;
      sums.gyi += gy * i;
    }
  }
  return window;
}

Equations equations_at(const Level& level, Place centre, const StepRules& rules) {
  return equations_of(template_at(level, centre, rules.window).sums, rules.pixels(), rules.light);
}

Found find(const Pyramid& from, const Pyramid& to, Place place, Place start,
           const Parameters& parameters) {
  const StepRules rules = step_rules(parameters);
  const int coarsest = coarsest_level(from[0].width, from[0].height, parameters);
  Found found;
  found.displacement = {on_level(start.x, coarsest), on_level(start.y, coarsest)};
  Place& displacement = found.displacement;
  for (int i = coarsest;; i -= level_stride(parameters)) {
    const Level& level = to[static_cast<std::size_t>(i)];
    const Place centre{on_level(place.x, i), on_level(place.y, i)};
    const Window window = template_at(from[static_cast<std::size_t>(i)], centre, rules.window);
    const Equations equations = equations_of(window.sums, rules.pixels(), rules.light);
    const bool textured = has_texture(equations, rules.min_eigenvalue, i == 0);
    const bool stayed = textured && iterate(level, window, equations, centre, rules, &displacement);
    if (i > 0) {
      displacement.x *= parameters.pyramid_step;
      displacement.y *= parameters.pyramid_step;
      continue;
    }
    found.eigenvalue = equations.eigenvalue;
    if (!textured) {
      found.reason = Reason::kTexture;
    } else if (!stayed || !is_inside(place.x + displacement.x, level.width) ||
               !is_inside(place.y + displacement.y, level.height)) {
      found.reason = Reason::kOutside;
    } else {
      found.residual = residual_at(level, window, equations, displacement, rules);
    }
    return found;
  }
}

Found find_and_check(const Pyramid& from, const Pyramid& to, Place place, Place start,
                     const Parameters& parameters) {
  Found found = find(from, to, place, start, parameters);
  if (found.reason != Reason::kTracked) return found;
  const StepRules rules = step_rules(parameters);
  if (rules.max_residual > 0.0 && found.residual > rules.max_residual) {
    found.reason = Reason::kResidual;
  } else if (rules.check > 0) {
    const Place d = found.displacement;
    const Found back = find(to, from, {place.x + d.x, place.y + d.y}, {-d.x, -d.y}, parameters);
    if (back.reason != Reason::kTracked || std::abs(d.x + back.displacement.x) > rules.check ||
        std::abs(d.y + back.displacement.y) > rules.check) {
      found.reason = Reason::kCheck;
    }
  }
  return found;
}

std::vector<float> scores(const Level& level) {
  std::vector<float> result;
  for (int row = 0; row < level.height; ++row) {
    for (int column = 0; column < level.width; ++column) {
      std::int32_t gxx = 0;
      std::int32_t gxy = 0;
      std::int32_t gyy = 0;
      for (int i = -kScoreReach; i <= kScoreReach; ++i) {
        for (int j = -kScoreReach; j <= kScoreReach; ++j) {
          const int gx = level.gradient_x(row + i, column + j);
          const int gy = level.gradient_y(row + i, column + j);
          gxx += gx * gx;
          gxy += gx * gy;
          gyy += gy * gy;
        }
      }
      result.push_back(score_of(gxx, gxy, gyy));
    }
  }
  return result;
}

State advance(const State& before, const Input& input, const Parameters& parameters, Result* result,
              std::vector<double>* trace) {
  const StepRules rules = step_rules(parameters);
  State after;
  after.window = rules.window;
  after.light = rules.light;
  after.picture = pyramid_of(input.frame);
  after.next_id = before.next_id;
  const Level& frame = after.picture[0];
  const bool windows = has_windows(frame.width, frame.height, rules.window);
  const bool affine = rules.warp == Warp::kAffine;
  const std::int64_t patches = most_patches(frame.width, frame.height, parameters.cell);
  std::vector<Lost> lost;
  std::vector<TrackWarp> warps;
  std::size_t templates = 0;
  std::set<std::pair<int, int>> squares;

  // Existing tracks. A frame of another size ends them without reporting them as lost.
  const bool same_size = !before.picture.empty() && before.picture[0].width == frame.width &&
                         before.picture[0].height == frame.height;
  for (std::size_t i = 0; same_size && i < before.tracks.size(); ++i) {
    const Track& track = before.tracks[i];
    const Place place = place_of(track);
    const bool started = parameters.predict || track.age == 0;
    Found found;
    found.reason = Reason::kTexture;
    if (windows) {
      found = find_and_check(before.picture, after.picture, place,
                             started ? before.starts[i] : Place{}, parameters);
    }
    Registered registered;
    registered.place = {place.x + found.displacement.x, place.y + found.displacement.y};
    Shape shape = affine ? shape_of(before, i, rules) : Shape{};
    if (affine && found.reason == Reason::kTracked) {
      registered = register_track(before.picture[0], frame, place, registered.place,
                                  static_cast<std::int64_t>(i) < patches, rules, &shape, trace);
      found.reason = registered.reason;
      templates += registered.took ? 1 : 0;
    }
    const Place now = registered.place;
    const Place d{now.x - place.x, now.y - place.y};
    if (found.reason == Reason::kTracked && !squares.insert(part_of(now, kSquare)).second) {
      found.reason = Reason::kCrowded;  // the earlier one stays
    }
    if (found.reason != Reason::kTracked) {
      lost.push_back({track.id, found.reason, track.x, track.y});
      continue;
    }
    after.tracks.push_back({track.id, track.age + 1, to_pixels(now.x), to_pixels(now.y),
                            to_pixels(d.x), to_pixels(d.y), static_cast<float>(found.residual),
                            static_cast<float>(found.eigenvalue)});
    after.starts.push_back(d);
    if (!affine) continue;
    warps.push_back(track_warp(whole_warp(shape.track), registered.residual, registered.age));
    after.shapes.push_back(std::move(shape));
  }

  // The caller's points.
  for (const Point& point : input.points) {
    const std::uint32_t id = after.next_id;
    after.next_id = id_after(id);
    if (!is_usable(point.x, point.y, point.dx, point.dy, frame.width, frame.height)) {
      lost.push_back({id, Reason::kOutside, finite_or_zero(point.x), finite_or_zero(point.y)});
      continue;
    }
    const Place place{to_fixed(point.x), to_fixed(point.y)};
    const Equations equations = equations_at(frame, place, rules);
    Reason reason = Reason::kTracked;
    if (!windows || !has_texture(equations, rules.min_eigenvalue, true)) {
      reason = Reason::kTexture;
    } else if (!squares.insert(part_of(place, kSquare)).second) {
      reason = Reason::kCrowded;
    }
    if (reason != Reason::kTracked) {
      lost.push_back({id, reason, point.x, point.y});
      continue;
    }
    after.tracks.push_back(new_track(id, place, equations.eigenvalue));
    after.starts.push_back({start_of(point.dx), start_of(point.dy)});
  }

  // New features.
  if (parameters.detector == Detector::kShiTomasi && windows) {
    std::set<std::pair<int, int>> taken;
    for (const Track& track : after.tracks) {
      taken.insert(part_of(place_of(track), parameters.cell));
    }
    std::vector<Candidate> found = candidates(frame, input.mask, taken, parameters);
    if (parameters.max_features > 0) {
      const auto most = static_cast<std::size_t>(parameters.max_features);
      keep_best(most - std::min(most, after.tracks.size()), &found);
    }
    for (const Candidate& candidate : found) {
      const Place place{candidate.column * kPixel, candidate.row * kPixel};
      after.tracks.push_back(new_track(after.next_id, place, candidate.eigenvalue));
      after.starts.push_back({});
      after.next_id = id_after(after.next_id);
    }
  }
  if (affine) {
    after.shapes.resize(after.tracks.size());
    warps.resize(after.tracks.size(), track_warp({}, 0.0, 0));
  }
  *result = {after.tracks, std::move(lost), std::move(warps), templates};
  return after;
}

void end_prediction(State* state) {
  std::fill(state->starts.begin(), state->starts.end(), Place{});
}

}  // namespace rdp::klt::reference
