"""The control socket: how `coatl tables` and `coatl database` reach a server that runs.

It is a Unix socket in the data folder that only the user of the server can open, so nothing of it
can be reached over the network, and no secret has to be kept.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from coatl.server.database import StorageError
from coatl.server.operator import Done, Operator, Order

logger = logging.getLogger("coatl.server.control")

NAME = "control"
MOST_BYTES = 65_536  # of an order
READ_SECONDS = 10.0  # for an order to come
ANSWER_SECONDS = 600.0  # for it to be carried out: many tables may expire

_ORDERS: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)
_ANSWERS: msgspec.json.Decoder[Done] = msgspec.json.Decoder(Done)


@asynccontextmanager
async def control_socket(folder: Path, operator: Operator) -> AsyncIterator[None]:
    """Listens as long as the context lasts. The caller has the lock of the folder."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            line = await asyncio.wait_for(reader.readline(), READ_SECONDS)
            writer.write(msgspec.json.encode(await _carry_out(operator, line)) + b"\n")
            await writer.drain()
        writer.close()

    file = folder / NAME
    try:
        server = await _listen(file, answer)
    except (OSError, NotImplementedError, AttributeError) as error:  # such as on Windows
        logger.warning("no control socket", extra={"fields": {"reason": str(error)[:200]}})
        yield
        return
    try:
        yield
    finally:
        server.close()
        file.unlink(missing_ok=True)


async def _listen(file: Path, answer: object) -> asyncio.AbstractServer:
    file.unlink(missing_ok=True)  # of a server that was killed
    before = os.umask(0o177)  # so that nobody else can open it, from the first moment
    try:
        return await asyncio.start_unix_server(answer, file, limit=MOST_BYTES)  # type: ignore[arg-type]
    finally:
        os.umask(before)


async def _carry_out(operator: Operator, line: bytes) -> Done:
    try:
        order = _ORDERS.decode(line)
    except msgspec.DecodeError as error:
        return Done(problem=f"the server does not know this order: {error}")
    return await operator.carry_out(order)


def ask_server(folder: Path, order: Order) -> Done | None:
    """Let the server that uses a folder do something; None if no server listens there."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(ANSWER_SECONDS)
        try:
            connection.connect(str(folder / NAME))
        except OSError:  # nobody listens, or the name is too long for a socket
            return None
        try:
            connection.sendall(msgspec.json.encode(order) + b"\n")
            with connection.makefile("rb") as answers:
                return _ANSWERS.decode(answers.readline())
        except (OSError, msgspec.DecodeError):
            raise StorageError(f"{folder}: the server did not answer") from None
