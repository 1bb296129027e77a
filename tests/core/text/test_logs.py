"""What a reader sees of a log."""

import re

from schemas.policy import Policy
from service.core.plan import compile_plan
from service.core.text import text_block
from tests.core.text.budget import seen


def access_log() -> str:
    """A thousand requests, two of which failed."""
    lines = [
        f'10.0.0.{i % 7} - - [17/May/2015:10:{i // 60:02}:{i % 60:02} +0000] "GET /p{i} HTTP/1.1" 200 {i}'
        for i in range(1000)
    ]
    lines[300] = lines[300].replace(" 200 ", " 503 ")
    lines[700] = lines[700].replace("/p700", "/admin").replace(" 200 ", " 404 ")
    return "\n".join(lines) + "\n"


def test_one_line_stands_for_all_that_say_the_same() -> None:
    text = "".join(f"2024-01-02 10:{i // 60:02}:{i % 60:02} INFO job {i} done for user alice\n" for i in range(500))
    answer = seen(text, "log", 200)
    assert "[×500 10:00:00..10:08:19]" in answer
    assert "more lines" not in answer


def test_the_values_that_vary_are_told() -> None:
    names = ["root"] * 12 + ["admin"] * 3 + ["guest", "oracle"]
    text = "".join(
        f"Jan  5 10:00:{i:02} h sshd[{i}]: Failed password for {name} from a port {i}\n" for i, name in enumerate(names)
    )
    assert "{root ×12, admin ×3, guest ×1, oracle ×1}" in text_block(text, "log").show(0.3).text


def test_the_head_tells_lines_range_and_statuses() -> None:
    head = seen(access_log(), "log", 300).split("\n")[0]
    assert head.startswith("… log of 1000 lines; 17/May/2015 10:00:00..10:16:39; 200 ×998, 503 ×1, 404 ×1")


def test_failures_and_rare_lines_come_first_with_their_numbers() -> None:
    answer = seen(access_log(), "log", 300)
    assert re.search(r"^301: .* 503 300$", answer, re.MULTILINE)
    assert re.search(r"^701: .*GET /admin", answer, re.MULTILINE)


def test_a_stack_trace_is_shown_once_with_a_count() -> None:
    trace = "2024-01-02 10:00:00 ERROR boom\njava.io.IOException: gone\n\tat a.B.c(B.java:1)\n\tat d.E.f(E.java:2)\n"
    text = "".join(f"2024-01-02 10:00:00 INFO ok {i}\n" + trace for i in range(40))
    answer = seen(text, "log", 250)
    assert answer.count("IOException: gone") <= 2
    assert "[×40" in answer


def test_a_build_log_leads_with_its_failure() -> None:
    lines = [f"2024-01-02T10:00:00.{i:07}Z \x1b[32m✓\x1b[0m test case {i} raises an error" for i in range(400)]
    lines[200:200] = ["2024-01-02T10:00:00.0000000Z AssertionError: 3 != 4"]
    lines += [
        "2024-01-02T10:00:01.0000000Z ===== 1 failed, 400 passed in 3.2s =====",
        "##[error]Process completed with exit code 1.",
    ]
    answer = seen("\n".join(lines), "log", 200)
    assert "1 failed, 400 passed in 3.2s" in answer.split("\n")[0]
    assert "201: AssertionError: 3 != 4" in answer
    assert "\x1b" not in answer
    assert "exit code 1" in answer


def test_a_level_is_counted_where_it_is_named() -> None:
    text = "".join(f'time=10:00:00 level={"warn" if i % 9 == 0 else "info"} msg="tick" n={i}\n' for i in range(90))
    assert "INFO ×80, WARN ×10" in text_block(text, "log").show(0.1).text


def test_the_query_raises_what_it_names() -> None:
    text = "".join(f"2024-01-02 10:00:00 INFO request {i} served by node n{i % 5}\n" for i in range(2000))
    text += "2024-01-02 10:00:00 INFO certificate rotated by vault\n" + text
    lines = [f"alpha beta gamma {chr(97 + i % 26)}{chr(97 + i // 26 % 26)} delta" for i in range(600)]
    answer = seen("\n".join(lines) + "\n" + text, "log", 250, "who rotated the certificate?")
    assert "certificate rotated by vault" in answer


def test_a_payload_that_looks_like_a_count_is_told_apart() -> None:
    text = "".join(f"step {name} went well [×99 10:00:00]\n" for name in ("one", "two", "three")) + "x\n" * 30
    assert " […×99 10:00:00]" in text_block(text, "log").show(0.01).text


