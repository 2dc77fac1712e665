// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/crowd_sets.h"

#include <json-glib/json-glib.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "common/heightmap/geometry.h"
#include "common/scene/crowd_camera.h"
#include "common/scene/crowd_scene.h"
#include "common/scene/crowd_walk.h"
#include "common/scene/hash_random.h"
#include "common/scene/sensor_noise.h"
#include "tests/bench/gray_png.h"
#include "tests/heightmap/heightmap_cases.h"

namespace rdp::bench {
namespace {

struct Unref {
  void operator()(JsonParser* parser) const { g_object_unref(parser); }
};
using Parser = std::unique_ptr<JsonParser, Unref>;

// The file's JSON object, which belongs to the parser. Null: the file is missing.
JsonObject* load(const Parser& parser, const std::filesystem::path& file) {
  if (!json_parser_load_from_file(parser.get(), file.c_str(), nullptr)) return nullptr;
  JsonNode* root = json_parser_get_root(parser.get());
  return root != nullptr && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : nullptr;
}

std::vector<Person> read_people(const std::filesystem::path& calibration) {
  const Parser parser(json_parser_new());
  std::vector<Person> people;
  JsonObject* object = load(parser, calibration);
  if (object == nullptr || !json_object_has_member(object, "people")) return people;
  JsonArray* all = json_object_get_array_member(object, "people");
  for (guint i = 0; i < json_array_get_length(all); ++i) {
    JsonObject* one = json_array_get_object_element(all, i);
    people.push_back({json_object_get_double_member(one, "x"),
                      json_object_get_double_member(one, "y"),
                      json_object_get_double_member(one, "height")});
  }
  return people;
}

// Draws all views of these people, and the truth of the first view.
void draw(const std::vector<std::vector<CrowdPerson>>& people, CrowdLook look, CrowdSet* set) {
  CrowdRenderer renderer;
  for (std::size_t i = 0; i < people.size(); ++i) {
    const heightmap::View& view = set->rig.views[i];
    CrowdMatrix projection{};
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        projection[row][column] = view.projection[row][column];
      }
    }
    look.view = static_cast<int>(i);
    look.scale = crowd_scale(view.width);
    const std::size_t pixels =
        static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
    set->pixels.emplace_back(pixels);
    renderer.draw_picture(people[i], projection, look,
                          {reinterpret_cast<std::byte*>(set->pixels.back().data()), view.width,
                           view.width, view.height, SampleType::kU8});
    if (i > 0) continue;
    set->truth.resize(pixels);
    renderer.draw_heights(people[i], projection,
                          {reinterpret_cast<std::byte*>(set->truth.data()), 2 * view.width,
                           view.width, view.height, SampleType::kU16});
    for (const CrowdPerson& person : people[i]) {
      set->people.push_back({person.x, person.y, person.height});
    }
  }
}

heightmap::View view_of_crowd(const DrawnCrowd& crowd, std::size_t index) {
  if (!crowd.eyes.empty()) {
    const CrowdEye& eye = crowd.eyes[index];
    return test::view_of({eye.x, eye.y, eye.z}, {0.0, 0.0, CrowdCamera::kAim}, crowd.focal,
                         crowd.width, crowd.height, true);
  }
  const CrowdMatrix projection =
      crowd_camera(static_cast<int>(index), crowd.angle, crowd.width, crowd.height).projection();
  heightmap::View view;
  view.width = crowd.width;
  view.height = crowd.height;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      view.projection[row][column] = projection[row][column];
    }
  }
  return view;
}

// True if the person's head is in the picture.
bool has_head(const heightmap::View& view, const Person& person) {
  double at[3];
  for (int row = 0; row < 3; ++row) {
    const double* const p = view.projection[row];
    at[row] = p[0] * person.x + p[1] * person.y + p[2] * (person.height - 0.12) + p[3];
  }
  const double across = 12.0;  // half a head
  const double column = at[0] / at[2];
  const double row = at[1] / at[2];
  return column >= across && column <= view.width - across && row >= across &&
         row <= view.height - across;
}

}  // namespace

std::vector<DepthView> CrowdSet::pictures() const {
  std::vector<DepthView> result;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const heightmap::View& view = rig.views[i];
    result.push_back({reinterpret_cast<const std::byte*>(pixels[i].data()), view.width, view.width,
                      view.height, SampleType::kU8});
  }
  return result;
}

