# SPDX-License-Identifier: LGPL-2.1-or-later
"""The binary form of a segmentation, versions 1 to 4: docs/metadata.md describes it."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

from . import _check, _errors, _fields
from ._frame import FIELDS, MAX_SAMPLE, Frame, Info, segment_dtype

MAGIC = b"RDPS"
VERSIONS = (1, 2, 3, 4)
HEADER_SIZES = {1: 80, 2: 96, 3: 112, 4: 136}
_SEGMENT_SIZE = 12
_COUNTS = struct.Struct("<IQ")
_COUNTS_AT = 68
# What the element does where a version does not say it.
_DEFAULTS = {"merge_cost": 0.0, "max_gap": 0, "refine": False, "merge": False,
             "fit": "squares", "classify": False, "ground_slope": 0.0, "far_value": -1.0}  # fmt: skip
# What lines of JSON do not say, for the library's functions that do not look at it.
_OTHER_DEFAULTS = {"inverse_scale": 1e6, "min_value": 1, "max_value": 65535, "median": 0}
_CHUNK = 1 << 24


def header_size(start: bytes) -> int:
    """The size of the header that starts with these 8 bytes."""
    if start[:4] != MAGIC:
        raise _errors.FormatError(
            f"expected {MAGIC!r} at the start of a segmentation, got {start[:4]!r}"
        )
    if len(start) < 8:
        raise _errors.FormatError(f"truncated: expected a header of 80 bytes, got {len(start)}")
    (version,) = struct.unpack_from("<I", start, 4)
    if version not in VERSIONS:
        raise _errors.FormatError(
            f"expected a segmentation of version 1 to 4, got version {version}: a newer rdpsegment "
            "may read it"
        )
    return HEADER_SIZES[version]


def _parse_header(data: bytes) -> tuple[Info, int]:
    """The info in a whole header, and the number of segments after it."""
    (version,) = struct.unpack_from("<I", data, 4)
    n_columns, n_segments = _COUNTS.unpack_from(data, _COUNTS_AT)
    known, flags = _fields.flags(FIELDS, version, data)
    if flags & ~known:
        raise _errors.FormatError(
            f"flags: expected none but {known:#x} in version {version}, got {flags:#x}"
        )
    values = {**_DEFAULTS, **_fields.read(FIELDS, version, data)}
    if values["domain"] not in ("linear", "inverse"):
        raise _errors.FormatError(
            f"domain: expected 0 (linear) or 1 (inverse), got {values['domain']}"
        )
    for name in ("min_value", "max_value"):
        values[name] = min(values[name], MAX_SAMPLE)
    info = Info(**values)
    if wrong := _check.info_error(info):
        raise _errors.FormatError(wrong)
    if n_columns != info.n_columns:
        raise _errors.FormatError(
            f"columns: expected {info.n_columns} of a frame {info.width} wide with column_width "
            f"{info.column_width}, got {n_columns}"
        )
    if n_segments > n_columns * info.height:
        raise _errors.FormatError(
            f"segments: expected at most one for each of {n_columns * info.height} samples, got "
            f"{n_segments}"
        )
    return info, n_segments


def _size(info: Info, n_segments: int) -> int:
    """How many bytes the arrays take."""
    return 4 * (info.n_columns + 1) + _SEGMENT_SIZE * n_segments


def _frame_of(info: Info, n_segments: int, data: bytes, start: int) -> Frame:
    np = _errors.numpy()
    n_offsets = info.n_columns + 1
    offsets = np.frombuffer(data, "<u4", n_offsets, start)
    segments = np.frombuffer(data, segment_dtype(), n_segments, start + 4 * n_offsets)
    for array in (offsets, segments):
        array.flags.writeable = False
    if wrong := _check.arrays_error(info, offsets, segments):
        raise _errors.FormatError(wrong)
    return Frame(info, offsets, segments)


def from_bytes(data: bytes) -> Frame:
    """The frame in what gst_rdp_segmentation_to_bytes() has written; needs no GStreamer.

    The arrays are the memory of `data`, not copies. Raises FormatError where the bytes are anything
    else, whatever they are.
    """
    size = header_size(bytes(data[:8]))
    if len(data) < size:
        raise _errors.FormatError(
            f"truncated: expected a header of {size} bytes, got {len(data)}"
        )
    info, n_segments = _parse_header(data)
    expected = size + _size(info, n_segments)
    if len(data) != expected:
        what = "truncated" if len(data) < expected else "bytes after the end"
        raise _errors.FormatError(f"{what}: expected {expected} bytes, got {len(data)}")
    return _frame_of(info, n_segments, data, size)


def read_up_to(file: Any, size: int) -> Any:
    """As many bytes, or characters, as there are up to the end: less than `size` only there.

    Pipes and sockets without a buffer give what has arrived. They are read in pieces, so that no
    more memory is asked for than there are bytes.
    """
    pieces, missing = [], size
    while missing:
        piece = file.read(min(missing, _CHUNK))
        if piece is None:
            raise BlockingIOError(
                "expected a stream that waits for its data, got one that does not block: "
                "os.set_blocking(stream.fileno(), True)"
            )
        pieces.append(piece)
        if not piece:
            break
        missing -= len(piece)
    return pieces[0][:0].join(pieces) if pieces else b""


def read_exactly(file: BinaryIO, size: int, what: str) -> bytes:
    """So many bytes; an error where the file ends before."""
    data: bytes = read_up_to(file, size)
    if len(data) < size:
        raise _errors.FormatError(f"truncated: expected {size} bytes of {what}, got {len(data)}")
    return data


def read_next(file: BinaryIO, start: bytes) -> Frame:
    """The next frame of a file, of which the first bytes were read already."""
    start += read_up_to(file, 8 - len(start))
    size = header_size(start)
    header = start + read_exactly(file, size - len(start), "the header")
    info, n_segments = _parse_header(header)
    return _frame_of(info, n_segments, read_exactly(file, _size(info, n_segments), "arrays"), 0)


def to_bytes(frame: Frame, fill: bool = False) -> bytes:
    """The binary form of a frame, of the lowest version that says all of it.

    With `fill`, what the info does not say gets the element's defaults.
    """
    info = frame.info
    values: dict[str, Any] = {**_OTHER_DEFAULTS, **_DEFAULTS}
    unsaid = [name for name in values if getattr(info, name) is None]
    if info.domain == "linear" and "inverse_scale" in unsaid:
        unsaid.remove("inverse_scale")  # nobody reads it
    if unsaid and not fill:
        raise _errors.Error(
            "the binary form says how segments were made, and a line of JSON does not: it lacks "
            f"{', '.join(unsaid)}. Set them: dataclasses.replace(frame.info, ...)"
        )
    said = {field.name: getattr(info, field.name) for field in FIELDS}
    values.update({name: value for name, value in said.items() if value is not None})
    version = 1
    after_the_split = ("merge_cost", "max_gap", "refine", "merge", "fit")
    if any(values[name] != _DEFAULTS[name] for name in after_the_split):
        version = 2
    if any(values[name] != _DEFAULTS[name] for name in ("classify", "ground_slope", "far_value")):
        version = 3
    if info.ground_per_row:
        version = 4
    header = bytearray(HEADER_SIZES[version])
    struct.pack_into("<4sI", header, 0, MAGIC, version)
    _fields.write(FIELDS, version, values, header)
    _COUNTS.pack_into(header, _COUNTS_AT, frame.n_columns, frame.n_segments)
    return bytes(header) + frame.offsets.tobytes() + frame.segments.tobytes()