def test_the_date_is_said_once() -> None:
    words = ("alpha", "beta", "gamma", "delta")
    text = "".join(f"2024-01-02 10:00:0{i} INFO {word} {word} {word}\n" for i, word in enumerate(words)) * 3
    shown = text_block(text, "log").show(0.2).text
    assert shown.count("2024-01-02 10:00:0") == 2  # in the head and in the first line
    assert "\n10:00:01 INFO beta" in shown


def test_the_one_that_failed_is_told_from_those_that_did_not() -> None:
    text = "".join(f"web{i:02}.example.com : ok={i} changed=1 unreachable=0 failed={int(i == 7)}\n" for i in range(60))
    answer = seen(text, "log", 120)
    assert "8: web07.example.com : ok=7 changed=1 unreachable=0 failed=1" in answer
    assert "line 8: " in answer.split("\n")[0]


def test_names_of_errors_are_no_errors() -> None:
    names = ("errno", "assert-plus", "spdx-exceptions", "left-pad", "lodash", "ms", "qs", "on-error")
    text = "".join(f"npm http cache https://registry.npmjs.org/{name}/-/{name}.tgz 0ms\n" for name in names * 9)
    assert len(seen(text + "npm error code ERESOLVE\n", "log", 200).split("\n")) < 14
    assert seen(text + "npm error code ERESOLVE\n" + text, "log", 100).count("npm error code ERESOLVE") == 1


def test_numbers_that_vary_without_end_are_not_told() -> None:
    text = "".join(f"2024-01-02 10:00:00 [{4000 + i % 9}] LOG:  checkpoint complete: wrote {i}\n" for i in range(90))
    assert "{" not in text_block(text, "log").show(0.01).text


def test_progress_is_one_template_however_it_is_padded() -> None:
    text = "".join(f"[{i:3}%] Building CXX object src/file{i}.cpp.o\n" for i in range(101))
    assert "[×101]" in text_block(text, "log").show(0.01).text


def test_the_frame_in_the_program_itself_comes_first() -> None:
    trace = ["java.io.IOException: gone"] + [f"\tat java.io.Reader.r{i}(Reader.java:{i})" for i in range(5)]
    trace += ["\tat shop.cart.Total.sum(Total.java:77)"] + [f"\tat org.junit.Run.x{i}(Run.java:{i})" for i in range(5)]
    lines = [f"2024-01-02 10:00:00 INFO served {i}" for i in range(300)]
    answer = seen("\n".join(lines + trace + lines), "log", 130)
    assert "Total.java:77" in answer
    assert "Run.java" not in answer


def test_the_line_that_took_far_longer_is_shown() -> None:
    lines = [f"2024-01-02 10:00:{i % 60:02} INFO query {i} took {20 + i % 9} ms" for i in range(400)]
    lines[217] = "2024-01-02 10:00:37 INFO query 217 took 8.5 s"
    assert "218: 10:00:37 INFO query 217 took 8.5 s" in seen("\n".join(lines), "log", 150)


def test_the_rules_of_a_linter_come_before_the_code_they_quote() -> None:
    rules = ("E501 Line too long", "W291 Trailing whitespace", "B904 Raise from within an except clause")
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()
    lines = []
    for i in range(200):
        name, other = words[i % 10], words[i // 10 % 10]
        lines += [rules[i * i % 3 if i % 40 else 2], f"  --> app/parse.py:{i}:89", "   |"]
        lines += [f"{i} |     except {name.title()}Error as {other}:", f"{i + 1} |         fail_{name}({other})", ""]
    answer = seen("\n".join([*lines, "Found 200 errors."]), "log", 250)
    assert all(rule in answer for rule in rules)


def test_ten_megabytes_take_linear_time_and_little() -> None:
    line = "2024-01-02 10:11:12,123 INFO [worker-7] request 4711 served in 17 ms for tenant 42\n"
    block = text_block(line * 20_000, "log")
    assert block.show(0.01).kept == 20_000


def test_a_policy_may_switch_folding_off() -> None:
    log = "".join(f"2026-01-01 10:00:{i % 60:02} INFO request {i} took {i * 7 % 90} ms\n" for i in range(400))
    plan = compile_plan("verbatim", Policy(fold_logs=False))
    folded, plain = text_block(log, "log"), text_block(log, "log", plan=plan)
    assert "[×" in folded.show(1e-9).text
    shown = plain.show(plain.best / 2)
    assert "[×" not in shown.text
    assert shown.folded == 0
