"""Documents from selections of fields: arguments become variables, so that no value is ever part of the text."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Tuple

from .errors import InputError
from .schema import SHAPE, WITHOUT_USER_ERRORS

_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_FIELD = re.compile(r"(\w*)\((.*)\)\Z")
_DEPTH_MAX = 30

Selection = Mapping[str, Any]
"""True for a value, a selection for an object, (arguments, selection) for a field with arguments, `on_Name` for one type of a union."""


def build_operation(kind: str, selection: Selection) -> Tuple[str, Dict[str, Any]]:
    """The document of a selection and its variables. Raises InputError for arguments that a field does not have."""
    builder = _Builder()
    fields = builder.fields(selection, "Query" if kind == "query" else "Mutation", 0)
    declared = f" ({', '.join(builder.declared)})" if builder.declared else ""
    return f"{kind}{declared} {fields}", builder.variables


def ask_for_user_errors(selection: Selection) -> Tuple[Dict[str, Any], List[str]]:
    """The selection with `userErrors` in each mutation that has them and was not asked for them, and the names of these mutations."""
    asked: Dict[str, Any] = {}
    added: List[str] = []
    for name, choice in selection.items():
        arguments, below = choice if isinstance(choice, (tuple, list)) and len(choice) == 2 else ({}, choice)
        if name not in WITHOUT_USER_ERRORS and isinstance(below, Mapping) and not below.get("userErrors"):
            added.append(name)
            choice = (arguments, {**below, "userErrors": {"code": True, "field": True, "message": True}})
        asked[name] = choice
    return asked, added


def remove_user_errors(data: Dict[str, Any], name: str) -> List[Dict[str, Any]]:
    """The mistakes of one mutation, which leave its data."""
    payload = data.get(name)
    if not isinstance(payload, dict):
        return []
    return [
        {
            "message": error["message"],
            "path": [name],
            "extensions": {"code": error["code"].lower(), "field": error["field"]},
        }
        for error in payload.pop("userErrors", None) or []
    ]


class _Builder:
    def __init__(self) -> None:
        self.declared: List[str] = []
        self.variables: Dict[str, Any] = {}

    def fields(self, selection: Any, type_name: str, depth: int) -> str:
        if depth > _DEPTH_MAX:
            raise InputError("The selection is nested too deeply.")
        if not isinstance(selection, Mapping):
            raise InputError(f"A selection of {type_name or 'an object'} must be a mapping.")
        parts: List[str] = []
        for name, choice in selection.items():
            if choice is False or choice is None:
                continue
            if not _NAME.match(name):
                raise InputError(f"{name!r} is not the name of a field.")
            if name.startswith("on_"):
                parts.append(f"__typename ... on {name[3:]} {self.fields(choice, name[3:], depth + 1)}")
            else:
                parts.append(self._field(name, choice, type_name, depth))
        if not parts:
            raise InputError(f"A selection of {type_name or 'an object'} has no field.")
        return "{ " + " ".join(parts) + " }"

    def _field(self, name: str, choice: Any, type_name: str, depth: int) -> str:
        found = _FIELD.match(SHAPE.get(type_name, {}).get(name, ""))
        value_type, known = found.groups() if found else ("", "")
        arguments, below = choice if isinstance(choice, (tuple, list)) and len(choice) == 2 else ({}, choice)
        text = name + self._arguments(f"{type_name}.{name}", arguments, known)
        return text if below is True else f"{text} {self.fields(below, value_type, depth + 1)}"

    def _arguments(self, field: str, arguments: Mapping[str, Any], known: str) -> str:
        types = dict(one.split(":", 1) for one in known.split(",") if one)
        parts: List[str] = []
        for name, value in arguments.items():
            if name not in types:
                raise InputError(f"{field} has no argument {name}.")
            variable = f"v{len(self.declared)}"
            self.declared.append(f"${variable}: {types[name]}")
            self.variables[variable] = value
            parts.append(f"{name}: ${variable}")
        return f"({', '.join(parts)})" if parts else ""
