// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_REFERENCE_H_
#define RDP_COMMON_HEIGHTMAP_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"

// The definition of height maps: plain scalar code that is meant to be read, in integers except for
// the geometry (geometry.h, potential.h). Faster engines are bit-identical. Nothing here is used
// while streaming.
//
// Labels of heights by belief propagation, with the expectation that heights rise along the image
// of the vertical: A. Rezaei, N. Pellicanò, E. Aldea, "GPU-accelerated height map estimation with
// local geometry priors in large scenes"; N. Pellicanò, E. Aldea, S. Le Hegarat-Mascle, BMVC
// workshop 2017. Messages in linear time: P. Felzenszwalb, D. Huttenlocher, "Efficient Belief
// Propagation for Early Vision", IJCV 2006.
//
// Label l is the height min_height + l * height_step, and label heights() is `unknown`.
namespace rdp::heightmap::reference {

// 16 times the picture smoothed with (1 2 1) in both directions. Beyond its border a picture shows
// the nearest pixel.
int smoothed(const DepthView& picture, int row, int column);

// For each pixel, 24 bits for the other pixels in the 5x5 window, row by row. A bit is 1 if that
// pixel is at least the centre, in the smoothed picture.
std::vector<std::uint32_t> census(const DepthView& picture);

// The input of belief propagation.
struct Field {
  int width = 0;
  int height = 0;
  std::vector<std::int32_t> potential;  // by pixel
  std::vector<std::uint8_t> costs;      // by pixel and label, 0 to 127
  std::vector<std::uint8_t> edges;      // by pixel, of edges(); none: there are no edges
};

// True if all pixels up to `reach` columns and rows away have one grey level.
bool is_plain(const DepthView& picture, int row, int column, int reach);

// The cost of each label at each pixel of the reference picture. A height's window is upright: each
// of its pixels takes the centre's label plus the potential's rise from the centre. `unknown` costs
// the minimum over the low heights in flat windows, plus low_bias; at most unknown_cost. At
// textureless pixels (is_plain()) heights cost at least kPlainCost, and `unknown` less than each of
// them. `potential`: potential_of(), by pixel.
std::vector<std::uint8_t> costs(const Geometry& geometry, const Rig& rig,
                                const Parameters& parameters,
                                const std::vector<std::int32_t>& potential,
                                std::span<const DepthView> pictures);

// Edges of the reference picture: changes of edge_contrast or more to the next pixel, to the right
// (kEdgeRight) or below (kEdgeBelow). Heads end at image edges, so jumps cost less there: Y.
// Boykov, M.-P. Jolly, "Interactive Graph Cuts", ICCV 2001.
std::vector<std::uint8_t> edges(const DepthView& picture, const Parameters& parameters);
// The cost of `unknown` beside a height, for neighbours p and q, side by side or one below the
// other: unknown_jump, or edge_jump at an edge.
int jump_between(const Field& field, const Parameters& parameters, std::size_t p, std::size_t q);

// The cost of the label b of q beside the label a of p. Heights are expected to rise by `rise`
// labels from p to q, and `unknown` costs `jump` beside a height.
int edge_cost(int a, int b, int rise, int jump, const Parameters& parameters);

// The messages that reach each pixel from its neighbour on the left, on the right, above and below,
// each by pixel and label.
using Messages = std::vector<std::uint8_t>[4];

// Sets all messages to zero.
void start(const Field& field, const Parameters& parameters, Messages* messages);
// The message of a pixel to a neighbour. `known`, by label: the pixel's cost plus the messages of
// its other neighbours. `rise` and `jump`: from the pixel to the neighbour. `told`, by label: the
// minimum of known + edge_cost over the pixel's labels, shifted so that the smallest is 0. Linear
// time.
void message(const std::vector<int>& known, int rise, int jump, const Parameters& parameters,
             std::uint8_t* told);
// Sends the messages of all pixels with even x + y + k.
void half_iteration(const Field& field, const Parameters& parameters, int k, Messages* messages);

// The label of the smallest belief of each pixel; ties go to the smallest label.
std::vector<std::uint8_t> labels_of(const Field& field, const Parameters& parameters,
                                    const Messages& messages);
// The sum of the costs of all pixels and of all edges.
std::int64_t energy(const Field& field, const Parameters& parameters,
                    const std::vector<std::uint8_t>& labels);

struct Labelling {
  std::vector<std::uint8_t> labels;  // row by row
  std::int64_t energy = 0;
  int iterations = 0;
};
// Runs half-iterations k = 0, 1, ... With a tolerance, stops when ten of them lower the energy by
// no more than that many millionths.
Labelling propagate(const Field& field, const Parameters& parameters);

// Makes every component of at most `size` pixels unknown. Two neighbours, side by side or one below
// the other, share a component if both are known and their labels differ by at most 1.
void remove_speckles(int width, int height, int unknown, int size,
                     std::vector<std::uint8_t>* labels);

// Maxima of the votes that known pixels cast on the ground, in cells of kHeadCell. A cell's score
// is the number of votes within kHeadReach. A cell is a head if its score is at least `least` and
// the highest within kHeadApart; ties go to the smaller y, then x. A head's height is the vote of
// rank head_rank(). Its position is the mean of the votes, moved from the head's front to its
// centre (move_behind_front()).
std::vector<Head> heads(const Geometry& geometry, const Parameters& parameters, int least,
                        const Area& area, const std::vector<std::uint8_t>& labels);

struct HeightMap {
  std::vector<std::uint8_t> labels;  // after speckles
  std::vector<Head> heads;
  std::int64_t energy = 0;
  int iterations = 0;
  std::int64_t known = 0;
};
// The whole definition. `pictures` as for Engine::run(); the rig must pass check_rig().
HeightMap height_map(const Rig& rig, const Parameters& parameters, const Area& area,
                     std::span<const DepthView> pictures);

}  // namespace rdp::heightmap::reference

#endif  // RDP_COMMON_HEIGHTMAP_REFERENCE_H_
