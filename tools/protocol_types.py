"""Writes web/src/lib/protocol.ts: every message as TypeScript, made from the Python types.

`python -m tools.protocol_types` runs it; a test compares the result with the file. The first half,
reading types and their comments, is used by `tools.protocol_docs` too.
"""

from __future__ import annotations

import ast
import inspect
import io
import json
import re
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as msg

from coatl.events import Event
from coatl.server import protocol
from coatl.server.rest import OPERATIONS, Operation
from coatl.view import ViewData

ROOT = Path(__file__).parent.parent
FILE = ROOT / "web" / "src" / "lib" / "protocol.ts"
WIDTH = 100

StructClass = type[msgspec.Struct]

FROM_CLIENT: tuple[StructClass, ...] = get_args(protocol.FromClient)
TO_CLIENT: tuple[StructClass, ...] = get_args(protocol.ToClient)


# ---------------------------------------------------------------- reading the types


@dataclass(frozen=True)
class Field:
    """A field of a message, with what its comment says."""

    name: str
    type: msg.Type
    default: Any  # msgspec.NODEFAULT: it is always there
    comment: str

    @property
    def has_default(self) -> bool:
        return self.default is not msgspec.NODEFAULT

    @property
    def default_text(self) -> str:
        return json.dumps(self.default) if self.has_default else ""


def info_of(struct: StructClass) -> msg.StructType:
    found = msg.type_info(struct)
    assert isinstance(found, msg.StructType)
    return found


def tag_of(struct: StructClass) -> str | None:
    """The `type` of a message; None for what is only part of one."""
    tag = info_of(struct).tag
    return None if tag is None else str(tag)


def fields_of(struct: StructClass) -> list[Field]:
    comments = comments_of(struct)
    return [
        Field(field.encode_name, field.type, _default_of(field), comments.get(field.name, ""))
        for field in info_of(struct).fields
    ]


def _default_of(field: msg.Field) -> Any:
    """What a field that is left out means; what a factory makes is never left out."""
    return field.default


def description_of(struct: type) -> str:
    """The type's own docstring, not that of its parent."""
    return in_json(inspect.cleandoc(vars(struct).get("__doc__") or "").replace("``", "`"))


def in_json(text: str) -> str:
    """Words about Python, for those who see JSON."""
    return re.sub(r"\bNone\b", "null", text)


@cache
def comments_of(struct: type) -> dict[str, str]:
    """By field or member: the comment behind it, after any comment lines right above it."""
    source = textwrap.dedent(inspect.getsource(struct))
    comments = _comment_lines(source)
    lines = source.splitlines()
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for node in definition.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = in_json(_comment_of(node, lines, comments))
    return found


def _comment_of(node: ast.stmt, lines: Sequence[str], comments: Mapping[int, str]) -> str:
    first, last = node.lineno, node.end_lineno or node.lineno
    while lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return " ".join(comments[line] for line in range(first, last + 1) if line in comments)


