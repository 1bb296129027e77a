"""The text engine: logs, documents, code and diffs as units with one price."""

from service.core.forms.snapshots import mostly_elements
from service.core.plan import Plan
from service.core.text import code, diff, documents, outline, snapshot
from service.core.text.asked import answers
from service.core.text.block import Block, Shown
from service.core.text.lines import FLOOR, Span, plain, priced, split
from service.core.text.logs import log_block
from service.core.text.query import Query
from service.core.text.signals import spot

__all__ = ["Block", "Shown", "text_block"]

LOGS = ("log", "jsonl")
DENSE = ("code", "diff")
SENTENCE = 14.0  # tokens: what is shorter and stands alone in a document says little


def text_block(text: str, kind: str, *, plan: Plan | None = None, query: str = "", family: str = "claude") -> Block:
    """A text of this kind (a content type of DESIGN 2.1) ready to be shown at any level."""
    wanted = Query(query, plan.policy.keywords if plan else ())
    if kind in LOGS:
        return log_block(text, wanted, family, folding=plan is None or plan.policy.fold_logs is not False)
    body = plain(text)
    lines = split(body)
    spans, notes = _spans(body, lines, kind)
    before = [span.weight for span in spans]
    weights = list(before)
    wanted.raise_lines(body, [span.start for span in spans], weights)
    if query and kind != "diff":
        answers(body, spans, query, before, weights)
    spans = [span._replace(weight=weight) for span, weight in zip(spans, weights, strict=True)]
    units = priced(text, body, spans, len(lines), family, FLOOR if kind in DENSE else SENTENCE)
    documents.lead(spans, units.prices)
    return Block(text, units, _head(lines, kind), spot=wanted.spot(spot), notes=notes)


def _spans(body: str, lines: list[str], kind: str) -> tuple[list[Span], dict[int, str] | None]:
    """The units of a text, and what is said behind some of them."""
    if kind == "diff":
        patch = diff.patch(body, lines)
        return patch.spans, patch.notes
    if kind == "markdown" and mostly_elements(lines):
        return snapshot.spans(lines), None
    if kind == "prose" and outline.is_outline(lines):
        return outline.spans(lines), None
    return (code.spans(body, lines) if kind == "code" else documents.spans(body, lines, kind)), None


def _head(lines: list[str], kind: str) -> str:
    said = f"{kind} of {len(lines)} lines"
    if kind == "diff":
        said += f": {diff.summary(lines)}"
    return said
