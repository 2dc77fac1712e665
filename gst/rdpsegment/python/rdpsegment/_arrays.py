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
_REMEDIES = {
    "int16": "for a disparity of StereoSGBM, 16 steps a pixel: array.clip(0).astype('uint16'), and sample-scale=0.0625",
    "bool": "array.astype('uint8') * 255",
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


def layout_of(array: npt.NDArray[Any], name: str, format: str | None, cloud: bool) -> Layout:
    """The layout of an array that comes in. Raises TypeError or ValueError where it is no frame."""
    np = _errors.numpy()
    dtype, shape = array.dtype, array.shape
    got = f"got {dtype} of the shape {shape}"
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name}: expected an array without a mask: array.filled(0), which is unknown depth")
    if not array.size:
        raise ValueError(f"{name}: expected an array with elements, {got}")
    if cloud and (dtype.names or (dtype.kind == "f" and array.ndim > 1)):
        return _cloud_of(array, name, got)
    if dtype.byteorder == ">" or (dtype.byteorder == "=" and not np.little_endian):
        raise TypeError(f"{name}: expected little-endian samples, {got}: array.astype('<u{dtype.itemsize}')")
    if array.ndim == 2 and dtype.name in _GRAY:
        return _video(_GRAY[dtype.name], *shape, dtype)
    if array.ndim == 3 and dtype.name == "uint8":
        if format is None:
            raise TypeError(
                f"{name}: three dimensions need the order of the colours, format='BGR' as OpenCV has them, or 'RGB', "
                f"{got}; elements that take gray images need cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)"
            )
        if shape[2] != CHANNELS[format]:
            raise ValueError(f"{name}: expected {CHANNELS[format]} channels of {format}, {got}")
        return _video(format, *shape[:2], dtype)
    expected = f"{name}: expected uint8 or uint16 of two dimensions, or uint8 of three with a format, {got}"
    if dtype.kind == "f" and shape[-1:] == (3,):
        raise TypeError(f"{expected}; for a cloud of points say cloud=True")
    if dtype.kind == "f" and array.ndim == 2:
        raise TypeError(f"{expected}; for depth in metres: (depth * 1000).round().astype(\"uint16\"), and depth-unit=0.001")
    remedy = _REMEDIES.get(dtype.name, "array[..., 0] takes one channel" if array.ndim == 3 else "")
    raise TypeError(f"{expected}; {remedy}" if remedy else expected)


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
            raise TypeError(
                f"{name}: expected a cloud of float32, N x 3 or H x W x 3, {got}: points[..., :3].astype('float32')"
            )
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
