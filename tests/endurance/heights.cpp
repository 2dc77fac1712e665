// SPDX-License-Identifier: LGPL-2.1-or-later
// One heightmap: sizes, content, cameras, properties and states change, its pads come and go.
#include <array>
#include <cstring>
#include <memory>

#include "tests/endurance/element_run.h"
#include "tests/heightmap/heights_expected.h"

namespace rdp::endurance {
namespace {

const heightmap::Area kArea = {{-1200, -1000}, {1200, -1000}, {1200, 1000}, {-1200, 1000}};
constexpr int kCell = 100;

// What the element is told, and the reference.
std::vector<heightmap::Parameters> height_settings() {
  heightmap::Parameters plain;
  plain.min_height = 400;
  plain.max_height = 800;
  plain.height_step = 50;
  plain.window = 3;
  plain.speckle = 4;
  plain.iterations = 4;
  std::vector<heightmap::Parameters> all(4, plain);
  all[1].height_step = 100;
  all[1].slope = false;
  all[1].low_step = 0;
  all[2].window = 5;
  all[2].iterations = 12;
  all[2].tolerance = 500;
  all[3].max_height = 600;
  all[3].speckle = 0;
  all[3].unknown_cost = 60;
  return all;
}

void apply(GstElement* element, const heightmap::Parameters& parameters) {
  g_object_set(
      element, "min-height", parameters.min_height / 1000.0, "max-height",
      parameters.max_height / 1000.0, "height-step", parameters.height_step / 1000.0, "low-step",
      parameters.low_step / 1000.0, "unknown-cost", static_cast<guint>(parameters.unknown_cost),
      "slope", parameters.slope ? TRUE : FALSE, "window", static_cast<guint>(parameters.window),
      "speckle", parameters.speckle, "iterations", static_cast<guint>(parameters.iterations),
      "tolerance", static_cast<guint>(parameters.tolerance), nullptr);
}

// Views that go round, each with its camera, and what comes of them with each of the settings.
struct PreparedViews {
  std::array<const Frame*, 2> views;
  std::vector<test::ExpectedHeights> heights;
  std::vector<Expected> ground;
};

Expected ground_of(const test::ExpectedHeights& of) {
  const heightmap::GroundGrid grid = heightmap::ground_grid(kArea, kCell);
  Content cells(
      {GST_VIDEO_FORMAT_GRAY16_LE, static_cast<int>(grid.columns), static_cast<int>(grid.rows)});
  heightmap::draw_ground(of.rig, of.parameters, of.map.labels, grid, cells.view());
  Expected expected;
  expected.samples = checksum(cells);
  return expected;
}

class HeightsRun final : public ElementRun {
 public:
  explicit HeightsRun(const Setup& setup);

 private:
  void step() override;
  void prepare_views(const std::array<Shape, 2>& shapes, unsigned scene);

  const std::vector<heightmap::Parameters> settings_ = height_settings();
  std::vector<PreparedViews> prepared_;
};

HeightsRun::HeightsRun(const Setup& setup)
    : ElementRun(setup, {.element = "heightmap",
                         .feature = setup.memory.feature(),
                         .noun = "set",
                         .inputs = {"sink_0", "sink_1"},
                         .sides = {"ground", "overlay"}}) {
  rig().stop(GST_STATE_READY);
  g_object_set(element(), "area", "-1.2,-1 1.2,-1 1.2,1 -1.2,1", "cell-size", kCell / 1000.0,
               nullptr);
  rig().start();
  constexpr auto k8 = GST_VIDEO_FORMAT_GRAY8;
  const std::array<Shape, 2> all[] = {{Shape{k8, 48, 36}, Shape{k8, 48, 36}},
                                      {Shape{k8, 33, 25}, Shape{k8, 60, 44, 5, 64}},
                                      {Shape{k8, 71, 20, 16, 96}, Shape{k8, 21, 30}}};
  for (const std::array<Shape, 2>& shapes : all) {
    for (unsigned scene = 0; scene < 2; ++scene) prepare_views(shapes, scene);
  }
}

void HeightsRun::prepare_views(const std::array<Shape, 2>& shapes, unsigned scene) {
  PreparedViews prepared;
  heightmap::Rig rig;
  std::vector<DepthView> pictures;
  for (std::size_t i = 0; i < 2; ++i) {
    // The second camera of other scenes stands elsewhere.
    const int index = i == 0 ? 0 : 1 + static_cast<int>(scene);
    const test::BlockCamera camera = test::block_camera(index, shapes[i].width, shapes[i].height);
    Content picture(shapes[i]);
    test::draw_block(camera, scene, picture.view());
    prepared.views[i] = &prepare(std::move(picture));
    GstRdpCamera* described = test::new_camera(camera);
    gst_buffer_add_rdp_camera_meta(prepared.views[i]->buffer.get(), described);
    gst_rdp_camera_unref(described);
    rig.views.push_back(camera.view);
    pictures.push_back(prepared.views[i]->content.view());
  }
  for (const heightmap::Parameters& parameters : settings_) {
    prepared.heights.push_back(test::expected_heights(rig, parameters, kArea, pictures));
    prepared.ground.push_back(ground_of(prepared.heights.back()));
  }
  prepared_.push_back(std::move(prepared));
}

void HeightsRun::step() {
  const PreparedViews& views = prepared_[visited(prepared_.size())];
  const std::size_t setting = chosen(settings_.size(), 0);
  for (const std::size_t i : {0, 1}) {
    announce(i, views.views[i]->content.shape, setup().memory.feature());
  }
  apply(element(), settings_[setting]);
  for (const std::size_t i : {0, 1}) {
    const std::size_t which = (frame() + i) % 2;  // either view may be the first
    push(which, share(views.views[which]->buffer.get(), pts()));
  }
  const test::ExpectedHeights& heights = views.heights[setting];
  const BufferRef output = take();
  if (output != nullptr && compares()) {
    const Shape& shape = views.views[0]->content.shape;
    Content samples({GST_VIDEO_FORMAT_GRAY16_LE, shape.width, shape.height});
    std::memcpy(samples.samples.data(), heights.heights.data(), samples.samples.size());
    Expected expected;
    expected.samples = checksum(samples);
    complain(check_samples(output.get(), samples.shape, expected));
    complain(test::difference_of_metadata(heights, output.get()));
  }
  const BufferRef ground = take_of(0);
  if (ground != nullptr && compares()) {
    complain(
        check_samples(ground.get(), {GST_VIDEO_FORMAT_GRAY16_LE, 24, 20}, views.ground[setting]));
  }
  take_of(1);
}

}  // namespace

std::unique_ptr<Run> make_heights(const Setup& setup) {
  return std::make_unique<HeightsRun>(setup);
}

}  // namespace rdp::endurance
