/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_TESTS_BENCH_PEERS_PEER_H_
#define RDP_TESTS_BENCH_PEERS_PEER_H_

/* What planes_bench asks of another finder of planes: a shared library with these two functions. */
#ifdef __cplusplus
extern "C" {
#endif

/* What the table calls it. */
const char* rdp_peer_name(void);

/* Labels the pixels of an organised cloud: 0, or 1 + the plane's number. x, y and z have a number
 * in millimetres for each pixel, row by row; z is 0 where nothing is known. What it needs it
 * allocates at the first call for a size, and keeps. */
void rdp_peer_find_planes(const float* x, const float* y, const float* z, int width, int height,
                          unsigned char* labels);

#ifdef __cplusplus
}
#endif

#endif /* RDP_TESTS_BENCH_PEERS_PEER_H_ */
