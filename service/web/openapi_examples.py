"""Examples in the contract: small, complete, true to the wire."""

from typing import Any

SUMMARIES = {
    "/compact": "Any tool result in, the best answer within the budget out.",
    "/paginate": "A list, page by page, each within the budget.",
    "/chunk": "A long text in pieces a person would have chosen.",
    "/more": "Go on with any cursor.",
}
CURSOR = "AQIbcM1xw9jTn2V8m0aGVwYWNrZXQAAAAAMgBmTn0Kq1fG7rUj0c3hYy1vWw"
ASKS: dict[str, dict[str, Any]] = {
    "/compact": {
        "payload": {"value": {"source": "github.list_issues", "budget": 2000, "payload": [{"number": 1, "title": "A"}]}}
    },
    "/paginate": {
        "first": {"value": {"limit": 2, "payload": [{"id": 1}, {"id": 2}, {"id": 3}]}},
        "next": {"value": {"cursor": CURSOR}},
    },
    "/chunk": {
        "text": {"value": {"text": "first line\nsecond line\n"}},
        "range": {"value": {"cursor": CURSOR, "startLine": 1, "endLine": 40}},
    },
    "/more": {"next": {"value": {"cursor": CURSOR}}},
}


def _meta(**more: Any) -> dict[str, Any]:
    return {
        "kind": "full",
        "policy": "default",
        "format": "json",
        "contentType": "json",
        "complete": True,
        "originalTokens": 14,
        "estimatedTokens": 14,
        "budget": 4000,
        "budgetUsed": 0.0,
        "budgetRemaining": 3986,
        "tokenizer": "claude",
        **more,
    }


_PAGE = {
    "items": [{"id": 1}, {"id": 2}],
    "nextCursor": CURSOR,
    "meta": _meta(
        kind="page",
        complete=False,
        expiresAt="2026-01-01T00:10:00Z",
        path="",
        totalCount=3,
        pageSize=2,
        limit=2,
        offset=0,
        hasMore=True,
        limitedBy="limit",
    ),
}
ANSWERS: dict[str, dict[str, Any]] = {
    "/compact": {"full": {"value": {"data": [{"number": 1, "title": "A"}], "meta": _meta()}}},
    "/paginate": {"page": {"value": _PAGE}},
    "/chunk": {
        "full": {
            "value": {
                "text": "first line\nsecond line\n",
                "meta": _meta(format="text", contentType="prose", totalLines=2),
            }
        }
    },
    "/more": {"page": {"value": _PAGE}},
}
PROBLEM: dict[str, Any] = {
    "type": "urn:decant:problem:request_invalid",
    "title": "The request is not valid",
    "status": 400,
    "detail": "limit must be a whole number from 1 to 200, got 0.",
    "code": "request_invalid",
    "hint": "Correct the option and send the request again.",
    "requestId": "7f3a9c1e-1",
    "errors": [{"path": "limit", "message": "limit must be a whole number from 1 to 200, got 0."}],
}
