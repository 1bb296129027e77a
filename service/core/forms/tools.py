"""Lines that compilers, test runners, package managers and other tools print while they work."""

import re

_TESTS = (
    r"=+ .* =+$|-{3,} .* -{3,}$|_{3,} .* _{3,}$|PASS\b|FAIL(?:ED|URE)?\b|(?:not )?ok \d|\S+::\S+|E {3,}|"
    r"--- (?:FAIL|PASS|SKIP)|=== (?:RUN|PAUSE|CONT|NAME)|ok  \t|FAIL\t|\?   \t|\w+_test\.go:\d+: |"
    r"test \S+ \.\.\. |running \d+ tests?|test result: |[✓✔✕✗✖×●] |"
    r"\d+ (?:passed|failed|passing|failing)|collected \d"
)
_DIAGNOSTICS = (
    r"\S+\.\w{1,4}:\d+(?::\d+)?: |\S+\.\w{1,4}\(\d+(?:,\d+)?\): (?:error|warning|fatal|note|info)\b|"
    r"\d+:\d+ +(?:error|warning)\b|--> \S+:\d+|\d+ +\| |\|(?: *$| +[|_^~-]| {3})|= (?:note|help|hint): |[~^]+$|"
    r"(?:warning|error|note|help)(?:\[\w+\])?: |\S+: In function |In file included from |"
    r"[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S"
)
_DOING = (
    "Adding Building Checking Compiling Copying Creating Deleting Deploying Downloaded Downloading Executing"
    " Extracting Fetched Fetching Finished Generating Installed Installing Linking Loading Preparing Processing"
    " Pulling Pushing Removing Resolving Running Saving Scanning Selecting Skipping Starting Stopping Updating"
    " Uploading Using Verifying Waiting Writing"
)
_STEPS = (
    r"##\[|::(?:error|group)|npm (?:ERR!|[A-Za-z]+ )|yarn |\$ \S|> Task |> \S+@\S+ |Step \d+/\d+|#\d+ |"
    r"Collecting |Requirement already|Get:\d|Unpacking |Setting up |remote: |travis_|\[command\]|added \d+ packages|"
    r"make(?:\[\d+\])?: |\[[ \d]{1,3}%\]|Exit(?:ed)? (?:code|with)|BUILD |Terraform |Plan: \d+ to |"
    r"(?:[+~-]|-/\+) (?:resource |data |\S+ += |\})|(?:>>>|<<<|!!!) |[a-z]{2,4}: {2,}|"
    r"\[Pipeline\]|\[[A-Za-z][\w.: -]+\] \S+ \S|\d+ (?:silly|verbose|info|http|timing|warn|error|notice) |"
    r"(?:gcc|g\+\+|cc|clang(?:\+\+)?|ld|ar|rustc|javac|cp|mkdir|install) -|"
    r"(?:ok|changed|skipping|fatal|failed|unreachable|included|rescued): \[|(?:TASK|PLAY|RUNNING HANDLER) \[|"
    r"PLAY RECAP|\S+ +: ok=\d|"
    rf"(?:{'|'.join(_DOING.split())}) \S"
)
_SERVICES = (
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /\S* (?:\d{3}|HTTP/)|"
    r"[{}] \[\d+ bytes data\]|[<>] (?:HTTP/|[\w-]+: \S)|\* (?:Trying|Connected|ALPN|TLS|SSL|Connection|Server cert) ?|"
    r"\w+\(.*\) += +(?:-?\d|0x|\?)|\d+ bytes from |Reply from |Request timeout|# (?:Time|User@Host|Query_time): "
)
_OUTPUT = re.compile(rf"\s*(?:{_TESTS}|{_DIAGNOSTICS}|{_STEPS}|{_SERVICES})")


def is_output(line: str) -> bool:
    """Whether a line begins like one that a tool prints."""
    return _OUTPUT.match(line) is not None
