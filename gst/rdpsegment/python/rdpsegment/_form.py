# SPDX-License-Identifier: LGPL-2.1-or-later
"""The binary form of every kind of metadata: a header with the rows of its table, then its arrays."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO, Callable, Mapping, NamedTuple, Sequence

from . import _errors, _fields
from ._fields import Field

_CHUNK = 1 << 24


def _expect(good: bool, wrong: str) -> None:
    if not good:
        raise _errors.FormatError(wrong)


class Form(NamedTuple):
    """The binary form of a kind."""

    magic: bytes
    what: str
    """The name in errors."""
    sizes: tuple[int, ...]
    """Header sizes of the versions from 1 on."""
    fields: Sequence[Field]
    counts: struct.Struct
    counts_at: int
    """The number of elements of its arrays, and their place in the header."""
    info_of: Callable[[dict[str, Any], Any], Any]
    """The info of what the header says, and of those numbers; checked."""
    size_of: Callable[[Any, Any], int]
    """The size of the arrays in bytes, from info and numbers."""
    make: Callable[[Any, Any, bytes, int], Any]
    """The object, of info, numbers, and bytes in which the arrays begin there."""

    def _header_size(self, start: bytes) -> int:
        """The size of the header that starts with these 8 bytes."""
        _expect(start[:4] == self.magic,
                f"expected {self.magic!r} at the start of {self.what}, got {start[:4]!r}")  # fmt: skip
        _expect(len(start) == 8,
                f"truncated: expected a header of {self.sizes[0]} bytes, got {len(start)}")  # fmt: skip
        (version,) = struct.unpack_from("<I", start, 4)
        _expect(1 <= version <= len(self.sizes),
                f"expected {self.what} of version 1 to {len(self.sizes)}, got version {version}: a "
                "newer rdpsegment may read it")  # fmt: skip
        return self.sizes[version - 1]

    def _parse(self, header: bytes) -> tuple[Any, Any]:
        (version,) = struct.unpack_from("<I", header, 4)
        known, flags = _fields.flags(self.fields, version, header)
        _expect(not flags & ~known,
                f"flags: expected none but {known:#x} in version {version}, got {flags:#x}")  # fmt: skip
        counts = self.counts.unpack_from(header, self.counts_at)
        return self.info_of(_fields.read(self.fields, version, header), counts), counts

    def from_bytes(self, data: bytes) -> Any:
        """The object in these bytes, and nothing else."""
        size = self._header_size(bytes(data[:8]))
        _expect(len(data) >= size, f"truncated: expected a header of {size} bytes, got {len(data)}")
        info, counts = self._parse(data)
        expected = size + self.size_of(info, counts)
        what = "truncated" if len(data) < expected else "bytes after the end"
        _expect(len(data) == expected, f"{what}: expected {expected} bytes, got {len(data)}")
        return self.make(info, counts, data, size)

    def read_next(self, file: BinaryIO, start: bytes) -> Any:
        """The next object of a file, of which the first bytes were read already."""
        start += read_up_to(file, 8 - len(start))
        size = self._header_size(start)
        info, counts = self._parse(start + read_exactly(file, size - len(start), "the header"))
        return self.make(info, counts, read_exactly(file, self.size_of(info, counts), "arrays"), 0)

    def header(self, version: int, values: Mapping[str, Any], *counts: int) -> bytes:
        header = bytearray(self.sizes[version - 1])
        struct.pack_into("<4sI", header, 0, self.magic, version)
        _fields.write(self.fields, version, values, header)
        self.counts.pack_into(header, self.counts_at, *counts)
        return bytes(header)


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
    _expect(len(data) == size, f"truncated: expected {size} bytes of {what}, got {len(data)}")
    return data
