"""What a question finds in a document."""

from service.core.text import text_block
from tests.core.text.budget import seen

FILL = "".join(
    f"Nobody ever asked about matter {i}, and so it stays here. It is told all the same.\n\n" for i in range(60)
)
MANUAL = f"""# Widgets

{FILL}
## Spinning

The handle is turned by hand until it stops.

## Memory

To reduce the memory that is used, the options should be set to:

```js
const options = {{ bits: 14, level: 7 }};
```

{FILL.replace("Nobody", "Somebody")}
Written by Paula Wright, who has seen it all.
"""


def test_what_a_matching_sentence_introduces_is_shown_under_its_heading() -> None:
    shown = seen(MANUAL, "markdown", 90, query="which options reduce memory?")
    assert "## Memory" in shown
    assert "the options should be set to:" in shown
    assert "{ bits: 14, level: 7 }" in shown


def test_a_section_whose_heading_matches_is_shown() -> None:
    shown = seen(MANUAL, "markdown", 80, query="how does spinning work")
    assert "## Spinning" in shown
    assert "The handle is turned by hand until it stops." in shown


def test_what_could_be_the_answer_gains() -> None:
    plain, asked = text_block(MANUAL, "markdown"), text_block(MANUAL, "markdown", query="Who is the author?")
    starts = plain.units.starts
    written = next(i for i in range(len(starts)) if MANUAL[starts[i] :].startswith("Written by"))
    handle = next(i for i in range(len(starts)) if MANUAL[starts[i] :].startswith("The handle"))
    gains = [asked.units.prices[i] / plain.units.prices[i] for i in (written, handle)]
    assert gains[0] > 2 * gains[1]
