#!/bin/sh
# Decant from a shell (curl 7.87 or later): a CallToolResult on stdin, one within the budget on stdout. It never fails.
#   curl.sh compact source=github.list_issues budget=2000 <result.json
#   curl.sh more cursor=... find=timeout
# DECANT_URL, DECANT_TOKEN and DECANT_TIMEOUT (seconds) say where, who and how long.
verb=${1:-compact}
[ $# -eq 0 ] || shift
most=16000 # bytes that are shown of a result when the service cannot be asked
notice='… [cut here; the rest cannot be read now. Ask for less, or call this tool again later.]'
again='Reading on is not possible now. Call this tool again in a few seconds.'
url=${DECANT_URL:-http://127.0.0.1:8080}/$verb

kept=$(mktemp) && trap 'rm -f "$kept" "$kept.answer"' EXIT
[ "$verb" = more ] || cat >"$kept"

for option in "$@"; do # name=value, encoded for the URL by curl
    shift
    set -- "$@" --url-query "$option"
done
[ -z "$DECANT_TOKEN" ] || set -- "$@" --header "Authorization: Bearer $DECANT_TOKEN"
if curl --silent --fail --max-time "${DECANT_TIMEOUT:-5}" --header 'Content-Type: application/json' \
    --data-binary "@$kept" --url-query shape=mcp "$@" "$url" >"$kept.answer" 2>/dev/null &&
    grep -q '^{"result":' "$kept.answer"; then
    sed -E 's/^\{"result":(.*),"meta":\{"kind":.*$/\1/; s/,"nextCursor":"[A-Za-z0-9_-]+"$//' "$kept.answer"
elif [ "$verb" = more ]; then
    printf '{"content":[{"type":"text","text":"%s"}],"isError":true}\n' "$again"
elif [ "$(wc -c <"$kept")" -le $most ]; then
    cat "$kept"
else # the beginning as it is written, quoted
    head -c $most "$kept" | iconv -c -f UTF-8 -t UTF-8 | tr -d '\000-\037' |
        sed 's/[\\"]/\\&/g; s/^/{"content":[{"type":"text","text":"/; s/$/ '"$notice"'"}]}/'
fi
