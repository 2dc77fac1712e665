// SPDX-License-Identifier: LGPL-2.1-or-later
// A plugin of its own, so that the other one does not depend on compression libraries. A process
// may have both: neither registers a type of the other.
#include <gst/gst.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "gst/elements/package.h"

GST_ELEMENT_REGISTER_DECLARE(mcapsink)
GST_ELEMENT_REGISTER_DECLARE(mcapsrc)

static gboolean plugin_init(GstPlugin* plugin) {
  return GST_ELEMENT_REGISTER(mcapsink, plugin) && GST_ELEMENT_REGISTER(mcapsrc, plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, rdpmcap,
                  "Recordings of depth, pictures, clouds and metadata: MCAP", plugin_init,
                  PACKAGE_VERSION, "LGPL", PACKAGE_NAME, PACKAGE_ORIGIN)
