# SPDX-License-Identifier: LGPL-2.1-or-later
"""The part of ROS 2's generated Python messages that matters: the fields, and the checks of their types."""


class Message:
    """Fields by name and type; "f4[]" and "i1[]" are arrays. Other names and types are refused, as in ROS."""

    FIELDS = {}

    def __init__(self):
        for name, kind in self.FIELDS.items():
            made = kind() if isinstance(kind, type) else [] if kind.endswith("]") else 0 if kind[0] in "ui" else 0.0
            object.__setattr__(self, name, "" if kind is str else made)

    def __setattr__(self, name, value):
        kind = self.FIELDS[name]
        if isinstance(kind, type):
            assert isinstance(value, kind), f"{name}: {value!r} is no {kind.__name__}"
        else:
            values = value if kind.endswith("]") else [value]
            whole = kind[0] in "ui"
            assert all(type(each) is (int if whole else float) for each in values), f"{name}: {value!r}"
            bits = 8 * int(kind[1])
            least = 0 if kind[0] == "u" else -(1 << bits - 1)
            assert not whole or all(least <= each < least + (1 << bits) for each in values), f"{name}: {value!r}"
        object.__setattr__(self, name, value)

    def plain(self):
        return {name: value.plain() if isinstance(value, Message) else value for name, value in vars(self).items()}


def message(name, **fields):
    return type(name, (Message,), {"FIELDS": fields})


Time = message("Time", sec="i4", nanosec="u4")
Header = message("Header", stamp=Time, frame_id=str)
Point = message("Point", x="f8", y="f8", z="f8")
Quaternion = message("Quaternion", x="f8", y="f8", z="f8", w="f8")
Pose = message("Pose", position=Point, orientation=Quaternion)
MapMetaData = message("MapMetaData", map_load_time=Time, resolution="f4", width="u4", height="u4", origin=Pose)
