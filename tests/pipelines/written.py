# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks at the files that a documented pipeline has written.

- A PNG of depth has the bits of the samples that went into it, and the same samples. Those come from
  the same pipeline, cut off before the encoder and run once more.
- A PNG of the overlay is an 8-bit colour picture that shows more than one colour.
- JSON lines can be parsed line by line, count their frames from 0, and have segments, planes, tracks or heads;
  with points, as many as segments.
- A CSV of obstacles has a line per frame, and obstacles.
- A PLY is what viewers read: as many points before the camera as its header says, and edges between them.
- A cloud has as many points as its header says, known ones in a PLY.
- A raw file has the bytes of its frames, and no more.
- What a muxer has recorded is replayed, and has the samples of its frames; lossy films look alike.

A file of another kind is an error: whoever documents a pipeline that writes one says here what has to
be in it.
"""

import csv
import glob
import json
import os
import pathlib
import re

import numpy as np

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

SAMPLES = {"GRAY8": "u1", "GRAY16_LE": "<u2", "GRAY16_BE": ">u2"}
COLOURS = {"RGB": 3, "RGBA": 4}  # bytes of a pixel
GRAY_TYPE, COLOUR_TYPES = 0, (2, 6)  # of PNG
PAD = re.compile(r"[\w-]+\.[\w-]*")
SINKS = ("filesink", "multifilesink", "pointcloudsink")
# How to replay what a muxer (or payloader) has written: up to raw frames.
REPLAYED = {
    "qtmux": ["qtdemux", "!", "pngdec"],
    "matroskamux": ["matroskademux", "!", "avdec_ffv1"],
    "gdppay": ["gdpdepay"],
    "avimux": ["avidemux", "!", "jpegdec", "!", "videoconvert", "!", "video/x-raw,format=GRAY8"],
    "mp4mux": ["decodebin", "!", "videoconvert", "!", "video/x-raw,format=RGBA"],
}
ENCODERS = ("pngenc", "avenc_ffv1", "jpegenc", "openh264enc", "x264enc", "depthrvlenc")
PARSERS = ("h264parse",)
# By how many steps pictures, which are no depth, may differ in the mean. Films have colours of half the
# size: the overlay loses 4.7 by that, and a frame differs by 5.5 from the next one.
LOSSY = {"avimux": 4.0, "mp4mux": 5.2}
WAIT = 60 * 10**9  # ns


class Wrong(Exception):
    """What is wrong with a file."""


def elements(words):
    """The words in groups: an element (or what stands between them) with its properties."""
    groups = []
    for word in words:
        is_property = re.match(r"[A-Za-z_][\w:-]*=", word) and groups and groups[-1][0] != "!"
        if is_property:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def property_of(group, name):
    for word in group[1:]:
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=").strip('"')
    return None


def chain_to(groups, end):
    """The elements that are linked one after the other, up to groups[end], without the "!"."""
    chain = [groups[end]]
    while end >= 2 and groups[end - 1][0] == "!":
        end -= 2
        chain.insert(0, groups[end])
    return chain


def files_of(location):
    """The files that a location stands for, in the order of their numbers."""
    return sorted(glob.glob(re.sub(r"%\d*d", "*", location)))


# What the pipeline gives where it is cut off.


def without_converter(chain):
    """The chain up to what is to be kept: encoders, and what converts for them, make the file of that."""
    kept = chain[:-1]
    if kept[-1][0] in REPLAYED:
        kept = kept[:-1]
    if kept[-1][0] in PARSERS:
        kept = kept[:-1]
    if kept[-1][0] not in ENCODERS:
        return kept
    kept = kept[:-1]
    if kept[-1][0] == "queue":
        kept = kept[:-1]
    converted = kept[:-1] if "/" in kept[-1][0] else kept
    return converted[:-1] if converted and converted[-1][0] == "videoconvert" else kept


def samples_of(groups, end):
    """The frames that reach the sink groups[end], as arrays, before they are converted for a file."""
    chain = chain_to(groups, end)
    kept = without_converter(chain)
    first = end - 2 * (len(chain) - 1)
    words = []
    for group in groups[:first]:
        words += ["fakesink", "async=false"] if group[0] in SINKS else group
    for group in kept:
        words += [*group, "!"]
    words += ["appsink", "name=looked_at", "sync=false"]
    for group in groups[end + 1 :]:
        words += ["fakesink", "async=false"] if group[0] in SINKS else group
    Gst.init(None)
    pipeline = Gst.parse_launchv(words)
    pipeline.set_state(Gst.State.PLAYING)
    try:
        return list(pulled(pipeline))
    finally:
        pipeline.set_state(Gst.State.NULL)


def pulled(pipeline):
    sink = pipeline.get_by_name("looked_at")
    while (sample := sink.emit("try-pull-sample", WAIT)) is not None:
        yield picture_in(sample)
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    if error or not sink.get_property("eos"):
        raise Wrong(f"the pipeline did not run once more: {error and error.parse_error()}")


def picture_in(sample):
    """(format, array of rows) of a frame; each pixel of a coloured one is an array, too."""
    caps, buffer = sample.get_caps().get_structure(0), sample.get_buffer()
    kind, width, height = (caps.get_value(name) for name in ("format", "width", "height"))
    if kind not in SAMPLES and kind not in COLOURS:
        raise Wrong(f"frames are {kind}, which nothing here writes into a file")
    dtype = np.dtype(SAMPLES.get(kind, "u1"))
    row = width * COLOURS.get(kind, 1)
    rows = np.frombuffer(buffer.extract_dup(0, buffer.get_size()), "u1").reshape(height, -1)
    pixels = np.ascontiguousarray(rows[:, : row * dtype.itemsize]).view(dtype)
    return kind, pixels.reshape(height, width, -1) if kind in COLOURS else pixels


# What the files hold.


def replayed(path, decoder):
    """The frames in a file."""
    Gst.init(None)
    pipeline = Gst.parse_launchv(
        ["filesrc", f"location={path}", "!", *decoder, "!", "appsink", "name=looked_at", "sync=false"]
    )
    pipeline.set_state(Gst.State.PLAYING)
    try:
        return list(pulled(pipeline))
    finally:
        pipeline.set_state(Gst.State.NULL)


def decoded(path):
    pictures = replayed(path, ["pngdec"])
    if len(pictures) != 1:
        raise Wrong(f"{path} holds {len(pictures)} pictures")
    return pictures[0]


def header_of(path):
    """Width, height, bits of a sample and colour type of a PNG."""
    with open(path, "rb") as png:
        start = png.read(26)
    if len(start) < 26 or start[:8] != b"\x89PNG\r\n\x1a\n" or start[12:16] != b"IHDR":
        raise Wrong(f"{path} is no PNG")
    numbers = (int.from_bytes(start[16:20], "big"), int.from_bytes(start[20:24], "big"))
    return *numbers, start[24], start[25]


def look_at_depth(path, kind, samples):
    """A PNG that was written from an array of samples."""
    bits = 8 * np.dtype(SAMPLES[kind]).itemsize
    width, height, written_bits, colour = header_of(path)
    if (width, height) != samples.shape[::-1]:
        raise Wrong(f"{path} is {width}x{height}, the frame {samples.shape[1]}x{samples.shape[0]}")
    if colour != GRAY_TYPE or written_bits != bits:
        raise Wrong(
            f"{path} has {written_bits} bits a sample and colour type {colour}, its frame is {kind}: "
            + "depth needs all of its bits. Put videoconvert ! video/x-raw,format=GRAY16_BE before pngenc"
        )
    if not np.array_equal(decoded(path)[1], samples):
        raise Wrong(f"{path} has other samples than the frame that it was written from")


def look_at_picture(path, size=None):
    """A PNG of the overlay."""
    width, height, bits, colour = header_of(path)
    if bits != 8 or colour not in COLOUR_TYPES:
        raise Wrong(f"{path} has {bits} bits a sample and colour type {colour}: no picture of an overlay")
    if size and (width, height) != size:
        raise Wrong(f"{path} is {width}x{height}, expected {size[0]}x{size[1]}")
    pixels = decoded(path)[1]
    if (pixels == pixels[0, 0]).all():
        raise Wrong(f"{path} shows nothing: all of it is {pixels[0, 0]}")


def look_at_points(frame, number):
    """The points of a line: six numbers a segment, or null for those of an end without a distance."""
    for column, points in zip(frame["columns"], frame["points"], strict=True):
        for _, ends in zip(column, points, strict=True):
            if len(ends) != 6 or any((ends[i] is None) != (ends[i - i % 3] is None) for i in range(6)):
                raise Wrong(f"line {number}: {ends} are no two points")
    if "focal-length" not in frame["camera"]:
        raise Wrong(f"line {number}: {frame['camera']} is no camera")


def look_at_planes(frame, number):
    """The planes of a line: normals of length 1, boxes in the frame, hulls in the boxes."""
    planes = frame["planes"]
    if frame["unit"] != "m" or not -1 <= frame["ground"] < len(planes):
        raise Wrong(f"line {number}: unit {frame['unit']}, ground {frame['ground']} of {len(planes)} planes")
    for plane in planes:
        if abs(sum(x * x for x in plane["normal"]) - 1) > 1e-4 or plane["distance"] < 0 or plane["inliers"] < 1:
            raise Wrong(f"line {number}: {plane} is no plane")
        if frame.get("cloud"):
            good = all(len(corner) == 3 for corner in plane["hull"])
        else:
            x, y, columns, rows = plane["box"]
            good = x + columns <= frame["width"] and y + rows <= frame["height"] and all(
                x <= column < x + columns and y <= row < y + rows for column, row in plane["hull"]
            )
        if not good:
            raise Wrong(f"line {number}: {plane} is not in its frame")
    return len(planes)


def look_at_segments(frame, number):
    """The segments of a line, column by column."""
    columns = -(-frame["width"] // frame["column-width"])
    if len(frame["columns"]) != columns:
        raise Wrong(f"line {number} has {len(frame['columns'])} columns, expected {columns}")
    for column in frame["columns"]:
        before = 0
        for first, last, *values in column:
            if len(values) != 2 or not before <= first <= last < frame["height"]:
                raise Wrong(f"line {number}: {column} are no segments of {frame['height']} rows")
            before = last
    if "points" in frame:
        look_at_points(frame, number)
    return sum(map(len, frame["columns"]))


def look_at_tracks(frame, number):
    """The tracks of a line: in the frame, ids once; new ones stand still, all have a template or none."""
    size = frame.get("tracks-width", frame["width"]), frame.get("tracks-height", frame["height"])
    ids = [id for id, *_ in frame["tracks"] + frame["lost"]]
    if len(set(ids)) != len(ids) or 0 in ids:
        raise Wrong(f"line {number}: the ids {ids} are not each one's own")
    for _, age, x, y, dx, dy, residual, quality in frame["tracks"]:
        inside = 0 <= x <= size[0] - 1 and 0 <= y <= size[1] - 1
        born = age > 0 or (dx, dy, residual) == (0, 0, 0)
        if not inside or not born or residual < 0 or quality <= 0 or (age > 0 and frame["template-pts"] is None):
            raise Wrong(f"line {number}: {[age, x, y, dx, dy, residual, quality]} is no track")
    warps = frame.get("warps", [])
    if "warps" in frame and len(warps) != len(ids) - len(frame["lost"]):
        raise Wrong(f"line {number}: {len(warps)} warps are not one for each track")
    for (_, age, *_), (*_, residual, taken) in zip(frame["tracks"], warps):
        if taken > age or residual < 0 or (taken == 0 and residual > 0):
            raise Wrong(f"line {number}: a patch of {taken} frames, which differs by {residual}, is no track's of {age}")
    return len(frame["tracks"])


def look_at_motion(frame, number):
    """The motion of a line: of as many segments as there are; what moves has a velocity, and any has tracks."""
    motion = frame["motion"]
    if motion["dt"] is not None and motion["dt"] <= 0 or motion["ego"] is not None and len(motion["ego"]) != 12:
        raise Wrong(f"line {number}: dt {motion['dt']} and ego {motion['ego']} are no motion of a camera")
    if list(map(len, motion["columns"])) != list(map(len, frame["columns"])):
        raise Wrong(f"line {number}: there is not a motion for each segment")
    entries = [entry for column in motion["columns"] for entry in column if entry is not None]
    for tracks, flags, *numbers in entries:
        known = None not in numbers[3:]
        if tracks < 1 or len(numbers) != 7 or known != (flags >= 4) or flags not in (0, 4, 5, 6, 7):
            raise Wrong(f"line {number}: {[tracks, flags, *numbers]} is no motion")
    return len(entries)


def look_at_heights(frame, number):
    """The heights of a line: heads of known pixels, each at a place of its own; the raster, where there is one."""
    size = frame.get("heights-width", frame["width"]), frame.get("heights-height", frame["height"])
    if not 0 <= frame["reference"] < frame["views"] <= 16 or not 0 <= frame["known"] <= 1 or frame["energy"] < 0:
        raise Wrong(f"line {number}: {[frame[key] for key in ('reference', 'views', 'known', 'energy')]} are no heights")
    places = [tuple(head["ground"]) for head in frame["heads"]]
    for head in frame["heads"]:
        inside = 0 <= head["pixel"][0] < size[0] and 0 <= head["pixel"][1] < size[1]
        known = 1 <= head["votes"] <= round(frame["known"] * size[0] * size[1])
        if not inside or not known or head["height"] < 0 or places.count(tuple(head["ground"])) > 1:
            raise Wrong(f"line {number}: {head} is no head")
    grid = frame.get("ground-grid")
    if grid is not None and (grid["cell"] <= 0 or not all(1 <= cells <= 16384 for cells in grid["size"])):
        raise Wrong(f"line {number}: {grid} is no raster")
    return len(frame["heads"])


# The kinds of metadata, by the key of a line that has it.
KINDS = {
    "columns": look_at_segments, "planes": look_at_planes, "tracks": look_at_tracks, "motion": look_at_motion,
    "heads": look_at_heights,
}  # fmt: skip


def look_at_line(line, number):
    """A line of JSON: a frame and what it has. Returns how many things its first kind has."""
    frame = json.loads(line)
    if frame["frame"] != number:
        raise Wrong(f"line {number} has frame {frame['frame']}")
    found = [look(frame, number) for key, look in KINDS.items() if key in frame]
    if not found:
        raise Wrong(f"line {number} has none of {', '.join(KINDS)}")
    return found[0]


def look_at_lines(path, frames=None):
    """A file of JSON lines, as many as frames where that is known."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines.pop() != "":
        raise Wrong(f"{path}: the last line has no end")
    for number, line in enumerate(lines):
        try:
            found = look_at_line(line, number)
        except (ValueError, KeyError, TypeError) as error:
            raise Wrong(f"{path}, line {number}: {type(error).__name__} {error}: {line[:80]}") from error
        if found == 0:
            raise Wrong(f"{path}, line {number} has no segment, plane, track or head")
    if not lines or (frames is not None and len(lines) != frames):
        raise Wrong(f"{path} has {len(lines)} lines, expected {frames or 'some'}")


