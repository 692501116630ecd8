"""What a client's bytes mean: short messages are read on a shorter way, to the same effect."""

from __future__ import annotations

import asyncio

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from coatl.server.limits import MOST_EARLY
from coatl.server.settings import ServerSettings
from coatl.server.socket_guard import LimitedFrames, MessageQueue


def opened() -> LimitedFrames:
    """A socket after its handshake."""
    client, server = ClientProtocol(parse_uri("ws://127.0.0.1/")), LimitedFrames(ServerSettings())
    client.send_request(client.connect())
    server.receive_data(b"".join(client.data_to_send()))
    (request,) = server.events_received()
    server.send_response(server.accept(request))  # type: ignore[arg-type]
    assert server.state is State.OPEN
    return server


def frame(text: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    return Frame(opcode, text, fin).serialize(mask=True)


@pytest.mark.parametrize("text", [b"", b"{}", "Cóatl".encode(), b"x" * 125])
def test_a_short_text_is_found(text: bytes) -> None:
    assert opened().short_text(frame(text)) == text


OTHER_DATA = {
    "long": frame(b"x" * 126),
    "binary": frame(b"x", Opcode.BINARY),
    "ping": frame(b"x", Opcode.PING),
    "fragment": frame(b"x", fin=False),
    "two": frame(b"1") + frame(b"2"),
    "128 bytes more": frame(b"1") + frame(b"x" * 122),
    "unfinished": frame(b"abc")[:-1],
    "unmasked": Frame(Opcode.TEXT, b"abc").serialize(mask=False),
    "a byte": b"\x81",
    "nothing": b"",
}


@pytest.mark.parametrize("name", OTHER_DATA)
def test_anything_else_is_left_to_the_library(name: str) -> None:
    assert opened().short_text(OTHER_DATA[name]) is None


@pytest.mark.parametrize("cut", range(1, 5 + 6))
def test_the_rest_of_a_frame_is_no_message(cut: int) -> None:
    """Even if it looks like one: what was sent before decides."""
    server, inner = opened(), frame(b"inner")
    outer = frame(b"x" * 5 + inner)
    server.receive_data(outer[:cut])
    assert server.short_text(inner) is None
    server.receive_data(outer[cut:])
    (event,) = server.events_received()
    assert isinstance(event, Frame)
    assert event.data == b"x" * 5 + inner
    assert server.short_text(inner) == b"inner"


def test_a_text_amid_fragments_is_no_message() -> None:
    server = opened()
    server.receive_data(frame(b"first ", fin=False))
    assert server.short_text(frame(b"x")) is None
    server.receive_data(frame(b"second", Opcode.CONT))
    assert server.short_text(frame(b"x")) == b"x"


def test_short_texts_count_as_frames() -> None:
    server, settings = opened(), ServerSettings()
    for _ in range(10 * (settings.message_burst + MOST_EARLY)):
        server.short_text(frame(b"x"))
    assert server.refusal == "too_fast"
    assert server.short_text(frame(b"x")) is None


def test_a_reader_gets_what_came_before_and_what_comes() -> None:
    async def read() -> list[int]:
        queue = MessageQueue(asyncio.get_running_loop())
        queue.put_nowait(1)
        got = [await queue.get()]
        reader = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        queue.put_nowait(2)
        queue.put_nowait(3)
        return [*got, await reader, await queue.get()]

    assert asyncio.run(read()) == [1, 2, 3]
