// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for all tests on GoogleTest. Each of them includes what it needs by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>
