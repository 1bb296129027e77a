"""Payloads made by rule: what the requirements describe, and arbitrary JSON and text."""

import json
from typing import Any

from hypothesis import strategies as st

KINDS = ("Villa", "Apartment", "House", "Condo", "Studio")
CITIES = ("Rome", "Florence", "Venice", "Milan", "Naples")
AMENITIES = ("wifi", "pool", "parking", "kitchen", "garden", "gym", "sauna", "balcony")

text = st.text(st.characters(codec="utf-8"), max_size=40)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | text
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(text, inner, max_size=6),
    max_leaves=40,
)
json_lists = st.lists(json_values, max_size=30)


def dump(value: Any) -> bytes:
    """Compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def properties(count: int) -> list[dict[str, Any]]:
    """The listings `props(n)` of the requirements."""
    return [_property(i) for i in range(count)]


def _property(i: int) -> dict[str, Any]:
    kind, city = KINDS[i % 5], CITIES[i % 5]
    return {
        "id": 400000 + i,
        "name": f"{kind} {city} {i}",
        "address": {"street": f"Via Roma {i}", "city": city, "state": "IT", "zip": f"{10000 + i}", "country": "IT"},
        "bedrooms": i % 4 + 1,
        "bathrooms": i % 3 + 1,
        "maxGuests": i % 8 + 2,
        "basePrice": 100 + 50 * i,
        "currency": "EUR",
        "status": "inactive" if i % 10 == 0 else "active",
        "amenities": list(AMENITIES[: i % 8 + 2]),
        "images": [f"https://img.example.com/{400000 + i}/{n}.jpg" for n in (1, 2)],
        "description": f"A lovely {kind.lower()} in {city}, close to everything.",
    }


def log_lines(count: int) -> str:
    """Short log lines, one entry each."""
    return "".join(f"{i % 24:02}:{i % 60:02}:00 INFO step {i}\n" for i in range(count))
