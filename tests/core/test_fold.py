"""Templates of log lines."""

from hypothesis import given, settings, strategies as st

from service.core.fold import Folded, fold, mask


def folded(*lines: str) -> Folded:
    """The templates of these lines."""
    return fold("\n".join(lines) + "\n", lines)


def test_lines_that_differ_in_numbers_paths_and_ids_share_a_template() -> None:
    lines = (
        "job 17 done in 3 ms, wrote /tmp/a/b.txt",
        "job 9 done in 120 ms, wrote /var/x.txt",
        "job 0xfe12 done in 4 ms, wrote logs/z",
    )
    assert folded(*lines).lines == [[0, 1, 2]]


def test_what_a_line_says_keeps_it_apart() -> None:
    assert folded("user 1 added", "user 1 removed").lines == [[0], [1]]


def test_templates_that_differ_in_one_word_are_united_when_many_do() -> None:
    names = ("root", "admin", "oracle", "guest", "backup")
    lines = [f"Failed password for {name} from host ssh" for name in names]
    assert folded(*lines).lines == [[0, 1, 2, 3, 4]]
    assert len(folded(*lines[:3]).lines) == 3


def test_short_lines_are_united_when_more_do() -> None:
    names = "alpha beta gamma delta epsilon zeta eta theta".split()
    assert len(folded(*[f"> Task :{name}" for name in names]).lines) == 1
    assert len(folded(*[f"> Task :{name}" for name in names[:5]]).lines) == 5
    assert len(folded(*[f"test_{name} PASSED [{i}%]" for i, name in enumerate(names)]).lines) == 1


def test_a_level_among_what_varies_keeps_only_itself_apart() -> None:
    names = "lodash debug react glob ajv error-ex".split()
    lines = [f"npm http cache {name}@registry hit" for name in names]
    assert sorted(map(len, folded(*lines).lines)) == [1, 1, 4]


def test_lists_are_told_by_how_they_begin() -> None:
    lines = [f"state: all replicas are {' '.join(f'r{chr(97 + i)}=ok' for i in range(n))}" for n in (45, 60, 90)]
    assert folded(*lines).lines == [[0, 1, 2]]


def test_none_that_failed_is_another_template_than_some() -> None:
    lines = [f"Tests run: {i}, Failures: {i // 4}, Errors: 0 in Suite{i}" for i in range(5)]
    assert folded(*lines).lines == [[0, 1, 2, 3], [4]]


def test_levels_are_never_united() -> None:
    lines = [f"service a b c {name} said so" for name in ("INFO", "WARN", "ERROR", "DEBUG", "TRACE")]
    assert len(folded(*lines).lines) == 5


def test_settings_are_told_by_their_names() -> None:
    lines = [f"{name} = true" for name in ("tls", "cache", "proxy", "strict", "debug-mode")]
    assert len(folded(*lines).lines) == 5


def test_the_class_of_an_http_status_stays() -> None:
    lines = [f'10.0.0.{i} - - "GET /p{i} HTTP/1.1" {status} 17' for i, status in enumerate((200, 204, 404, 410, 503))]
    assert folded(*lines).lines == [[0, 1], [2, 3], [4]]


def test_a_status_between_spaces_and_one_with_a_name_stay_as_well() -> None:
    assert len(folded("GET /a 200 3ms", "GET /b 200 7ms", "GET /a 500 9ms").lines) == 2
    assert len(folded("x status=200 y", "x status=503 y").lines) == 2


def test_a_short_message_in_quotes_is_no_value() -> None:
    assert mask('level=info msg="cache hit" id="a1b2"') == 'level=info msg="cache hit" id=""'


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=30), max_size=30))
def test_every_line_has_one_template(lines: list[str]) -> None:
    result = fold("\n".join(lines) + "\n", lines)
    assert sorted(i for members in result.lines for i in members) == list(range(len(lines)))
    assert all(result.of[i] == template for template, members in enumerate(result.lines) for i in members)
    firsts = [members[0] for members in result.lines]
    assert firsts == sorted(firsts)
