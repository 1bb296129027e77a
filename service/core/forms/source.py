"""What tells source code from other text: how much of it, comments aside, reads like statements."""

import re

from service.core.forms.sample import Sample

_MOST = 50  # lines looked at
_COMMENT = re.compile(
    r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/|\"\"\"(?:[^\"]++|\"(?!\"\"))*+\"\"\"|"
    r"^[ \t]*(?://|#(?!include|define|if|end|pragma|!)|--[ \t]|<!--).*$",
    re.M,
)
_MODIFIERS = (
    r"(?:(?:export|default|async|public|private|protected|internal|static|final|abstract|pub(?:\(\w+\))?|inline|const|"
    r"unsafe|override|sealed|virtual|readonly|declare|extern|local|mut) )"
)
_DECLARATION = (
    r"(?:function\b|class \w|interface \w|type \w+|enum \w|struct \w|impl\b|trait \w|fn \w|func[ (]|fun \w|val \w|"
    r"let \w|"
    r"var \w|const \w|package [\w.]+;?$|namespace \w|using [\w.]+;|module \w|require|return\b|void \w|int \w|string \w|"
    r"bool \w|import [\w\"'{*.]|from \S+ import |def \w+|class \w+.*[:{]$|defmodule |local \w)"
)
_FLOW = (
    r"(?:if|for|while|switch|elif|else if|catch|with|match|when|unless|except)\b.*[{:;)]$|"
    r"(?:else|try|finally|do|then|begin)\b ?[{:]?$|"
    r"(?:break|continue|pass|end|fi|done|esac)\b;?$|"
    r"(?:case|throw|raise|yield|await|assert|del|defer|go) \S.*|echo \S|set -\w"
)
_SIGN = (
    r"#(?:include|define|ifn?def|endif|pragma)\b|#!/|@\w[\w.]*(?:\(.*\))?$|<\?php|"
    r"self\.\w|this\.\w|\$\w+ ?=|print\(|console\.|\w+:=|[-\w.]+\(\)$"
)
_SQL = (
    r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|FROM|WHERE|WITH|BEGIN|COMMIT|"
    r"VALUES|JOIN|GROUP BY|ORDER BY|AND|LEFT JOIN|LIMIT|RUN|COPY|CMD|WORKDIR|ENV|ENTRYPOINT|EXPOSE|ARG|USER)\b"
)
_STATEMENT = re.compile(rf"{_MODIFIERS}*{_DECLARATION}|{_MODIFIERS}+\S|{_FLOW}|{_SIGN}|{_SQL}")
_ENDING = re.compile(r".*(?:[{};]|\)[,:]?|=>|\\|[\]}],?|\w\(|\[|&&|\|\||->)$")
_ITEM = re.compile(
    r"(?:[\w.$]+(?: as [\w.$]+)?,|[\w.]*\s?\"[^\"]*\",?|'[^']*',?|"
    r"[\w$]+\??: [\w<>\[\]|.? ]{1,60}[,;]?|\.\w+\(.*|\w+,? +(?:\*?\[\]|map\[|chan |\*)?[\w.]+(?: `.*)?)$"
)
_OPERATOR = re.compile(r"[\w\])\"'] ?(?:[-+*/|&:]?=|==|!=|->|=>|::|&&|\|\||<-) ?[\w\[({\"'!&*-]|\w\(.*\)|\w\.\w+\(")
_BULLET = re.compile(r"(?:\d+[.)]|[-*•]) ")
_SENTENCE = re.compile(r"(?:[a-zA-Zà-ÿ]{2,},? ){4}[a-zA-Zà-ÿ]")


def looks_code(seen: Sample) -> bool:
    """Whether the lines read like statements of a programming language."""
    return len(seen.lines) > 1 and (script(seen) or code_share(seen) >= 0.5)


def script(seen: Sample) -> bool:
    """Whether the first line names the program that runs the rest."""
    return seen.text.startswith("#!/")


def code_share(seen: Sample) -> float:
    """The share of lines that read like code, comments aside."""
    bare = _COMMENT.sub("", seen.text[:16384])
    lines = [line for line in bare.split("\n", _MOST * 3)[: _MOST * 3] if line and not line.isspace()][:_MOST]
    return sum(map(_points, lines)) / len(lines) if len(lines) > 1 else 0.0


def _points(line: str) -> float:
    bare = line.strip()[:140]
    if _BULLET.match(bare):
        return 0.0
    sentence = _SENTENCE.search(bare)
    if _STATEMENT.match(bare):
        return 0.3 if sentence else 1.0
    if sentence:
        return 0.2 if bare[-1] in "{};" else 0.0
    if _ENDING.match(bare):
        return 0.8
    if _OPERATOR.search(bare):
        return 0.7
    return 0.6 if _ITEM.match(bare) and (line[0] in " \t" or bare[-1] in ",;") else 0.0
