// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/gst.h>

#include "gst/elements/gstdepthtestsrc.h"
#include "gst/elements/gstrdpmetaconvert.h"
#include "gst/elements/gstrdpsegment.h"

static gboolean plugin_init(GstPlugin* plugin) {
  return GST_ELEMENT_REGISTER(depthtestsrc, plugin) && GST_ELEMENT_REGISTER(rdpsegment, plugin) &&
         GST_ELEMENT_REGISTER(rdpmetaconvert, plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, rdpsegment,
                  "Turns depth frames into compact geometry", plugin_init, PACKAGE_VERSION, "LGPL",
                  PACKAGE, PACKAGE_ORIGIN)