def look_at_csv(path, frames=None):
    """A file of obstacles as CSV: a header, and a line per frame with obstacles in some, or per object."""
    with open(path, encoding="ascii", newline="") as file:
        lines = list(csv.reader(file))
    if lines[0][:2] == ["time_s", "id"]:
        rows = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
        if not any(float(row["distance_m"]) > 0 and float(row["height_m"]) > 0 for row in rows):
            raise Wrong(f"{path} has no object")
        return
    if lines[0] != ["time_s", "nearest_m", "bearing_deg", "objects", "unknown"]:
        raise Wrong(f"{path}: its header is {lines[0]}")
    if any(len(line) != 5 for line in lines) or (frames is not None and len(lines) != frames + 1):
        raise Wrong(f"{path} has {len(lines)} lines, expected {frames} and a header, of five values")
    if not any(line[1] and float(line[1]) > 0 and int(line[3]) > 0 for line in lines[1:]):
        raise Wrong(f"{path} has no obstacle")


PLY_COLOUR = ["property uchar red", "property uchar green", "property uchar blue"]
PLY_VERTEX = ["property float x", "property float y", "property float z", *PLY_COLOUR]
PLY_EDGE = ["property int vertex1", "property int vertex2", *PLY_COLOUR]


def ply_arrays(path):
    """The vertices and the edges of a PLY of rdpmetaconvert; no edges where it has no such element."""
    content = pathlib.Path(path).read_bytes()
    header, found, body = content.partition(b"end_header\n")
    lines = [line for line in header.decode("ascii", "replace").split("\n") if not line.startswith("comment ")]
    counts = [int(line.split()[2]) for line in lines if line.startswith("element ") and line[-1].isdigit()]
    expected = ["ply", "format binary_little_endian 1.0", *[f"element vertex {n}" for n in counts[:1]], *PLY_VERTEX]
    if len(counts) == 2:
        expected += [f"element edge {counts[1]}", *PLY_EDGE]
    if not found or lines != [*expected, ""]:
        raise Wrong(f"{path}: its header is {lines}, expected {expected}")
    vertex = np.dtype([("xyz", "<f4", 3), ("rgb", "u1", 3)])
    edge = np.dtype([("ends", "<i4", 2), ("rgb", "u1", 3)])
    split = counts[0] * vertex.itemsize
    if len(body) != split + sum(counts[1:]) * edge.itemsize:
        raise Wrong(f"{path}: {len(body)} bytes of {counts} vertices and edges")
    return np.frombuffer(body[:split], vertex), np.frombuffer(body[split:], edge)


