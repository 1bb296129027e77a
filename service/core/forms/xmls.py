"""XML as values: elements with children are objects, repeated ones are lists, the rest is text."""

import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLParser

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.scalars import scalar

_ENTITIES = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.I)
_START = re.compile(r"\s*(?:<\?xml|<([A-Za-z_][\w:.-]*)[\s>/])")
_DEEPEST = 100


class _Refused(Exception):
    pass


def looks_xml(seen: Sample) -> bool:
    """Whether the text is one element from beginning to end."""
    return seen.first == "<" and seen.last == ">" and _START.match(seen.text.lstrip("\ufeff")) is not None


def read_xml(text: str) -> Reading | None:
    """The root element as a value; None for pages and for anything with entities of its own."""
    if _ENTITIES.search(text, 0, 65536) or "<!ENTITY" in text:
        return None
    try:
        parser = XMLParser()  # noqa: S314 - texts that declare entities are refused above
        parser.feed(text.removeprefix("\ufeff").strip().encode())
        root = parser.close()
        if _local(root.tag) in ("html", "body", "div", "p", "svg", "span", "table"):
            return None
        value = _value(root, 0)
    except (ParseError, _Refused, ValueError):
        return None
    return Reading("html", {_local(root.tag): value}, True) if isinstance(value, dict) else None


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _value(element: Element, level: int) -> Any:
    """Attributes and children by name; mixed content is a document and no value."""
    text = (element.text or "").strip()
    if not len(element) and not element.attrib:
        return scalar(text)
    if level > _DEEPEST or (text and len(element)):
        raise _Refused
    result: dict[str, Any] = {_local(name): scalar(value) for name, value in element.attrib.items()}
    lists: set[str] = set()
    for child in element:
        if child.tail and not child.tail.isspace():
            raise _Refused
        name, value = _local(child.tag), _value(child, level + 1)
        if name in lists:
            result[name].append(value)
        elif name in result:
            result[name] = [result[name], value]
            lists.add(name)
        else:
            result[name] = value
    return result | ({"text": scalar(text)} if text else {})