def _comment_lines(source: str) -> dict[int, str]:
    """The text of each comment by its line, counted from 1."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT
    }


def parts_of(kind: msg.Type) -> tuple[msg.Type, ...]:
    """The types that a type is made of, one step down."""
    match kind:
        case msg.StructType(fields=fields):
            return tuple(field.type for field in fields)
        case msg.UnionType(types=types):
            return types
        case msg.VarTupleType(item_type=item):
            return (item,)
        case msg.TupleType(item_types=items):
            return items
        case msg.DictType(key_type=key, value_type=value):
            return (key, value)
        case msg.RawType():
            return (msg.type_info(ViewData),)
    return ()


def structs_in(kind: msg.Type) -> Iterator[StructClass]:
    """Every struct in a type, itself first."""
    if isinstance(kind, msg.StructType):
        yield kind.cls
    for part in parts_of(kind):
        yield from structs_in(part)


def with_parts(structs: Iterable[StructClass]) -> list[StructClass]:
    """Structs and those in their fields, each once."""
    found = [part for struct in structs for part in structs_in(msg.type_info(struct))]
    return list(dict.fromkeys(found))


def enums_of(structs: Iterable[StructClass]) -> list[type[Enum]]:
    """The enumerations in the fields of structs, each once."""
    kinds = [field.type for struct in structs for field in info_of(struct).fields]
    parts = [part for kind in kinds for part in (kind, *parts_of(kind))]
    return list(dict.fromkeys(part.cls for part in parts if isinstance(part, msg.EnumType)))


def types_of(operation: Operation) -> list[StructClass]:
    """The body and the answer of a request, as far as they are structs."""
    return [kind for kind in (operation.body, operation.answer) if kind not in (None, str)]


def limits_of(kind: msg.Type) -> str:
    """What a value has to keep to, in words."""
    match kind:
        case msg.StrType(pattern=str(pattern)):
            return "64 hexadecimal digits" if pattern == "^[0-9a-f]{64}$" else f"like `{pattern}`"
        case msg.StrType(min_length=least, max_length=most):
            return _range(least, most, " characters")
        case msg.IntType(ge=least, le=most):
            return _range(least, most, "")
        case msg.VarTupleType(min_length=least, max_length=most):
            return _range(least, most, " of them")
        case msg.UnionType(types=types):
            return ", or ".join(filter(None, map(limits_of, types)))
    return ""


def _range(least: int | None, most: int | None, unit: str) -> str:
    if least is None and most is None:
        return ""
    if most is None:
        return f"at least {least}{unit}"
    return f"at most {most}{unit}" if least is None else f"{least} to {most}{unit}"


# ---------------------------------------------------------------- TypeScript

# Fields whose Python type says less than is known about them.
CODE_FIELDS = {(protocol.Refused, "code"), (protocol.Problem, "code")}

HEADER = f"""\
/**
 * Every message of the Cóatl server, version {protocol.PROTOCOL} of the protocol.
 *
 * Generated by `python -m tools.protocol_types` from src/coatl/server/protocol.py,
 * src/coatl/view.py and src/coatl/events.py. Do not edit: change those and generate it anew.
 * docs/protocol.md says how the messages are used.
 *
 * A field with `?` may be left out, and then has the default that its comment names.
 */

