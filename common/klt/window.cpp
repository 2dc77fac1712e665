// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/window.h"

#include <cstdlib>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/klt/window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "common/klt/window-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rdp::klt {
namespace HWY_NAMESPACE {

// Moves *displacement on one level. False: the window has left the level.
template <int kSide>
HWY_INLINE bool iterate(const LevelView& level, const Window<kSide>& window,
                        const Equations& equations, Place centre, const StepRules& rules,
                        Place* displacement, long* iterations) {
  const auto near_level = [&] {
    return is_near(centre.x + displacement->x, level.width) &&
           is_near(centre.y + displacement->y, level.height);
  };
  if (!near_level()) return false;
  Place before{};
  for (int i = 0; i < rules.max_iterations; ++i) {
    const ResidualSums sums = residual_sums(level, window, *displacement, rules.light);
    const Place step = step_of(equations, sums, rules.light);
    const Move move = move_of(step, before, i == 0, rules.epsilon);
    displacement->x += move.x;
    displacement->y += move.y;
    ++*iterations;
    if (!near_level()) return false;
    if (move.last) break;
    before = step;
  }
  return true;
}

// See reference::find(). The residual is worked out where it is wanted.
template <int kSide>
HWY_INLINE Found find(const Picture& from, const Picture& to, const Search& search, Place place,
                      Place start, bool want_residual, long* iterations) {
  const StepRules& rules = search.rules;
  Found found;
  Place& displacement = found.displacement;
  displacement = {on_level(start.x, search.coarsest), on_level(start.y, search.coarsest)};
  Window<kSide> window;
  window.set_side(rules.window);
  for (int i = search.coarsest;; i -= search.stride) {
    const LevelView& level = to.level(i);
    const Place centre{on_level(place.x, i), on_level(place.y, i)};
    TemplateSums sums;
    read_template(from.level(i), centre, rules.light, &window, &sums);
    const Equations equations = equations_of(sums, rules.pixels(), rules.light);
    const bool textured = has_texture(equations, rules.min_eigenvalue, i == 0);
    const bool stayed =
        textured && iterate(level, window, equations, centre, rules, &displacement, iterations);
    if (i > 0) {
      displacement.x *= 1 << search.stride;
      displacement.y *= 1 << search.stride;
      continue;
    }
    found.eigenvalue = equations.eigenvalue;
    if (!textured) {
      found.reason = Reason::kTexture;
    } else if (!stayed || !is_inside(place.x + displacement.x, level.width) ||
               !is_inside(place.y + displacement.y, level.height)) {
      found.reason = Reason::kOutside;
    } else if (want_residual) {
      const ResidualSums last = residual_sums(level, window, displacement, rules.light);
      const LightChange change = light_change(equations, sums, last, rules.pixels(), rules.light);
      found.residual =
          residual_of(sum_of_differences(level, window, displacement, change), rules.pixels());
    }
    return found;
  }
}

template <int kSide>
HWY_INLINE Found find_both_ways(const Search& search, Place place, Place start, long* iterations) {
  const StepRules& rules = search.rules;
  Found found = find<kSide>(*search.from, *search.to, search, place, start, true, iterations);
  if (found.reason != Reason::kTracked) return found;
  if (rules.max_residual > 0.0 && found.residual > rules.max_residual) {
    found.reason = Reason::kResidual;
  } else if (rules.check > 0) {
    const Place d = found.displacement;
    const Found back = find<kSide>(*search.to, *search.from, search, {place.x + d.x, place.y + d.y},
                                   {-d.x, -d.y}, false, iterations);
    if (back.reason != Reason::kTracked || std::abs(d.x + back.displacement.x) > rules.check ||
        std::abs(d.y + back.displacement.y) > rules.check) {
      found.reason = Reason::kCheck;
    }
  }
  return found;
}

template <int kSide>
HWY_INLINE Equations equations_of_side(const LevelView& level, Place centre,
                                       const StepRules& rules) {
  Window<kSide> window;
  window.set_side(rules.window);
  TemplateSums sums;
  read_template(level, centre, rules.light, &window, &sums);
  return equations_of(sums, rules.pixels(), rules.light);
}

#define RDP_KLT_BY_SIDE(name, Result, parameters, arguments)              \
  HWY_NOINLINE Result name##_8 parameters { return name<8> arguments; }   \
  HWY_NOINLINE Result name##_12 parameters { return name<12> arguments; } \
  HWY_NOINLINE Result name##_16 parameters { return name<16> arguments; } \
  HWY_NOINLINE Result name##_any parameters { return name<0> arguments; }
RDP_KLT_BY_SIDE(find_both_ways, Found,
                (const Search& search, Place place, Place start, long* iterations),
                (search, place, start, iterations))
RDP_KLT_BY_SIDE(equations_of_side, Equations,
                (const LevelView& level, Place centre, const StepRules& rules),
                (level, centre, rules))
#undef RDP_KLT_BY_SIDE

Found find_feature(const Search& search, Place place, Place start, long* iterations) {
  switch (search.rules.window) {
    case 8:
      return find_both_ways_8(search, place, start, iterations);
    case 12:
      return find_both_ways_12(search, place, start, iterations);
    case 16:
      return find_both_ways_16(search, place, start, iterations);
    default:
      return find_both_ways_any(search, place, start, iterations);
  }
}

Equations equations_of_window(const LevelView& level, Place centre, const StepRules& rules) {
  switch (rules.window) {
    case 8:
      return equations_of_side_8(level, centre, rules);
    case 12:
      return equations_of_side_12(level, centre, rules);
    case 16:
      return equations_of_side_16(level, centre, rules);
    default:
      return equations_of_side_any(level, centre, rules);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rdp::klt
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rdp::klt {
namespace {

HWY_EXPORT(find_feature);
HWY_EXPORT(equations_of_window);

}  // namespace

Found find_and_check(const Search& search, Place place, Place start, long* iterations) {
  return HWY_DYNAMIC_DISPATCH(find_feature)(search, place, start, iterations);
}

Equations equations_at(const LevelView& level, Place centre, const StepRules& rules) {
  return HWY_DYNAMIC_DISPATCH(equations_of_window)(level, centre, rules);
}

}  // namespace rdp::klt
#endif  // HWY_ONCE
