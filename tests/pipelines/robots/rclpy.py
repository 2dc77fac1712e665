# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stands in for rclpy, with what examples/python/obstacles_ros2.py uses of it. A published message is printed."""

import json
import types

from ros_messages import Time

_state = {"up": False}


def init():
    _state["up"] = True


def ok():
    return _state["up"]


def try_shutdown():
    _state["up"] = False


class _Node:
    def create_publisher(self, kind, topic, depth):
        assert ok() and type(depth) is int

        def publish(message):
            assert isinstance(message, kind)
            print(json.dumps({"topic": topic, **message.plain()}))

        return types.SimpleNamespace(publish=publish)

    def get_clock(self):
        return types.SimpleNamespace(now=lambda: types.SimpleNamespace(to_msg=Time))

    def destroy_node(self):
        pass


def create_node(name):
    assert ok() and name.isidentifier()
    return _Node()
