# SPDX-License-Identifier: LGPL-2.1-or-later
"""Arrays of numpy as frames of a pipeline, and the frames of a pipeline as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _errors

if TYPE_CHECKING:
    import numpy.typing as npt

# The channels of a colour image. Rows of video begin at multiples of four bytes.
CHANNELS = {"RGB": 3, "BGR": 3, **dict.fromkeys(("RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR"), 4)}
_GRAY = {"uint8": "GRAY8", "uint16": "GRAY16_LE"}
_DTYPES = {"GRAY8": "u1", "GRAY16_LE": "<u2", "GRAY16_BE": ">u2"}
_CLOUD = "for a cloud of points say cloud=True, which Processor and find_planes take"
# By the type of an array with two dimensions: what makes a frame of depth or disparity, and a gray image.
_DEPTH = {
    "b": "array.astype('uint8') * 255",
    "i2": "for a disparity of StereoSGBM, 16 steps a pixel: array.clip(0).astype('uint16'), sample-scale=0.0625 for "
    "segments, and disparity-unit=0.0625 for metres",
    "f": "for depth in metres: np.where((depth > 0) & (depth < 65.5), depth * 1000, 0).round().astype('uint16'), and "
    "depth-unit=0.001; for disparity in px: np.where((d > 0) & (d < 255.9), d * 256, 0).round().astype('uint16'), "
    "and sample-scale=0.00390625 for segments",
    "i": "np.clip(array, 0, 65535).astype('uint16')",
}
_GRAY_IMAGE = {
    "b": _DEPTH["b"],
    "u2": "for 16 bits: (array >> 8).astype('uint8')",
    "f": "for values from 0 to 1: (array.clip(0, 1) * 255).round().astype('uint8')",
    "i": "np.clip(array, 0, 255).astype('uint8')",
}
# The fields of a cloud's point: these three lie behind each other in this order.
_XYZ = ("x", "y", "z")
_NUMBERS = {"F32": "<f4", "U32": "<u4", "U16": "<u2", "U8": "|u1"}
_FORMATS = {"intensity": ("F32", "U16", "U8"), "label": ("U32", "U16", "U8")}
# The others that elements know: the name in caps, and the types with their formats.
_FIELDS: dict[str, tuple[str, dict[Any, str]]] = {
    **{field: ("color", {("u1", len(field)): field.upper()}) for field in ("rgb", "rgba", "bgra")},
    **{field: (field, {_NUMBERS[of]: of for of in formats}) for field, formats in _FORMATS.items()},
}


class _Memory:
    """Memory of somebody else, as numpy takes it. `owner` keeps it there."""

    def __init__(self, address: int, size: int, owner: Any, read_only: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (size,), "data": (address, read_only)}


class Layout(NamedTuple):
    """The caps of frames, and the way their arrays lie in a buffer."""

    caps: str
    """Without the rate."""
    dtype: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """Empty: there are no gaps."""
    size: int
    """In bytes."""


def layout_of(array: npt.NDArray[Any], name: str, format: str | None, cloud: bool, gray: bool = False) -> Layout:
    """The layout of an array that comes in; with `gray`, uint8 of two dimensions alone. Raises TypeError or
    ValueError where it is no frame."""
    np = _errors.numpy()
    dtype, shape = array.dtype, array.shape
    got = f"got {dtype} of the shape {shape}" if shape else f"got {array.item()!r}"
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected an array without a mask: array.filled(0), which is unknown depth")
    if not array.size:
        raise ValueError(f"{name}: expected an array with elements, {got}")
    if cloud and (dtype.names or (dtype.kind == "f" and array.ndim > 1)):
        return _cloud_of(array, name, got)
    if dtype.byteorder == ">" or (dtype.byteorder == "=" and not np.little_endian):
        raise TypeError(f"{name}: expected little-endian samples, {got}: array.astype('<{dtype.str[1:]}')")
    if array.ndim == 2 and dtype.name in _GRAY and not (gray and dtype.itemsize > 1):
        return _video(_GRAY[dtype.name], *shape, dtype)
    if array.ndim == 3 and dtype.name == "uint8" and not gray:
        if format is None and shape[2] in (3, 4):
            raise TypeError(
                f"{name}: three dimensions need the order of the colours, format='BGR' as OpenCV has them, or 'RGB', "
                f"{got}; elements that take gray images need cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)"
            )
        if format is not None:
            if shape[2] != CHANNELS[format]:
                raise ValueError(f"{name}: expected {CHANNELS[format]} channels of {format}, {got}")
            return _video(format, *shape[:2], dtype)
    types = "uint8 of two dimensions" if gray else "uint8 or uint16 of two dimensions, or uint8 of three with a format"
    remedy = _remedy(array, cloud, gray)
    raise TypeError(f"{name}: expected {types}, {got}{remedy and ': '}{remedy}")


def _remedy(array: npt.NDArray[Any], cloud: bool, gray: bool) -> str:
    """What makes a frame of an array that is none; empty: nobody knows."""
    kind, shape = array.dtype.kind, array.shape
    if not shape:
        item = array.item()
        if isinstance(item, str) or hasattr(item, "__fspath__"):
            return "read the file, by cv2.imread(path, cv2.IMREAD_UNCHANGED)"
        return "was the image read?" if item is None else ""
    if not (cloud or gray) and (array.dtype.names or (kind == "f" and 3 in (shape[0], shape[-1]))):
        return _CLOUD
    if array.ndim == 1:
        return "points.reshape(-1, 3)" if cloud and kind == "f" else "array.reshape(height, width)"
    if array.ndim == 3:
        if shape[0] == 1 or shape[2] > 4:  # the first of several images
            return "array[0]"
        return "cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)" if gray and shape[2] > 2 else "array[..., 0] takes one channel"
    if array.ndim > 3 or array.dtype.name == "int8":
        return ""
    remedies = _GRAY_IMAGE if gray else _DEPTH
    return remedies.get(array.dtype.str[1:]) or remedies.get("i" if kind == "u" else kind, "")


def _video(format: str, height: int, width: int, dtype: Any) -> Layout:
    caps = f"video/x-raw,format={format},width={width},height={height}"
    pixel = dtype.itemsize * CHANNELS.get(format, 1)
    stride = -(-width * pixel // 4) * 4
    shape, strides = (height, width), (stride, pixel)
    if format in CHANNELS:
        shape, strides = (*shape, CHANNELS[format]), (*strides, 1)
    return Layout(caps, dtype, shape, strides, stride * height)


def _cloud_of(array: npt.NDArray[Any], name: str, got: str) -> Layout:
    np = _errors.numpy()
    dtype, shape = array.dtype, array.shape
    if dtype.names is None:
        if dtype != np.dtype("<f4") or array.ndim > 3 or shape[-1] != 3:
            is_flat = array.ndim == 2 and 3 <= shape[0] <= 4 < shape[1]  # a row of all x, one of all y, ...
            remedy = "points" + ("[:3].T" if is_flat else "[..., :3]") + ".astype('float32')"
            remedy = f": {remedy}" if is_flat or shape[-1] > 2 else ""
            raise TypeError(f"{name}: expected a cloud of float32, N x 3 or H x W x 3, {got}{remedy}")
        offset, step, shape = 0, 12, shape[:-1]
    else:
        fields = [dtype.fields[field] for field in _XYZ if field in dtype.names]
        offset, step = fields[0][1] if fields else 0, dtype.itemsize
        if [field[:2] for field in fields] != [(np.dtype("<f4"), offset + 4 * i) for i in range(3)] or array.ndim > 2:
            raise TypeError(f"{name}: expected points with float32 x, y and z behind each other, N or H x W, {got}")
    caps = f"application/x-points,format=XYZ32F,point-step={step},offset={offset},unit=1.0,axes=camera"
    if len(shape) == 2:
        caps += f",width={shape[1]},height={shape[0]}"
    for field in filter(_FIELDS.get, dtype.names or ()):
        of, offset = dtype.fields[field][:2]
        prefix, types = _FIELDS[field]
        formats = {np.dtype(type): format for type, format in types.items()}
        if of not in formats:
            raise TypeError(f"{name}: expected {field} as {' or '.join(map(str, formats))}, {got}")
        caps += f",{prefix}-offset={offset},{prefix}-format={formats[of]}"
    return Layout(caps, dtype, array.shape, (), array.nbytes)


def buffer_of_array(array: npt.NDArray[Any], layout: Layout) -> Any:
    """A Gst.Buffer with a copy of the array."""
    np = _errors.numpy()
    buffer, address = _errors.gir().buffer_allocate(layout.size)
    if buffer is None:
        raise MemoryError(f"no memory for a frame of {layout.size} bytes")
    room = np.asarray(_Memory(address, layout.size, buffer, False))
    if layout.dtype.names:
        room[:] = 0  # gaps between fields
    np.ndarray(layout.shape, layout.dtype, room, 0, layout.strides or None)[...] = array
    if layout.strides:
        used = layout.strides[1] * layout.shape[1]
        room.reshape(layout.shape[0], -1)[:, used:] = 0
    return buffer


def layout_of_caps(caps: Any) -> Layout | str | None:
    """The layout of frames that come out; None: they are bytes; a text: the reason why they are no array."""
    np = _errors.numpy()
    structure = caps.get_structure(0)
    if structure.get_name() == "application/x-points":
        return _layout_of_points(structure)
    if structure.get_name() != "video/x-raw":
        return None
    format = structure.get_string("format")
    if format not in CHANNELS and format not in _DTYPES:
        return (
            f"expected a format with one plane, {', '.join([*_DTYPES, *CHANNELS])}, got {format}: end the pipeline with "
            "! videoconvert ! video/x-raw,format=BGR"
        )
    height, width = (structure.get_int(side)[1] for side in ("height", "width"))
    return _video(format, height, width, np.dtype(_DTYPES.get(format, "u1")))


def _layout_of_points(structure: Any) -> Layout:
    np = _errors.numpy()
    (has_width, width), (has_height, height) = structure.get_int("width"), structure.get_int("height")
    step, offset = structure.get_int("point-step")[1], structure.get_int("offset")[1]
    shape = (height, width) if has_width and has_height else (-1,)
    fields = [(name, "<f4", offset + 4 * i) for i, name in enumerate(_XYZ)]
    for what in ("color", "intensity", "label"):
        if (format := structure.get_string(f"{what}-format")) is not None:
            is_colour = what == "color"
            of: Any = ("u1", len(format)) if is_colour else _NUMBERS[format]
            fields.append((format.lower() if is_colour else what, of, structure.get_int(f"{what}-offset")[1]))
    if step == 12:
        return Layout("", np.dtype("<f4"), (*shape, 3), (), 0)
    names, formats, offsets = zip(*sorted(fields, key=lambda field: field[2]))
    dtype = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": step})
    return Layout("", dtype, shape, (), 0)


def array_of_buffer(buffer: Any, layout: Layout | str | None) -> npt.NDArray[Any]:
    """The frame in a buffer: its memory, which lives as long as the array. Read-only."""
    np, library = _errors.numpy(), _errors.gir()
    if isinstance(layout, str):
        raise _errors.Error(layout)
    loan, address = library.buffer_lend(buffer)
    data: npt.NDArray[Any] = np.asarray(_Memory(address, loan.get_size(), loan, True))
    if layout is None:
        return data
    if not layout.strides:
        return data.view(layout.dtype).reshape(layout.shape)
    meta = _errors.repository("GstVideo").buffer_get_video_meta(buffer)
    offset, stride = (0, layout.strides[0]) if meta is None else (meta.offset[0], meta.stride[0])
    return np.ndarray(layout.shape, layout.dtype, data, offset, (stride, *layout.strides[1:]))
