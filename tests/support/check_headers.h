// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for all tests on gst-check, which include what they need by themselves. Without
// gstcheck.h: it defines macros with names such as fail.
#include <gst/gst.h>
#include <gst/video/video.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>
