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
template <Light kLight, int kSide>
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
    const ResidualSums sums = residual_sums<kLight>(level, window, *displacement);
    const Place step = step_of(equations, sums, kLight);
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

// See reference::find(). The residual is computed only if wanted.
template <Light kLight, int kSide>
HWY_NOINLINE Found find(const Picture& from, const Picture& to, const Search& search, Place place,
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
    read_template<kLight>(from.level(i), centre, &window, &sums);
    const Equations equations = equations_of(sums, rules.pixels(), kLight);
    const bool textured = has_texture(equations, rules.min_eigenvalue, i == 0);
    const bool stayed = textured && iterate<kLight>(level, window, equations, centre, rules,
                                                    &displacement, iterations);
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
      const ResidualSums last = residual_sums<kLight>(level, window, displacement);
      const LightChange change = light_change(equations, sums, last, rules.pixels(), kLight);
      found.residual =
          residual_of(sum_of_differences(level, window, displacement, change), rules.pixels());
    }
    return found;
  }
}

template <Light kLight, int kSide>
Found find_both_ways(const Search& search, Place place, Place start, long* iterations) {
  const StepRules& rules = search.rules;
  Found found =
      find<kLight, kSide>(*search.from, *search.to, search, place, start, true, iterations);
  if (found.reason != Reason::kTracked) return found;
  if (rules.max_residual > 0.0 && found.residual > rules.max_residual) {
    found.reason = Reason::kResidual;
  } else if (rules.check > 0) {
    const Place d = found.displacement;
    const Found back =
        find<kLight, kSide>(*search.to, *search.from, search, {place.x + d.x, place.y + d.y},
                            {-d.x, -d.y}, false, iterations);
    if (back.reason != Reason::kTracked || std::abs(d.x + back.displacement.x) > rules.check ||
        std::abs(d.y + back.displacement.y) > rules.check) {
      found.reason = Reason::kCheck;
    }
  }
  return found;
}

template <Light kLight, int kSide>
HWY_NOINLINE Equations equations_of_side(const LevelView& level, Place centre,
                                         const StepRules& rules) {
  Window<kSide> window;
  window.set_side(rules.window);
  TemplateSums sums;
  read_template<kLight>(level, centre, &window, &sums);
  return equations_of(sums, rules.pixels(), kLight);
}

// Calls body with the light and the side as constants; a side of 0 is that of the rules.
template <Light kLight, typename Body>
HWY_INLINE auto with_side(int side, const Body& body) {
  using Constant = std::integral_constant<Light, kLight>;
  switch (side) {
    case 8:
      return body(Constant(), std::integral_constant<int, 8>());
    case 12:
      return body(Constant(), std::integral_constant<int, 12>());
    case 16:
      return body(Constant(), std::integral_constant<int, 16>());
    default:
      return body(Constant(), std::integral_constant<int, 0>());
  }
}
template <typename Body>
HWY_INLINE auto with_constants(const StepRules& rules, const Body& body) {
  switch (rules.light) {
    case Light::kNone:
      return with_side<Light::kNone>(rules.window, body);
    case Light::kBias:
      return with_side<Light::kBias>(rules.window, body);
    default:
      return with_side<Light::kGainBias>(rules.window, body);
  }
}

Found find_feature(const Search& search, Place place, Place start, long* iterations) {
  return with_constants(search.rules, [&](auto light, auto side) {
    return find_both_ways<light(), side()>(search, place, start, iterations);
  });
}

Equations equations_of_window(const LevelView& level, Place centre, const StepRules& rules) {
  return with_constants(rules, [&](auto light, auto side) {
    return equations_of_side<light(), side()>(level, centre, rules);
  });
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
