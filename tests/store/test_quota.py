"""The quota: what counts, for how long, and for whom."""

from hypothesis import given, strategies as st

from service.store.quota import SNAPSHOT_OVERHEAD, Quota
from tests.store.test_memory import Clock

EACH = 1000 + SNAPSHOT_OVERHEAD


def test_a_spent_quota_refuses_until_something_has_expired() -> None:
    clock = Clock()
    quota = Quota(2 * EACH, clock)
    assert quota.take("a", b"1", 1000, clock.now + 10)
    assert quota.take("a", b"2", 1000, clock.now + 20)
    assert not quota.take("a", b"3", 1000, clock.now + 10)
    assert quota.take("b", b"3", 1000, clock.now + 10)
    clock.now += 11
    assert quota.take("a", b"3", 1000, clock.now + 10)


def test_what_is_touched_counts_on() -> None:
    clock = Clock()
    quota = Quota(EACH, clock)
    quota.take("a", b"1", 1000, clock.now + 10)
    quota.touch("a", b"1", clock.now + 30)
    quota.touch("b", b"1", clock.now + 30)
    clock.now += 20
    assert not quota.take("a", b"2", 1000, clock.now + 10)


def test_what_was_not_saved_does_not_count() -> None:
    quota = Quota(EACH, Clock())
    quota.take("a", b"1", 1000, 2000)
    quota.give_back("a", b"1", 1000)
    assert quota.take("a", b"2", 1000, 2000)


def test_without_a_quota_nothing_is_kept() -> None:
    quota = Quota(None, Clock())
    assert quota.take("a", b"1", 1 << 40, 2000)
    assert quota.held("a") == 0


def test_who_has_nothing_left_is_forgotten() -> None:
    clock = Clock()
    quota = Quota(10 * EACH, clock)
    for number in range(1000):
        assert quota.take(str(number), b"1", 1000, clock.now + 10)
        clock.now += 1
    assert len(quota) < 40


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 3), st.integers(0, 4000), st.floats(0.1, 9))))
def test_nobody_ever_holds_more(steps: list[tuple[str, int, int, float]]) -> None:
    clock = Clock()
    quota = Quota(10_000, clock)
    for tenant, snapshot, size, pause in steps:
        quota.take(tenant, bytes([snapshot]), size, clock.now + 10)
        assert 0 <= quota.held(tenant) <= 10_000
        clock.now += pause
