"""Laws of a cursor: it comes back as it was, for its tenant, under its keys, in its time, and otherwise never."""

import string
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from time import perf_counter

import pytest
from hypothesis import assume, given, strategies as st

from service.core.cursor import EPOCH, EXPIRED_HINT, LETTERS, Cursor, Kind, peek, seal, ticks, unseal
from service.errors import CursorExpired, CursorInvalid, CursorMalformed, Refusal

OLD, NEW = (7, b"the secret of last month"), (9, b"the secret of this month")
NOW = 1_800_000_000.0
ALPHABET = string.ascii_letters + string.digits + "-_"
CURSORS = st.builds(
    Cursor,
    key_id=st.just(NEW[0]),
    kind=st.sampled_from(Kind),
    snapshot=st.binary(min_size=12, max_size=12),
    view=st.binary(min_size=8, max_size=8),
    position=st.integers(0, 2**40 - 1),
    expiry=st.integers(1, 1_000_000).map(lambda quarters: NOW + quarters / 4),
    local=st.booleans(),
)
ONE = Cursor(NEW[0], Kind.page, b"snapshot_id!", b"view_id!", 50, NOW + 600)


def token(cursor: Cursor = ONE, tenant: str = "acme") -> str:
    return seal(cursor, tenant, NEW[1])


@given(CURSORS, st.text())
def test_it_comes_back_as_it_was(cursor: Cursor, tenant: str) -> None:
    sealed = seal(cursor, tenant, NEW[1])
    assert len(sealed) == LETTERS <= 64
    assert set(sealed) <= set(ALPHABET)
    assert unseal(sealed, tenant, [OLD, NEW], NOW) == cursor == peek(sealed)


@given(st.text() | st.text(ALPHABET, min_size=LETTERS, max_size=LETTERS) | st.text(ALPHABET, max_size=70))
def test_an_arbitrary_string_is_refused_and_nothing_else(text: str) -> None:
    with pytest.raises((CursorMalformed, CursorInvalid)) as refused:
        unseal(text, "acme", [OLD, NEW], NOW)
    assert "re-query from the start" in refused.value.hint


@pytest.mark.parametrize("text", ["", "é", "not-valid-base64!!!", "\ud800", "\0" * 63, "é" * 63, "A" * 62, "A" * 64])
def test_what_has_not_the_shape_is_malformed(text: str) -> None:
    with pytest.raises(CursorMalformed):
        unseal(text, "acme", [NEW], NOW)


def test_every_flipped_bit_is_refused_alike() -> None:
    data = urlsafe_b64decode(token() + "=")
    told = set()
    for bit in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(CursorInvalid) as refused:
            unseal(urlsafe_b64encode(flipped).rstrip(b"=").decode(), "acme", [OLD, NEW], NOW)
        told.add((refused.value.detail, refused.value.hint))
    assert len(told) == 1


def test_every_flipped_bit_of_the_letters_is_refused() -> None:
    for place, letter in enumerate(token()):
        for bit in range(8):
            wrong = token()[:place] + chr(ord(letter) ^ 1 << bit) + token()[place + 1 :]
            with pytest.raises((CursorMalformed, CursorInvalid)):
                unseal(wrong, "acme", [NEW], NOW)


@pytest.mark.parametrize("around", ["{}=", "{}\n", " {}", "{}A", "\ufeff{}", "{}!!"])
def test_another_spelling_is_malformed(around: str) -> None:
    with pytest.raises(CursorMalformed):
        unseal(around.format(token()), "acme", [NEW], NOW)


def test_the_last_letters_idle_bits_are_checked() -> None:
    sealed = token()
    twins = [sealed[:-1] + letter for letter in ALPHABET if letter != sealed[-1]]
    same = [twin for twin in twins if urlsafe_b64decode(twin + "=") == urlsafe_b64decode(sealed + "=")]
    assert len(same) == 3
    for twin in same:
        with pytest.raises(CursorMalformed):
            unseal(twin, "acme", [NEW], NOW)


@given(st.text(), st.text())
def test_it_opens_for_its_tenant_only(tenant: str, other: str) -> None:
    assume(tenant != other)
    with pytest.raises(CursorInvalid):
        unseal(token(tenant=tenant), other, [NEW], NOW)


def test_any_key_of_the_ring_opens_it_and_no_other() -> None:
    old = seal(replace(ONE, key_id=OLD[0]), "acme", OLD[1])
    assert unseal(old, "acme", [NEW, OLD], NOW).key_id == OLD[0]
    for ring in ([NEW], [(OLD[0], b"another secret, same id")], []):
        with pytest.raises(CursorInvalid):
            unseal(old, "acme", ring, NOW)


def test_two_secrets_may_share_an_id() -> None:
    assert unseal(token(), "acme", [(NEW[0], b"a stranger with this id"), NEW], NOW) == ONE


def test_it_ends_when_it_says() -> None:
    assert unseal(token(), "acme", [NEW], NOW + 599.9) == ONE
    for late in (600, 700, 10**9):
        with pytest.raises(CursorExpired) as refused:
            unseal(token(), "acme", [NEW], NOW + late)
        assert refused.value.hint == EXPIRED_HINT
        assert "e-query from the start" in refused.value.detail
        assert "2027-01-15T08:10:00Z" in refused.value.detail


def test_a_forged_and_expired_one_is_invalid_first() -> None:
    with pytest.raises(CursorInvalid):
        unseal(token(), "other", [NEW], NOW + 9999)


@given(st.floats(EPOCH, EPOCH + 2**29))
def test_a_lifetime_is_never_cut_by_rounding(expiry: float) -> None:
    found = unseal(token(replace(ONE, expiry=expiry)), "acme", [NEW], 0).expiry
    assert 0 <= found - expiry < 0.25


def test_times_outside_of_four_bytes_stay_inside() -> None:
    assert (ticks(-1e12), ticks(1e12)) == (0, 2**32 - 1)


@pytest.mark.parametrize(
    "wrong",
    [replace(ONE, position=-1), replace(ONE, position=2**40), replace(ONE, view=b""), replace(ONE, snapshot=b"")],
)
def test_what_does_not_fit_is_a_defect_of_ours(wrong: Cursor) -> None:
    with pytest.raises(ValueError, match="a cursor has"):
        token(wrong)


def test_an_unknown_kind_is_invalid_even_when_signed() -> None:
    for kind in (0, 5, 127):
        with pytest.raises(CursorInvalid):
            unseal(token(replace(ONE, kind=kind)), "acme", [NEW], NOW)  # type: ignore[arg-type]  # from a later version


def test_nothing_readable_is_inside() -> None:
    data = urlsafe_b64decode(token(tenant="acme-industries") + "=")
    assert b"acme" not in data
    assert len(data) == 47


def test_it_takes_far_less_than_a_millisecond() -> None:
    began = perf_counter()
    for _ in range(1000):
        unseal(token(), "acme", [NEW], NOW)
    assert perf_counter() - began < 0.5


def test_every_refusal_is_a_400_or_410() -> None:
    for wrong, now in (("x", NOW), (token(tenant="b"), NOW), (token(), NOW + 601)):
        with pytest.raises(Refusal) as refused:
            unseal(wrong, "acme", [NEW], now)
        assert (refused.value.status, refused.value.code) in {
            (400, "cursor_malformed"),
            (400, "cursor_invalid"),
            (410, "cursor_expired"),
        }
