"""Logs: an entry stays with its stack trace, whatever the language and whoever stamped the lines."""

from bisect import bisect_right

import pytest
from hypothesis import given, settings, strategies as st

from service.core.chunk import Limits, chunk
from service.core.chunk.entries import entries
from service.core.lines import line_starts
from service.core.tokens import estimate
from tests.core.chunk.promises import keep

TRACES = {
    "python": """Traceback (most recent call last):
  File "/app/pay.py", line 31, in charge
    return gateway.post(order)
           ^^^^^^^^^^^^^^^^^^^
ValueError: card refused: 17

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/main.py", line 8, in <module>
    run()
app.errors.PaymentError: could not charge""",
    "java": """java.lang.IllegalStateException: queue is closed
\tat org.example.Queue.put(Queue.java:88)
\tat org.example.Main.main(Main.java:12)
Caused by: java.io.IOException: Broken pipe
\tat java.base/sun.nio.ch.SocketChannelImpl.write(SocketChannelImpl.java:100)
\t... 14 common frames omitted""",
    "node": """TypeError: Cannot read properties of undefined (reading 'id')
    at handler (/srv/app/routes/user.js:17:23)
    at Layer.handle [as handle_request] (/srv/app/node_modules/express/lib/router/layer.js:95:5) {
  code: 'ERR_X'
}""",
    "go": """panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48e3b2]

goroutine 1 [running]:
main.(*Server).serve(0xc000010240, {0x4b5f2c, 0x3})
\t/src/cmd/server/main.go:42 +0x1d
created by main.start in goroutine 1
\t/src/cmd/server/main.go:12 +0x85
exit status 2""",
    "dotnet": """System.InvalidOperationException: Sequence contains no elements
 ---> System.ArgumentNullException: Value cannot be null. (Parameter 'source')
   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)
   --- End of inner exception stack trace ---
   at Shop.Orders.Load(Int32 id) in C:\\src\\Orders.cs:line 88""",
    "php": """PHP Fatal error:  Uncaught Exception: no such table in /var/www/html/db.php:12
Stack trace:
#0 /var/www/html/index.php(3): query()
#1 {main}
  thrown in /var/www/html/db.php on line 12""",
}
STYLES = {
    "iso": "2024-05-01T10:{:02d}:{:02d}.123Z",
    "comma": "2024-05-01 10:{:02d}:{:02d},123",
    "bracketed": "[2024-05-01 10:{:02d}:{:02d}]",
    "syslog": "May  1 10:{:02d}:{:02d} host-1 app[17]:",
    "apache error": "[Wed May 01 10:{:02d}:{:02d}.123456 2024] [php:error]",
    "android": "05-01 10:{:02d}:{:02d}.123  1702  2395",
    "windows": "05/01/2024 10:{:02d}:{:02d} AM",
    "glog": "E0501 10:{:02d}:{:02d}.123456   17 main.go:12]",
    "epoch": "17145576{:02d}.{:02d}1",
    "level": "ERROR:app.{:02d}{:02d}:",
}


def cuts_of(log: list[str], tokens: int = 400) -> tuple[set[int], set[int]]:
    """Where a log of these entries was cut, and where its entries begin."""
    text, begins, at = "".join(log).encode(), set(), 0
    for entry in log:
        begins.add(at)
        at += len(entry.encode())
    bounds = Limits(tokens, 200, 16_000)
    cuts = chunk(text, "log", bounds)
    keep(text, bounds, cuts)
    assert len(cuts) > 3
    return {cut.start for cut in cuts}, begins


