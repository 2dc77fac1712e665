// SPDX-License-Identifier: LGPL-2.1-or-later
// The same for targets that use GStreamer. Without gstcheck.h: it defines macros with names such as
// fail.
#include <gst/gst.h>
#include <gst/video/video.h>

#include <map>

#include "common/image/precompiled.h"