export const PROTOCOL = {protocol.PROTOCOL};
"""


_RENAMED: dict[type, str] = {Event: "GameEvent"}  # browsers have a type Event of their own


def ts_name(struct: type) -> str:
    return _RENAMED.get(struct, struct.__name__)


def ts_type(kind: msg.Type) -> str:
    """A type in TypeScript."""
    match kind:
        case msg.StructType(cls=cls):
            return ts_name(cls)
        case msg.RawType():
            return ViewData.__name__
        case msg.UnionType(types=types):
            return " | ".join(map(ts_type, types))
        case msg.VarTupleType(item_type=item):
            inner = ts_type(item)
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        case msg.TupleType(item_types=items):
            return f"readonly [{', '.join(map(ts_type, items))}]"
        case msg.DictType(value_type=value):
            return f"Record<string, {ts_type(value)}>"
        case msg.LiteralType(values=values):
            return " | ".join(map(json.dumps, values))
        case msg.EnumType(cls=cls):
            return cls.__name__
    return _PLAIN[type(kind)]


_PLAIN: dict[type[msg.Type], str] = {
    msg.StrType: "string",
    msg.IntType: "number",
    msg.FloatType: "number",
    msg.BoolType: "boolean",
    msg.NoneType: "null",
}


def ts_struct(struct: StructClass) -> str:
    lines = [*_comment(description_of(struct), ""), f"export interface {ts_name(struct)} {{"]
    tag = tag_of(struct)
    if tag is not None:
        lines.append(f"  readonly type: {json.dumps(tag)};")
    for field in fields_of(struct):
        lines += ts_field(struct, field)
    return "\n".join([*lines, "}", ""])


def ts_field(struct: StructClass, field: Field) -> list[str]:
    """With `omit_defaults` a field that has its default is not sent."""
    is_optional = field.has_default and struct.__struct_config__.omit_defaults
    kind = "ErrorCode" if (struct, field.name) in CODE_FIELDS else ts_type(field.type)
    default = f"default: {field.default_text}" if field.has_default else ""
    words = "; ".join(filter(None, (field.comment, limits_of(field.type), default)))
    mark = "?" if is_optional else ""
    line = f"  readonly {field.name}{mark}: {kind};"
    if len(line) > WIDTH:  # a long list of texts
        line = f"  readonly {field.name}{mark}:\n    | " + kind.replace(" | ", "\n    | ") + ";"
    return [*_comment(words, "  "), line]


def _comment(text: str, indent: str) -> list[str]:
    """A documentation comment, on one line if it fits."""
    text = text.replace("*/", "* /")
    if not text:
        return []
    if "\n\n" not in text:
        line = f"{indent}/** {' '.join(text.split())} */"
        if len(line) <= WIDTH:
            return [line]
    lines = [f"{indent}/**"]
    for n, paragraph in enumerate(re.split(r"\n\n+", text)):
        lines += [f"{indent} *"] if n else []
        start = f"{indent} * "
        lines += textwrap.wrap(paragraph, WIDTH, initial_indent=start, subsequent_indent=start)
    return [*lines, f"{indent} */"]


def ts_union(name: str, words: str, members: Iterable[str]) -> str:
    lines = [f"/** {words} */", f"export type {name} =", *(f"  | {member}" for member in members)]
    return "\n".join(lines) + ";\n"


def ts_values(name: str, words: str, meanings: Mapping[str, str]) -> str:
    """Texts that a field may have, each with its meaning."""
    lines = [*_comment(words, ""), f"export type {name} ="]
    for value, meaning in meanings.items():
        lines += [f"  // {meaning}"] if meaning else []
        lines.append(f"  | {json.dumps(value)}")
    return "\n".join(lines) + ";\n"


def ts_enum(enum: type[Enum]) -> str:
    comments = comments_of(enum)
    meanings = {member.value: comments[member.name] for member in enum}
    return ts_values(enum.__name__, description_of(enum), meanings)


_OPERATION = """\
/** A request: `needsToken` means a header `Authorization: Bearer TOKEN`. */
export interface Operation {
  readonly name: OperationName;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly needsToken: boolean;
}
"""


def ts_operations() -> str:
    lines = ["export const OPERATIONS = ["]
    for operation in OPERATIONS:
        values = {
            "name": operation.name,
            "method": operation.method,
            "path": operation.path,
            "needsToken": operation.needs_token,
        }
        inner = ", ".join(f"{name}: {json.dumps(value)}" for name, value in values.items())
        lines.append(f"  {{ {inner} }},")
    return "\n".join([*lines, "] as const satisfies readonly Operation[];", ""])


def ts_operation_types() -> str:
    """What each request takes and answers, by its name."""
    lines = ["/** What each request takes and answers. */", "export interface Operations {"]
    for operation in OPERATIONS:
        body = "null" if operation.body is None else operation.body.__name__
        answer = "string" if operation.answer is str else operation.answer.__name__
        lines += _comment(operation.summary, "  ")
        lines.append(f"  readonly {operation.name}: {{ body: {body}; answer: {answer} }};")
    return "\n".join([*lines, "}", "", "export type OperationName = keyof Operations;", ""])


def make_types() -> str:
    """The whole file."""
    requests = [kind for operation in OPERATIONS for kind in types_of(operation)]
    roots: list[StructClass] = [*FROM_CLIENT, *TO_CLIENT, ViewData, Event, *requests]
    roots.append(protocol.Problem)
    structs = with_parts(roots)
    meanings = {code.value: meaning for code, meaning in protocol.CODE_MEANINGS.items()}
    sent, got = ([kind.__name__ for kind in kinds] for kinds in (FROM_CLIENT, TO_CLIENT))
    parts = [
        HEADER,
        ts_union("FromClient", "What a client's socket may send.", sent),
        ts_union("ToClient", "What a client's socket gets.", got),
        *map(ts_struct, structs),
        *map(ts_enum, enums_of(structs)),
        ts_values("ErrorCode", "Why something was refused.", meanings),
        ts_operation_types(),
        _OPERATION,
        ts_operations(),
    ]
    return "\n".join(parts)


def main() -> None:
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(make_types(), encoding="utf-8")
    print(FILE.relative_to(ROOT))


if __name__ == "__main__":
    main()