PLY_NORMAL = ["property float nx", "property float ny", "property float nz"]
PLY_FACE = ["property list uchar int vertex_indices", *PLY_COLOUR]


def look_at_hulls(path):
    """A PLY of planes: each face has vertices of its own plane, whose normal it has."""
    header, found, body = pathlib.Path(path).read_bytes().partition(b"end_header\n")
    lines = [line for line in header.decode("ascii", "replace").split("\n") if not line.startswith("comment ")]
    counts = [int(line.split()[2]) for line in lines if line.startswith("element ") and line[-1].isdigit()]
    expected = ["ply", "format binary_little_endian 1.0", *[f"element vertex {n}" for n in counts[:1]],
                *PLY_VERTEX[:3], *PLY_NORMAL, *PLY_COLOUR, *[f"element face {n}" for n in counts[1:2]],
                *PLY_FACE, ""]  # fmt: skip
    if not found or lines != expected:
        raise Wrong(f"{path}: its header is {lines}, expected {expected}")
    vertex = np.dtype([("xyz", "<f4", 3), ("normal", "<f4", 3), ("rgb", "u1", 3)])
    place = counts[0] * vertex.itemsize
    if len(body) < place:
        raise Wrong(f"{path}: {len(body)} bytes of {counts[0]} vertices")
    vertices = np.frombuffer(body, vertex, counts[0])
    for _ in range(counts[1]):
        corners = body[place] if place < len(body) else 0
        end = place + 1 + 4 * corners + 3
        if corners < 3 or end > len(body):
            raise Wrong(f"{path}: a face of {corners} corners, {len(body) - place} bytes before the end")
        own = vertices[np.frombuffer(body, "<i4", corners, place + 1)]
        if (own["rgb"] != list(body[end - 3 : end])).any() or (own["normal"] != own["normal"][0]).any():
            raise Wrong(f"{path}: a face has vertices of another plane")
        place = end
    if place != len(body) or not counts[1]:
        raise Wrong(f"{path}: {counts[1]} faces, and {len(body) - place} bytes after them")


