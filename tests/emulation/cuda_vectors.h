// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_EMULATION_CUDA_VECTORS_H_
#define RDP_TESTS_EMULATION_CUDA_VECTORS_H_

// CUDA's vector types with CUDA's alignment: one access reads or writes a whole vector.
#define RDP_EMULATION_VECTORS(name, type)                                        \
  struct alignas(2 * sizeof(type)) name##2 {                                     \
    type x, y;                                                                   \
  };                                                                             \
  struct name##3 {                                                               \
    type x, y, z;                                                                \
  };                                                                             \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 {        \
    type x, y, z, w;                                                             \
  };                                                                             \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
RDP_EMULATION_VECTORS(char, signed char)
RDP_EMULATION_VECTORS(uchar, unsigned char)
RDP_EMULATION_VECTORS(short, short)
RDP_EMULATION_VECTORS(ushort, unsigned short)
RDP_EMULATION_VECTORS(int, int)
RDP_EMULATION_VECTORS(uint, unsigned)
RDP_EMULATION_VECTORS(float, float)
#undef RDP_EMULATION_VECTORS
struct alignas(16) longlong2 {
  long long x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
constexpr ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

#endif  // RDP_TESTS_EMULATION_CUDA_VECTORS_H_
