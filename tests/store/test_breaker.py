"""The breaker: who may go, and when."""

from service.store.breaker import LONGEST_REST, REST_SECONDS, Breaker
from tests.store.test_memory import Clock


def test_it_opens_after_so_many_failures_in_a_row() -> None:
    breaker = Breaker(Clock(), failures=2)
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.admits()
    breaker.failed()
    assert not breaker.admits()


def test_one_probe_after_each_rest_and_an_answer_closes_it() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    breaker.failed()
    clock.now += REST_SECONDS
    assert [breaker.admits() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert breaker.closed
    assert breaker.admits()


def test_the_rest_doubles_with_failed_probes_only_and_has_an_end() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(50):
        breaker.failed()
    clock.now += REST_SECONDS
    for _ in range(10):
        assert breaker.admits()
        breaker.failed(probe=True)
        assert not breaker.admits()
        clock.now += LONGEST_REST
    breaker.succeeded()
    breaker.failed()
    clock.now += REST_SECONDS
    assert breaker.admits()


def test_a_probe_that_never_reports_does_not_block_the_next() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    breaker.failed()
    clock.now += REST_SECONDS
    assert breaker.admits()
    clock.now += REST_SECONDS
    assert breaker.admits()
