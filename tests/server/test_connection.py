"""What waits for a client and what is written at once: always in order."""

from __future__ import annotations

import asyncio

import pytest
from websockets.frames import Frame, Opcode

from coatl.server.connection import Connection
from coatl.server.socket_guard import _frame_head


class Client:
    """Takes messages at once while `is_open`; `send` waits until `gate` opens."""

    def __init__(self) -> None:
        self.is_open = True
        self.gate = asyncio.Event()
        self.got: list[str] = []

    def write_now(self, message: bytes) -> bool:
        if self.is_open:
            self.got.append(message.decode())
        return self.is_open

    async def send(self, text: str) -> None:
        await self.gate.wait()
        self.got.append(text)


def test_what_a_client_takes_is_written_at_once() -> None:
    async def talk() -> None:
        client = Client()
        connection = Connection(client.send, 0, write_now=client.write_now)
        connection.offer(b"1")
        assert client.got == ["1"]
        assert not connection.is_behind

    asyncio.run(talk())


def test_nothing_overtakes_what_waits_or_is_being_sent() -> None:
    async def talk() -> None:
        client = Client()
        connection = Connection(client.send, 0, write_now=client.write_now)
        writer = asyncio.create_task(connection.write())
        client.is_open = False
        connection.offer(b"1")
        client.is_open = True  # a moment later it takes messages again
        connection.offer(b"2")
        await asyncio.sleep(0)  # now 1 is being sent
        connection.offer(b"3")
        assert client.got == []
        client.gate.set()
        while len(client.got) < 3:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        connection.offer(b"4")
        assert client.got == ["1", "2", "3", "4"]
        writer.cancel()

    asyncio.run(asyncio.wait_for(talk(), 30))


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 70000])
def test_a_frame_is_the_one_that_websockets_would_write(length: int) -> None:
    text = b"x" * length
    assert _frame_head(length) + text == Frame(Opcode.TEXT, text).serialize(mask=False)
