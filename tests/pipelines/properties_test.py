#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares the tables of properties in docs/ with the elements. Reports in TAP.

What a table names is a property of the page's element or of one of its pads, with that default
where it is a number, a text, a name or true or false. Each property that an element or a pad of it
brings along is named on its page, in backquotes.
"""

import pathlib
import re
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

from tap import Tap  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = {
    "rdpsegment.md": ["rdpsegment"],
    "depthalign.md": ["depthalign"],
    "depthfilter.md": ["depthfilter"],
    "depthobstacles.md": ["depthobstacles"],
    "depthplanes.md": ["depthplanes"],
    "depthpoints.md": ["depthpoints"],
    "depthrvlenc.md": ["depthrvlenc", "depthrvldec"],
    "depthstereo.md": ["depthstereo"],
    "depthtestsrc.md": ["depthtestsrc"],
    "heightmap.md": ["heightmap"],
    "klttrack.md": ["klttrack"],
    "rdpmotion.md": ["rdpmotion"],
    "rdpoverlay.md": ["rdpoverlay"],
    "rdpmetaconvert.md": ["rdpmetaconvert"],
    "mcapsink.md": ["mcapsink"],
    "mcapsrc.md": ["mcapsrc"],
    "pngfoldersrc.md": ["pngfoldersrc"],
    "pointcloud.md": ["pointcloudsrc", "pointcloudsink"],
    "cuda.md": ["depthupload", "depthdownload"],
}
NAME = re.compile(r"`([a-z0-9-]+)`")


def is_own(spec):
    """It comes from here, not from one of GStreamer's classes."""
    name = spec.owner_type.name
    return name.startswith(("GstRdp", "GstDepth", "GstHeightmap", "GstKlt", "GstMcap", "GstPointCloud", "GstPng")) or not name.startswith("G")


def objects_of(name):
    """The element, and the pads beside its inputs."""
    element = Gst.ElementFactory.make(name)
    if element is None:
        return []
    requested = [templ.name_template for templ in element.get_pad_template_list()
                 if templ.presence == Gst.PadPresence.REQUEST and templ.direction == Gst.PadDirection.SRC]
    return [element, *(element.request_pad_simple(pad) for pad in requested)]


def rows_of(text):
    """(name, default) of all tables of properties; the default may be empty."""
    in_table = False
    for line in text.splitlines():
        if line.startswith("| property |"):
            in_table = True
        elif not line.startswith("|"):
            in_table = False
        elif in_table and not line.startswith("|---"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
            names = NAME.findall(cells[1])
            defaults = [default.strip() for default in cells[2].split(",")]
            if len(defaults) != len(names):
                defaults = [""] * len(names)
            yield from zip(names, defaults)


def same(value, text):
    """Whether a default is what the page says; what is not a plain value is left to the reader."""
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, GObject.GEnum):
        return text == value.value_nick
    if isinstance(value, (int, float)):
        try:
            return float(text) in (value, value - 2**64)  # -1 is the largest there is
        except ValueError:
            return False
    return True


def complaints(page, objects):
    text = (ROOT / "docs" / page).read_text()
    found = []
    rows = list(rows_of(text))
    for name, default in rows:
        having = [of for of in objects if of.find_property(name) is not None]
        if not having:
            found.append(f"there is no property {name}")
        elif default and not any(same(of.get_property(name), default)
                                 for of in having if is_scalar(of.find_property(name))):
            if any(is_scalar(of.find_property(name)) for of in having):
                values = ", ".join(str(of.get_property(name)) for of in having)
                found.append(f"{name} is {values} by default, not {default}")
    named = set(NAME.findall(text)) | set(re.findall(r"::([a-z0-9-]+)=", text))
    for of in objects:
        found += [f"{spec.name} of {of.name} is not named" for spec in of.list_properties()
                  if is_own(spec) and spec.name not in named]
        found += stats_complaints(of, named)
    if not rows:
        found.append("no table of properties was found")
    return "\n".join(found)


def stats_complaints(of, named):
    """Fields of `stats` that neither page nor blurb names, and those of the bases that are missing."""
    spec = of.find_property("stats")
    if spec is None:
        return []
    stats = of.get_property("stats")
    fields = {stats.nth_field_name(i) for i in range(stats.n_fields())}
    common = set()
    # rdpoverlay works on no frames of its own.
    if of.find_property("threads") and of.get_factory().get_name() != "rdpoverlay":
        common |= {"last-time", "mean-time", "backend", "simd"}
    if of.find_property("sync-tolerance"):
        common |= {"paired", "unpaired", "dropped", "late", "inputs"}
    if "overlay" in [templ.name_template for templ in of.get_pad_template_list()]:
        common.add("pictures-dropped")
    named = named | set(re.findall(r"[a-z0-9-]+", spec.blurb))
    # A sum is named with its step.
    missing = {field for field in fields if field.removesuffix("-sum") not in named}
    return [f"{field} of stats is not named" for field in sorted(missing) if is_own(spec)] + \
        [f"stats lacks {field}" for field in sorted(common - fields)]


def is_scalar(spec):
    return spec.flags & GObject.ParamFlags.READABLE and spec.value_type.is_a(GObject.TYPE_ENUM) or \
        spec.value_type in (GObject.TYPE_BOOLEAN, GObject.TYPE_INT, GObject.TYPE_UINT, GObject.TYPE_INT64,
                            GObject.TYPE_UINT64, GObject.TYPE_DOUBLE, GObject.TYPE_FLOAT, GObject.TYPE_STRING)


def main():
    Gst.init(None)
    tap = Tap()
    for page, names in PAGES.items():
        objects = [of for name in names for of in objects_of(name)]
        if objects:
            tap.check(page, complaints(page, objects))
        else:
            tap.skip(page, "its elements need a device, or what this build lacks")
    plugin = Gst.Registry.get().get_feature_list_by_plugin("rdpsegment")
    elements = {feature.get_name() for feature in plugin if isinstance(feature, Gst.ElementFactory)}
    missing = elements - {name for names in PAGES.values() for name in names}
    tap.check("all elements have a page", ", ".join(sorted(missing)))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