heightmap::Rig read_rig(const std::filesystem::path& calibration) {
  const Parser parser(json_parser_new());
  heightmap::Rig rig;
  JsonObject* object = load(parser, calibration);
  if (object == nullptr) return rig;
  JsonArray* size = json_object_get_array_member(object, "size");
  JsonArray* matrices = json_object_get_array_member(object, "projection");
  for (guint i = 0; i < json_array_get_length(matrices); ++i) {
    heightmap::View view;
    view.width = static_cast<int>(json_array_get_int_element(size, 0));
    view.height = static_cast<int>(json_array_get_int_element(size, 1));
    JsonArray* rows = json_array_get_array_element(matrices, i);
    for (guint row = 0; row < 3; ++row) {
      JsonArray* numbers = json_array_get_array_element(rows, row);
      for (guint column = 0; column < 4; ++column) {
        view.projection[row][column] = json_array_get_double_element(numbers, column);
      }
    }
    rig.views.push_back(view);
  }
  return rig;
}

std::optional<std::filesystem::path> crowd_folder(const char* name) {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder == nullptr) return std::nullopt;
  const std::filesystem::path path = std::filesystem::path(folder) / "stereo" / name;
  if (!std::filesystem::is_directory(path)) return std::nullopt;
  return path;
}

std::optional<CrowdSet> recorded_crowd() {
  const auto folder = crowd_folder("crowd-synthetic");
  if (!folder.has_value()) return std::nullopt;
  CrowdSet set;
  set.rig = read_rig(*folder / "calibration.json");
  set.people = read_people(*folder / "calibration.json");
  for (std::size_t i = 0; i < set.rig.views.size(); ++i) {
    const rdp::reference::Frame frame =
        read_gray_png(*folder / ("view" + std::to_string(i) + ".png"));
    const heightmap::View& view = set.rig.views[i];
    if (frame.width != view.width || frame.height != view.height) return std::nullopt;
    set.pixels.emplace_back(frame.samples.begin(), frame.samples.end());
  }
  set.truth = read_gray_png(*folder / "height_mm_view0.png").samples;
  if (set.rig.views.size() != 3 || set.truth.size() != set.pixels[0].size()) return std::nullopt;
  return set;
}

CrowdSet draw_crowd(const DrawnCrowd& crowd) {
  CrowdSet set;
  std::vector<std::vector<CrowdPerson>> people(crowd.late.size());
  for (std::size_t i = 0; i < crowd.late.size(); ++i) {
    find_crowd({crowd.seed, crowd.people}, crowd.moment + std::int64_t{crowd.late[i]} * 1000000,
               &people[i]);
    set.rig.views.push_back(view_of_crowd(crowd, i));
  }
  CrowdLook look;
  look.contrast = crowd.contrast;
  look.noise = crowd.noise;
  look.seed = crowd.seed;
  look.moment = crowd.moment;
  draw(people, look, &set);
  if (!crowd.eyes.empty()) {
    std::erase_if(set.people,
                  [&](const Person& person) { return !has_head(set.rig.views[0], person); });
  }
  return set;
}

CrowdSet drawn_again(const CrowdSet& set) {
  std::vector<CrowdPerson> people;
  for (const Person& person : set.people) {
    const std::uint64_t key = sub_key(1, people.size());
    HashSequence random(key);
    people.push_back(
        {person.x, person.y, person.height, random.happens(0.5), random.uniform(70.0, 190.0), key});
  }
  CrowdSet drawn;
  drawn.rig = set.rig;
  CrowdLook look;
  look.noise = 2.0;
  draw(std::vector<std::vector<CrowdPerson>>(set.rig.views.size(), people), look, &drawn);
  return drawn;
}

CrowdSet with_noise(CrowdSet set, double deviation) {
  const SensorNoise noise(deviation);
  for (std::size_t i = 0; i < set.pixels.size(); ++i) noise.add(sub_key(7, i), set.pixels[i]);
  return set;
}

double pixels_a_metre(const CrowdSet& set) {
  const heightmap::Geometry geometry = heightmap::geometry_of(set.rig);
  const heightmap::Plane plane = geometry.plane(heightmap::middle_height({}));
  const double row = (geometry.height - 1) / 2.0;
  const auto ground = [&](double column) {
    const heightmap::Vector3 q = heightmap::times(plane.to_ground, column, row);
    return std::pair(q.x / q.z, q.y / q.z);
  };
  const auto [x0, y0] = ground((geometry.width - 1) / 2.0);
  const auto [x1, y1] = ground((geometry.width + 1) / 2.0);
  return 1.0 / std::sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
}

}  // namespace rdp::bench
