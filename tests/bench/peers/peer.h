/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_TESTS_BENCH_PEERS_PEER_H_
#define RDP_TESTS_BENCH_PEERS_PEER_H_

/* The interface of another plane detector for planes_bench and planes_accuracy: a shared library
 * with these three functions. */
#ifdef __cplusplus
extern "C" {
#endif

/* The name for the table. */
const char* rdp_peer_name(void);

/* Takes an organised cloud and converts it to the detector's order. x, y and z hold a number in
 * millimetres per pixel, row by row; z is 0 for unknown pixels. Not timed. */
void rdp_peer_take_cloud(const float* x, const float* y, const float* z, int width, int height);

/* Labels the pixels of the latest cloud: 0, or 1 + the plane's index. */
void rdp_peer_find_planes(unsigned char* labels);

#ifdef __cplusplus
}
#endif

#endif /* RDP_TESTS_BENCH_PEERS_PEER_H_ */
