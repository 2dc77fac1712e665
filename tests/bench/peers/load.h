// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_PEERS_LOAD_H_
#define RDP_TESTS_BENCH_PEERS_LOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/accuracy/planes_frames.h"
#include "tests/bench/peers/peer.h"

// Other plane detectors, in shared libraries built by the scripts beside this file.
namespace rdp::bench {

class Peer {
 public:
  // Loads a library until the program ends. Exits if it is unusable.
  explicit Peer(const char* file);

  const std::string& name() const { return name_; }
  // Passes the points of a frame to the library; not timed.
  void prepare(const PlanesFrame& frame);
  // Labels the prepared frame.
  void find(std::vector<std::uint8_t>* labels) const;

 private:
  std::string name_;
  decltype(&rdp_peer_take_cloud) take_ = nullptr;
  decltype(&rdp_peer_find_planes) find_ = nullptr;
  std::vector<float> x_, y_, z_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_PEERS_LOAD_H_