def look_at_ply(path):
    if b"\nelement face " in pathlib.Path(path).read_bytes()[:1024]:
        look_at_hulls(path)
        return
    vertices, edges = ply_arrays(path)
    if not len(vertices) or not np.isfinite(vertices["xyz"]).all() or not (vertices["xyz"][:, 2] > 0).all():
        raise Wrong(f"{path}: {len(vertices)} points, not all of them before the camera")
    if (vertices["rgb"] == vertices["rgb"][0]).all():
        raise Wrong(f"{path}: all points have the colour {vertices['rgb'][0]}")
    if len(edges) and not (np.sort(edges["ends"].ravel()) == np.arange(len(vertices))).all():
        raise Wrong(f"{path}: the edges do not have two vertices each of their own")


def look_at_plys(paths, frames=None):
    for path in paths:
        look_at_ply(path)
    if frames is not None and len(paths) != frames:
        raise Wrong(f"{paths[0]}: {len(paths)} files of {frames} frames")


def look_at_cloud(path):
    """A PLY or PCD of pointcloudsink: points that are not all in one place."""
    content = pathlib.Path(path).read_bytes()
    ply = content.startswith(b"ply\n")
    header, found, body = content.partition(b"end_header\n" if ply else b"DATA binary\n")
    fields = dict(line.split(" ", 1) for line in header.decode("ascii", "replace").split("\n") if " " in line)
    count = int(fields["element"].removeprefix("vertex ")) if ply else int(fields["POINTS"])
    if ply:
        types = [line.split()[1] for line in header.decode("ascii", "replace").split("\n") if line.startswith("property ")]
        record = sum({"float": 4, "uint": 4, "ushort": 2, "uchar": 1}[kind] for kind in types)
    else:
        record = sum(map(int, fields["SIZE"].split()))
    if not found or len(body) != count * record or count == 0:
        raise Wrong(f"{path}: {len(body)} bytes of {count} points after {header}")
    points = np.frombuffer(body, np.dtype([("xyz", "<f4", 3), ("more", "u1", record - 12)]))["xyz"]
    known = points[np.isfinite(points).all(axis=1)]
    if (ply and len(known) != count) or not len(known) or (known == known[0]).all():
        raise Wrong(f"{path}: {len(known)} of {count} points are known, or all are the same")