@pytest.mark.parametrize("language", [*TRACES])
@pytest.mark.parametrize("style", [*STYLES])
def test_a_stack_trace_stays_with_its_stamped_entry(language: str, style: str) -> None:
    log = []
    for n in range(40):
        stamp = STYLES[style].format(n // 60, n % 60)
        trace = "\n" + TRACES[language] if n % 3 == 0 else ""
        log.append(f"{stamp} request {n} of user {n * 7} took {n * 13} ms{trace}\n")
    starts, begins = cuts_of(log)
    assert starts <= begins


@pytest.mark.parametrize("language", [*TRACES])
def test_a_stack_trace_stays_together_when_a_runner_stamped_every_line(language: str) -> None:
    log = []
    for n in range(40):
        lines = [f"ERROR request {n} failed", *TRACES[language].split("\n")] if n % 3 == 0 else [f"request {n} is done"]
        log.append("".join(f"2024-05-01T10:00:{n:02d}.1234567Z {line}\n" for line in lines))
    starts, begins = cuts_of(log)
    assert starts <= begins


@pytest.mark.parametrize("language", [*TRACES])
def test_a_stack_trace_stays_with_the_error_above_it_in_plain_output(language: str) -> None:
    log = []
    for n in range(40):
        trace = TRACES[language] + "\n"
        log.append(f"ERROR: request {n} failed\n{trace}" if n % 3 == 0 else f"step {n} is done, nothing to say\n")
    starts, begins = cuts_of(log)
    assert starts <= begins


def test_json_lines_access_logs_and_plain_lines_are_entries() -> None:
    for line in (
        '{{"time": "10:00", "n": {}}}\n',
        '1.2.3.4 - - [01/May/2024:10:00:00 +0000] "GET /{} HTTP/1.1" 200\n',
        "pass {}\n",
    ):
        starts, begins = cuts_of([line.format(n) for n in range(400)], 300)
        assert starts <= begins


def test_a_ci_log_is_cut_where_a_group_begins() -> None:
    stamp = "2024-05-01T10:00:00.1234567Z "
    group = [
        f"{stamp}##[group]Step\n",
        *(f"{stamp}  setting number {n}\n" for n in range(10)),
        f"{stamp}##[endgroup]\n",
    ]
    text = "".join(group * 20).encode()
    cuts = chunk(text, "log", Limits(1000, 200, 16_000))
    assert all(text[cut.start :].startswith(group[0].encode()) for cut in cuts)


def test_an_entry_too_long_for_a_chunk_is_split_between_lines_and_filled() -> None:
    text = b"2024-05-01 10:00:00 INFO values:\n" + b"".join(b"\tkey.number.%d = some value\n" % n for n in range(400))
    text += b"".join(b"2024-05-01 10:00:%02d INFO next\n" % n for n in range(60))
    cuts = chunk(text, "log", Limits(500, 200, 16_000))
    assert {cut.boundary for cut in cuts} == {"line", "entry", "end"}
    assert all(text[cut.start - 1 : cut.start] in (b"\n", b"") for cut in cuts)
    assert min(cut.end - cut.start for cut in cuts[:-1]) > 600


def test_colours_and_carriage_returns_do_not_hide_an_entry() -> None:
    begins = entries(b"\x1b[32m2024-05-01 10:00:00\x1b[0m INFO a\r\n more\r\n" * 9).opens
    assert begins(0)
    assert not begins(len(b"\x1b[32m2024-05-01 10:00:00\x1b[0m INFO a\r\n"))


logs = st.lists(
    st.tuples(
        st.integers(0, 59), st.integers(0, 8), st.sampled_from([*TRACES.values(), "  more\n  and more", "plain"])
    ),
    min_size=5,
    max_size=40,
)


@given(logs)
@settings(max_examples=100, deadline=None)
def test_an_entry_is_split_only_when_it_does_not_fit_alone(made: list[tuple[int, int, str]]) -> None:
    text = "".join(
        f"2024-05-01 10:00:{second:02d} INFO x\n" + f"{tail}\n" * (n // 4) for second, n, tail in made
    ).encode()
    bounds = Limits(150, 20, 2000)
    opens = entries(text).opens
    begins = [start for start in line_starts(text)[:-1] if start == 0 or opens(start)] + [len(text)]
    for cut in chunk(text, "log", bounds)[:-1]:
        at = bisect_right(begins, cut.end) - 1
        entry = text[begins[at] : begins[at + 1]]
        assert begins[at] == cut.end or estimate(entry) > bounds.tokens or entry.count(b"\n") > bounds.lines
