// SPDX-License-Identifier: LGPL-2.1-or-later
// A plugin with the rdpmetaconvert of this build, which has been told of the kind.
#include "gst/elements/rdpmetaconvert/gstrdpmetaconvert.h"
#include "tests/third_kind/rows_json.h"

static gboolean plugin_init(GstPlugin* plugin) {
  rdp::add_convert_kind(kRowsKind);
  return GST_ELEMENT_REGISTER(rdpmetaconvert, plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, thirdkind, "A third kind of metadata",
                  plugin_init, "1", "LGPL", PACKAGE, "unknown")