def look_at_raw(paths, frames):
    """Files of raw frames, all in one or one each."""
    expected = sum(samples.nbytes for _, samples in frames)
    size = sum(os.path.getsize(path) for path in paths)
    if not expected <= size <= expected + 3 * sum(samples.shape[0] for _, samples in frames):
        raise Wrong(f"{paths[0]}: {size} bytes, expected {expected} (and rows' padding to 4)")


def difference(one, other):
    """In the mean, of the colours: films have no transparency."""
    colours = np.s_[..., :3] if one.ndim == 3 else np.s_[...]
    return np.abs(one[colours].astype(int) - other[colours]).mean()


def look_at_recording(path, muxer, frames, encoded):
    """What a muxer has written, replayed."""
    recorded = replayed(path, [*REPLAYED[muxer], *(["!", "depthrvldec"] if encoded else [])])
    if len(recorded) != len(frames):
        raise Wrong(f"{path}: {len(recorded)} frames, expected {len(frames)}")
    for number, ((kind, got), (_, samples)) in enumerate(zip(recorded, frames)):
        if muxer in LOSSY:
            if got.shape != samples.shape or difference(got, samples) > LOSSY[muxer]:
                raise Wrong(f"{path}, frame {number}: another picture than was recorded")
        elif kind == "GRAY8" or not np.array_equal(got, samples):
            raise Wrong(f"{path}, frame {number}: other samples than were recorded, as {kind}")


