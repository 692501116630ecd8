"""What is made from the protocol's types is up to date, complete, and its examples can be read."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, get_args

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from coatl.server import app, protocol, socket
from coatl.server.rest import OPERATIONS
from coatl.view import ViewData
from tools import protocol_docs, protocol_examples, protocol_files, protocol_types
from tools.protocol_schema import FROM_CLIENT, TO_CLIENT, WIDTH, Schema, comments_of, components

MESSAGES = (*FROM_CLIENT, *TO_CLIENT)
BASES = {protocol.ClientMessage, protocol.ServerMessage}
STRUCTS = [
    value.__name__.removesuffix("Message")
    for value in vars(protocol).values()
    if isinstance(value, type)
    and issubclass(value, msgspec.Struct)
    and value.__module__.startswith(protocol.__name__)
    and value not in BASES
]
_JSON = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def name_of(value: Any) -> str:
    return str(getattr(value, "__name__", getattr(value, "name", value)))


@pytest.mark.parametrize("tool", [protocol_docs, protocol_types], ids=lambda t: t.__name__)
def test_the_file_is_current(tool: Any) -> None:
    made = tool.make_page() if tool is protocol_docs else tool.make_types()
    file: Path = tool.FILE
    assert file.read_text(encoding="utf-8") == made, f"run `python -m {tool.__name__}`"


def test_the_schemas_are_current() -> None:
    """If not: `make protocol`."""
    folder = protocol_files.FOLDER
    kept = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    assert kept == protocol_files.files()
    assert protocol_files.PAGE.read_text(encoding="utf-8") == protocol_files.page()


def examples_by_type() -> list[tuple[str, msgspec.Struct]]:
    """Every example whose type has a schema of its own."""
    found = list(protocol_examples.messages().values())
    for both in protocol_examples.requests().values():
        found += [one for one in both if isinstance(one, msgspec.Struct)]
    named = [(type(one).__name__.removesuffix("Message"), one) for one in found]
    return [(name, one) for name, one in named if f"{name}.json" in protocol_files.files()]


def test_examples_fit_their_schemas() -> None:
    seen = set()
    for name, example in examples_by_type():
        validator = jsonschema.Draft202012Validator(protocol_files.schema_of(name))
        validator.validate(msgspec.json.decode(msgspec.json.encode(example)))
        seen.add(f"{name}.json")
    assert seen == set(protocol_files.files())


def test_a_schema_refuses_what_is_no_message() -> None:
    validator = jsonschema.Draft202012Validator(protocol_files.schema_of("Ping"))
    validator.validate({"type": "ping", "id": "a"})
    for wrong in ({"type": "pong"}, {"type": "ping", "id": ""}, {"id": "a"}):
        with pytest.raises(jsonschema.ValidationError):
            validator.validate(wrong)


# ---------------------------------------------------------------- the types and their comments


def fields_of(schema: Schema) -> list[str]:
    """Without the `type` that tells what a message is."""
    return list(schema["properties"])[protocol_docs.tag_of(schema) is not None :]


@pytest.mark.parametrize("struct", STRUCTS)
def test_everything_is_explained(struct: str) -> None:
    schema = components()[struct]
    assert schema["description"]
    explained = [name for name in fields_of(schema) if schema["properties"][name]["description"]]
    assert explained == fields_of(schema)


def test_comments_stand_behind_or_above() -> None:
    comments = comments_of(protocol.NewTable)
    assert comments["promo"] == "with the promo pack"
    assert comments["places"] == (
        "2 to 4 in the order of play, or one for solo; at least one is not a bot"
    )
    assert comments["levels"].endswith("null: not solo")  # JSON has no None


def test_limits_are_told() -> None:
    fields = components()["NewTable"]["properties"]
    assert fields["places"]["description"].endswith("; 1 to 4 of them")
    assert fields["levels"]["description"].endswith("; at most 5 of them")
    assert components()["Join"]["properties"]["nonce"]["description"].endswith(
        "; 64 hexadecimal digits"
    )
    assert components()["HandOverSeat"]["properties"]["place"]["description"] == "whose; 0 to 3"


# ---------------------------------------------------------------- examples


def read(example: msgspec.Struct) -> None:
    """Read an example as a client would; msgspec cannot read `Raw | None`, so views go apart."""
    data = json.loads(msgspec.json.encode(example))
    views = data.get("views", [])
    if isinstance(example, protocol.TableState):
        views = [data["view"]] if data["view"] is not None else []
        data["view"] = None
    for view in views:
        msgspec.convert(view, ViewData, strict=True)
    msgspec.json.decode(json.dumps(data), type=type(example))


def test_every_message_has_an_example() -> None:
    assert set(MESSAGES) <= set(protocol_examples.messages())
    assert [operation.name for operation in OPERATIONS] == list(protocol_examples.requests())


@pytest.mark.parametrize("struct", MESSAGES)
def test_an_example_can_be_read(struct: str) -> None:
    read(protocol_examples.messages()[struct])


@pytest.mark.parametrize("union", [protocol.FromClient, protocol.ToClient])
def test_the_type_of_a_message_tells_what_it_is(union: Any) -> None:
    examples = protocol_examples.messages().values()
    structs = set(get_args(union)) - {protocol.TableState}
    found = [example for example in examples if type(example) in structs]
    assert {type(example) for example in found} == structs
    for example in found:
        assert msgspec.json.decode(msgspec.json.encode(example), type=union) == example


@pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)
def test_an_example_of_a_request_can_be_read(operation: Any) -> None:
    body, answer = protocol_examples.requests()[operation.name]
    assert type(body) is (operation.body or type(None))
    assert type(answer) is operation.answer
    for part in (body, answer):
        if isinstance(part, msgspec.Struct):
            read(part)


def test_examples_are_shown_as_json() -> None:
    """Apart from what is left out."""
    shown = _JSON.findall(protocol_docs.make_page())
    assert len(shown) > len(MESSAGES)
    for text in shown:
        whole = re.sub(r",\s*\.\.\.", "", text).replace("{...}", "{}")
        assert json.loads(whole)


def test_secrets_stay_out_of_paths() -> None:
    tokens = (protocol_examples.ANA, protocol_examples.OWNER, protocol_examples.INVITE)
    lines = protocol_docs.make_page().splitlines()
    paths = [line for line in lines if re.match(r"(GET|POST) ", line)]
    assert len(paths) == len(OPERATIONS)
    assert not any(token in path for path in paths for token in tokens)


# ---------------------------------------------------------------- nothing is left out


def test_every_struct_is_documented() -> None:
    page = protocol_docs.make_page()
    for struct in STRUCTS:
        name = protocol_docs.tag_of(components()[struct]) or struct
        section = re.search(rf"^#+ `{name}`\n.*?(?=^#)", page, re.MULTILINE | re.DOTALL)
        assert section, name
        for field in fields_of(components()[struct]):
            assert f"\n| `{field}` | " in section[0]


def test_every_request_and_code_is_documented() -> None:
    page = protocol_docs.make_page()
    for operation in OPERATIONS:
        assert f"\n### `{operation.method} {operation.path}`\n" in page
    errors = page.split("\n## Errors\n")[1]
    assert re.findall(r"^\| `(\w+)` \|", errors, re.MULTILINE) == list(protocol.CODE_MEANINGS)


def test_every_close_code_is_documented() -> None:
    """With the error codes that lead to it."""
    rows = re.findall(r"^\| (\d{4}) \| .+? \| (.*?) \| ", protocol_docs.make_page(), re.MULTILINE)
    told = {int(code): re.findall(r"\w+", errors) for code, errors in rows}
    by_code: dict[int, list[str]] = {socket.TOO_SLOW: []}
    for error, code in socket.CLOSE.items():
        by_code.setdefault(code, []).append(error.value)
    assert told == by_code


def test_the_address_of_the_socket() -> None:
    assert '"/api/tables/{table}/socket"' in inspect.getsource(app)
    assert "`/api/tables/{table}/socket`" in protocol_docs.make_page()


# ---------------------------------------------------------------- TypeScript


def test_every_struct_has_an_interface() -> None:
    text = protocol_types.make_types()
    for struct in [*STRUCTS, "ViewData", "SeatView", "CoatlView", "GameEvent", "Move"]:
        assert text.count(f"\nexport interface {struct} {{\n") == 1


def test_every_code_and_request_is_typed() -> None:
    text = protocol_types.make_types()
    union = re.search(r"export type ErrorCode =\n(.*?);\n", text, re.DOTALL)
    assert union
    assert re.findall(r'^ +\| "(\w+)"$', union[1], re.MULTILINE) == list(protocol.CODE_MEANINGS)
    for operation in OPERATIONS:
        start = f'name: "{operation.name}", method: "{operation.method}", path: "{operation.path}"'
        assert start in re.sub(r"\s+", " ", text)


def code_only(text: str) -> str:
    """Without comments and texts."""
    text = re.sub(r"/\*\*.*?\*/|^ *//.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r'"[^"\n]*"', "", text)


def test_the_types_are_well_formed() -> None:
    code = code_only(protocol_types.make_types())
    for opening, closing in ("{}", "()", "[]", "<>"):
        assert code.count(opening) == code.count(closing)
    assert not re.search(r"\b(any|unknown|object|undefined|None|Raw)\b", code)


def test_every_name_is_declared() -> None:
    code = code_only(protocol_types.make_types())
    declared = set(re.findall(r"\bexport (?:interface|type|const) (\w+)", code))
    assert set(re.findall(r"\b[A-Z]\w+", code)) - {"Record"} == declared


def test_types_are_translated() -> None:
    text = protocol_types.make_types()
    for line in (
        '  readonly type: "state";',
        "  readonly view: ViewData | null;",
        "  readonly views: readonly ViewData[];",
        "  readonly nonces: Record<string, string>;",
        "  readonly lacks?: readonly [string, string] | null;",
        "  readonly matches?: readonly (readonly number[])[];",
        "  readonly seats: readonly (string | null)[];",
        "  readonly code: ErrorCode;",
        "  readonly token: string;",
        "  readonly version?: number;",
        "  readonly kind: MoveKind;",
        "  // T1: the content of a supply space",
        '  | "take"',
    ):
        assert f"\n{line}\n" in text
    assert max(map(len, text.splitlines())) <= WIDTH
