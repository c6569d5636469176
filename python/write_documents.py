"""Writes richman/documents.py, the types of all documents, from docs/reports.schema.json."""

from __future__ import annotations

import json
import keyword
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# The longest line.
WIDEST = 100
TARGET = HERE / "richman" / "documents.py"

HEAD = '''"""The documents of answers, as ``Answer.data`` has them: written by write_documents.py.

A type is of what a command prints with ``--json``, or of a part of it. A key that only some of
these documents have may be missing. Later versions may add keys.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''

SIMPLE = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}

Schema = dict[str, Any]


def union(types: list[str]) -> str:
    """One of these types."""
    parts = dict.fromkeys(part for each in types for part in each.split(" | "))
    return "Any" if "Any" in parts else " | ".join(sorted(parts, key=lambda part: part == "None"))


class Types:
    """The types of a document with definitions."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self.definitions = definitions

    @staticmethod
    def name(reference: str) -> str:
        """What a definition is called: that of a command's document, after the command."""
        name = reference.rsplit("/", 1)[-1]
        return name if name[0].isupper() else name.title().replace("-", "") + "Document"

    def choices(self, schema: Schema) -> list[Schema]:
        """The schemas of which one or another holds."""
        return list(schema.get("anyOf", schema.get("oneOf", [])))

    def fields(self, schema: Schema) -> dict[str, tuple[list[str], bool]] | None:
        """The types of each key, and whether it is always there; None unless it is an object."""
        if "$ref" in schema:
            return self.fields(self.definitions[schema["$ref"].rsplit("/", 1)[-1]])
        parts = [self.fields(each) if each else {} for each in self.choices(schema)]
        if None in parts or not (parts or "properties" in schema):
            return None
        found = {
            key: ([self.type(each)], key in schema.get("required", []))
            for key, each in schema.get("properties", {}).items()
        }
        known = [part for part in parts if part is not None]
        for key in dict.fromkeys(key for part in known for key in part):
            each = [part[key] for part in known if key in part]
            always = len(each) == len(known) and all(required for _, required in each)
            names = [name for names, _ in each for name in names]
            found[key] = (found.get(key, ([], False))[0] + names, always)
        return found

    def type(self, schema: Schema) -> str:
        """The type of a value."""
        if "$ref" in schema:
            return self.name(schema["$ref"])
        choices = self.choices(schema)
        words = schema.get("enum") or [
            each["const"] for each in choices or [schema] if "const" in each
        ]
        others = [self.type(each) for each in choices if "const" not in each]
        if words or choices:
            return union([f"Literal[{', '.join(map(repr, words))}]"] * bool(words) + others)
        kinds = schema.get("type", [])
        return union(
            [self.of(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
            or ["Any"]
        )

    def of(self, kind: str, schema: Schema) -> str:
        """The type of a value that is of a JSON type."""
        if kind == "array":
            # No type says which of the items of a list is of which type.
            return f"list[{self.type(schema['items']) if 'items' in schema else 'Any'}]"
        if kind == "object":
            values = [self.type(each) for each in schema.get("properties", {}).values()]
            return f"dict[str, {union(values)}]" if values else "dict[str, Any]"
        return SIMPLE[kind]

    def definition(self, key: str) -> str:
        """The lines of a definition."""
        schema, name = self.definitions[key], self.name(key)
        about = schema.get("description", f"What ``richman {key} --json`` prints.")
        found = None if "$ref" in schema else self.fields(schema)
        if found is None:
            alias = f'{name}: TypeAlias = "{self.type(schema)}"'
            if len(alias) > WIDEST:
                alias = f'{name}: TypeAlias = (\n    "{self.type(schema)}"\n)'
            return f'{alias}\n"""{about}"""'.replace("\\", "\\\\")
        types = {
            key: union(names) if always else f"NotRequired[{union(names)}]"
            for key, (names, always) in found.items()
        }
        if any(keyword.iskeyword(key) for key in types):
            lines = "\n".join(f'        "{key}": "{each}",' for key, each in types.items())
            return f'{name} = TypedDict(\n    "{name}",\n    {{\n{lines}\n    }},\n)\n"""{about}"""'
        lines = "\n".join(f"    {key}: {each}" for key, each in types.items())
        return f'class {name}(TypedDict):\n    """{about}"""\n\n{lines}'


def written(schema: Schema) -> str:
    """The text of documents.py."""
    types = Types(schema["$defs"])
    return HEAD + "".join(f"\n\n{types.definition(key)}\n" for key in schema["$defs"])


def current() -> str:
    """The text by the schema as it is."""
    return written(json.loads((HERE / "../docs/reports.schema.json").read_text()))


if __name__ == "__main__":
    TARGET.write_text(current())