# A pipeline and all that it writes.


def frames_of_source(chain):
    """How many frames the source of a chain makes, None where that is not known."""
    count = property_of(chain[0], "num-buffers") if chain[0][0] == "depthtestsrc" else None
    return int(count) if count and int(count) >= 0 else None


def look_at_sink(groups, end):
    chain = chain_to(groups, end)
    location = property_of(groups[end], "location")
    if location is None or location.startswith("/dev/"):
        return
    paths = files_of(location)
    if not paths or not all(map(os.path.getsize, paths)):
        raise Wrong(f"the pipeline wrote no {location}, or an empty one")
    maker = next(group for group in reversed(chain[:-1]) if group[0] != "queue")
    encoder = maker[0]
    if groups[end][0] == "pointcloudsink":
        for path in paths:
            look_at_cloud(path)
    elif encoder == "rdpmetaconvert" and property_of(maker, "format") == "ply":
        look_at_plys(paths, frames_of_source(chain))
    elif encoder == "rdpmetaconvert" and property_of(maker, "format") == "csv":
        look_at_csv(paths[0], frames_of_source(chain))
    elif encoder == "rdpmetaconvert":
        look_at_lines(paths[0], frames_of_source(chain))
    elif encoder == "pngenc":
        if PAD.fullmatch(chain[0][0]) and chain[0][0].endswith(".overlay"):
            for path in paths:
                look_at_picture(path)
            return
        frames = samples_of(groups, end)[-int(property_of(groups[end], "max-files") or 0):]
        if len(frames) != len(paths):
            raise Wrong(f"{location}: {len(paths)} files of {len(frames)} frames")
        for path, (kind, samples) in zip(paths, frames):
            if kind in SAMPLES:
                look_at_depth(path, kind, samples)
            else:
                look_at_picture(path)
    elif encoder in REPLAYED:
        encoded = any(group[0] == "depthrvlenc" for group in chain)
        look_at_recording(paths[0], encoder, samples_of(groups, end), encoded)
    elif location.endswith(".raw"):
        look_at_raw(paths, samples_of(groups, end))
    else:
        raise Wrong(f"{location}: tests/pipelines/written.py does not know what {encoder} writes")


def look(words):
    """Raises Wrong where a file of the pipeline is not what it has to be."""
    groups = [group for group in elements(words) if not group[0].startswith("-")]
    for end, group in enumerate(groups):
        if group[0] in SINKS:
            look_at_sink(groups, end)
