"""Reading settings: the values of variables and of a file in TOML, each checked for its kind."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
MOST = 1e12
PREFIX = "COATL_"
FILE_SUFFIX = "_file"  # of a secret's name: the file that holds it
SECRET = {"secret": True}  # metadata of fields that may also be read from a file of their own


class SettingsError(ValueError):
    """A setting that cannot be: where it is, and what is wrong with it."""


class Expired(StrEnum):
    """What becomes of a table that has expired."""

    ARCHIVE = "archive"  # it is moved to another file
    DELETE = "delete"
    KEEP = "keep"  # so none expires


def read_environment(kind: type, environment: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a dataclass that variables set."""
    values = {}
    for field in fields(kind):
        name = PREFIX + field.name.upper()
        if name in environment:
            values[field.name] = _parse(name, field, environment[name])
        secret_file = name + FILE_SUFFIX.upper()
        if field.metadata == SECRET and environment.get(secret_file):
            _refuse_both(secret_file, name, field.name in values)
            values[field.name] = _read_secret(secret_file, Path(environment[secret_file]))
    return values


def read_toml(file: Path, kinds: Sequence[type]) -> dict[str, Any]:
    """The fields of some dataclasses that a file sets. Paths in it are relative to its folder."""
    known = {field.name: field for kind in kinds for field in fields(kind)}
    found = _read_keys(file)
    values = {}
    for key, value in found.items():
        where = f"{file}: {key}"
        name = key.removesuffix(FILE_SUFFIX)
        if key in known:
            values[key] = _check(where, known[key], value, file.parent)
        elif name in known and known[name].metadata == SECRET:
            _refuse_both(where, name, name in found)
            if not isinstance(value, str):
                raise SettingsError(f"{where} is the name of a file, not {value!r}")
            values[name] = _read_secret(where, file.parent / value)
        else:
            raise SettingsError(f"{where} is not a setting")
    return values


def _read_keys(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file}: this is not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file}: {error}") from None


def _refuse_both(where: str, name: str, both: bool) -> None:
    if both:
        raise SettingsError(f"{where} is given, and so is {name}; leave one of them out")


def _read_secret(where: str, file: Path) -> str:
    try:
        secret = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "this is not a text file in UTF-8"
        raise SettingsError(f"{where} is {file}: {reason}") from None
    if not secret:
        raise SettingsError(f"{where} is {file}, which is empty")
    return secret


def _parse(name: str, field: Field[Any], text: str) -> object:
    """The value of a variable."""
    match field.type:
        case "int" | "float":
            return _number(name, field, text)
        case "bool":
            if text.lower() not in TRUE + FALSE:
                raise SettingsError(f"{name} is {' or '.join((TRUE[0], FALSE[0]))}, not {text!r}")
            return text.lower() in TRUE
        case "tuple[str, ...]":
            return tuple(part.strip() for part in text.split(",") if part.strip())
        case _:
            return _check(name, field, text, Path())


def _check(name: str, field: Field[Any], value: object, folder: Path) -> object:
    """The value of a key in a file."""
    match field.type:
        case "int" | "float":
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise SettingsError(f"{name} is a number, not {value!r}")
            return _number(name, field, value)
        case "bool":
            if not isinstance(value, bool):
                raise SettingsError(f"{name} is true or false, not {value!r}")
            return value
        case "tuple[str, ...]":
            if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
                raise SettingsError(f"{name} is a list of texts, not {value!r}")
            return tuple(value)
        case "Expired":
            if value not in list(Expired):
                raise SettingsError(f"{name} is {', '.join(Expired)}, not {value!r}")
            return Expired(str(value))
    if not isinstance(value, str):
        raise SettingsError(f"{name} is a text, not {value!r}")
    if field.type == "str":
        return value
    if not value:
        raise SettingsError(f"{name} is the name of a folder, not ''")
    return folder / value


def _number(name: str, field: Field[Any], value: str | float) -> int | float:
    is_whole = field.type == "int"
    try:
        number = int(value) if is_whole else float(value)
    except (ValueError, OverflowError):
        raise SettingsError(f"{name} is a number, not {value!r}") from None
    if is_whole and isinstance(value, float):
        raise SettingsError(f"{name} is a whole number, not {value!r}")
    if not 0 <= number < MOST:
        raise SettingsError(f"{name} is 0 or more, not {value}")
    return number
