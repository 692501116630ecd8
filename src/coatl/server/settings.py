"""Limits and times of the server; each can be set by an environment variable ``COATL_NAME``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from coatl.server.setting_values import SECRET, Expired, SettingsError, read_environment

__all__ = ["Expired", "ServerSettings", "SettingsError"]


@dataclass(frozen=True)
class ServerSettings:
    """0 means no limit, except for sizes."""

    max_message: int = 16_384  # bytes of a WebSocket message
    max_body: int = 65_536  # bytes of a request
    max_record: int = 400_000  # bytes of an uploaded record
    replay_steps: int = 6_000  # decisions of an uploaded record; a table's game has fewer
    work_per_address: int = 8  # replays and lessons of one address that wait or run
    work: int = 100  # of all addresses
    listed_tables: int = 200  # in a list of tables, the newest
    messages_per_second: float = 30.0  # from one connection, in the long run
    message_burst: int = 60
    requests_per_second: float = 20.0  # from one address
    request_burst: int = 60
    files_per_second: float = 100.0  # of the page, to one address
    file_burst: int = 1_500
    tables_per_minute: float = 30.0  # new ones from one address
    table_burst: int = 30
    guesses_per_minute: float = 30.0  # wrong tokens or tables from one address
    guess_burst: int = 30
    hints_per_minute: float = 30.0  # to one address
    hint_burst: int = 15
    hints: int = 20  # that wait, of all addresses; one is thought about at a time
    analyses: int = 20  # that wait or run, of all addresses; an address has one at a time
    analysis_seconds: float = 900.0  # until one is stopped; asked for again, it goes on
    sockets_per_second: float = 5.0  # opened from one address
    socket_burst: int = 100
    connects_per_second: float = 50.0  # connections opened from one address, unless a proxy's
    connect_burst: int = 500
    all_addresses: int = 20  # times what one address may, for all of them together
    connections_per_seat: int = 8
    connections_per_address: int = 100
    connections: int = 4_000
    hello_seconds: float = 10.0  # until a connection has said who it is
    request_seconds: float = 30.0  # until the head of a request has come, and until its body has
    idle_seconds: float = 20.0  # until a table without connections leaves the memory
    bot_seconds: float = 10.0  # until a bot has lost its turn to the substitute
    bot_threads: int = 2
    bots_per_address: int = 60  # at tables to which somebody from there is connected
    bots: int = 600  # at all tables to which somebody is connected
    busy_timeout: float = 5.0  # waiting for the database
    waiting_days: float = 90.0  # from the last entry until a table expires whose game has not begun
    running_days: float = 0.0  # one whose game has begun
    finished_days: float = 0.0  # one whose game is over
    expired: Expired = Expired.ARCHIVE
    drain_seconds: float = 0.0  # between failing /readyz and closing the sockets
    backup_hours: float = 0.0  # between two backups
    backups_kept: int = 7  # the newest
    backup_folder: Path | None = None  # None: in the data folder
    metrics: bool = False  # figures for Prometheus
    metrics_token: str = field(default="", repr=False, metadata=SECRET)  # for other machines

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ServerSettings:
        return cls(**read_environment(cls, os.environ if environment is None else environment))
