"""The slowest line of a template."""

from service.core.text.peaks import peak


def lines(*took: str) -> list[str]:
    """Requests that took so long, after nine ordinary ones."""
    return [f"GET /a/{i} took {10 + i} ms" for i in range(9)] + [f"GET /b took {one}" for one in took]


def test_a_time_is_compared_in_its_unit() -> None:
    assert peak(lines("2 s", "900 ms"), range(11))[0] == 9
    assert peak(lines("200 us", "900 ms"), range(11))[0] == 10


def test_ordinary_lines_and_few_lines_have_no_peak() -> None:
    assert peak(lines("30 ms"), range(10)) == (0, 0.0)
    assert peak(lines("2 s"), range(5)) == (0, 0.0)
    assert peak([f"user {i} took part" for i in range(20)], range(20)) == (0, 0.0)


def test_names_of_durations_are_known() -> None:
    rows = [f"level=info msg=done dur_ms={20 + i % 5}" for i in range(20)]
    rows[7] = "level=info msg=done dur_ms=9000"
    assert peak(rows, range(20))[0] == 7
    rows = [f"# Query_time: {2 + i % 3}.5  Lock_time: 0.0 Rows_sent: {i}" for i in range(20)]
    rows[3] = "# Query_time: 812.4  Lock_time: 44.0 Rows_sent: 1"
    assert peak(rows, range(20))[0] == 3
