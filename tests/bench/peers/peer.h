/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_TESTS_BENCH_PEERS_PEER_H_
#define RDP_TESTS_BENCH_PEERS_PEER_H_

/* What planes_bench and planes_accuracy ask of another finder of planes: a shared library with
 * these three functions. */
#ifdef __cplusplus
extern "C" {
#endif

/* What the table calls it. */
const char* rdp_peer_name(void);

/* Takes an organised cloud and puts it into the order that the finder wants. x, y and z have a
 * number in millimetres for each pixel, row by row; z is 0 where nothing is known. This is not
 * timed. */
void rdp_peer_take_cloud(const float* x, const float* y, const float* z, int width, int height);

/* Labels the pixels of the cloud that was taken: 0, or 1 + the plane's number. */
void rdp_peer_find_planes(unsigned char* labels);

#ifdef __cplusplus
}
#endif

#endif /* RDP_TESTS_BENCH_PEERS_PEER_H_ */
