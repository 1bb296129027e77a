"""Invented tool results in every form: name, the kind it is, whether it is values, the text."""

CASES: dict[str, tuple[str, bool, str]] = {
    "git log": (
        "log",
        True,
        "commit 3f2a1b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a (HEAD -> main)\n"
        "Author: Ann <ann@x.org>\n"
        "Date:   Mon Jan 1 10:00:00 2024 +0000\n"
        "\n"
        "    Fix the parser\n"
        "\n"
        "    It crashed: badly.\n"
        "\n"
        "commit 2f2a1b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a\n"
        "Author: Bob <bob@x.org>\n"
        "Date:   Sun Dec 31 10:00:00 2023 +0000\n"
        "\n"
        "    Add tests\n",
    ),
    "git diff": (
        "diff",
        False,
        "diff --git a/src/a.py b/src/a.py\n"
        "index 123..456 100644\n"
        "--- a/src/a.py\n"
        "+++ b/src/a.py\n"
        "@@ -1,5 +1,6 @@\n"
        " import os\n"
        "-x = 1\n"
        "+x = 2\n"
        "+y = 3\n"
        " print(x)\n",
    ),
    "pytest": (
        "log",
        False,
        "============================= test session starts ==============================\n"
        "platform linux -- Python 3.11.7, pytest-8.0.0, pluggy-1.4.0\n"
        "rootdir: /app\n"
        "collected 3 items\n"
        "\n"
        "tests/test_a.py ..F                                                      [100%]\n"
        "\n"
        "=================================== FAILURES ===================================\n"
        "____________________________________ test_c ____________________________________\n"
        "\n"
        "    def test_c():\n"
        ">       assert f(1) == 3\n"
        "E       assert 2 == 3\n"
        "E        +  where 2 = f(1)\n"
        "\n"
        "tests/test_a.py:12: AssertionError\n"
        "=========================== short test summary info ============================\n"
        "FAILED tests/test_a.py::test_c - assert 2 == 3\n"
        "========================= 1 failed, 2 passed in 0.12s ==========================\n",
    ),
    "cargo build": (
        "log",
        False,
        "   Compiling ledgerd v0.4.2 (/ci/ledgerd)\n"
        "warning: unused variable: `y`\n"
        " --> src/m0.rs:2:61\n"
        "  |\n"
        "2 | pub fn unused(a: u32) -> u32 { let y = 3; a }\n"
        "  |                                    ^ help: prefix it with an underscore: `_y`\n"
        "  = note: `#[warn(unused_variables)]` on by default\n"
        "\n"
        "error[E0308]: mismatched types\n"
        " --> src/m21.rs:9:49\n"
        "error: could not compile `ledgerd` (lib) due to 1 previous error; 1 warning emitted\n",
    ),
    "go test -v": (
        "log",
        False,
        "=== RUN   TestTable\n"
        "=== RUN   TestTable/case_0\n"
        "    a_test.go:3: adding 0\n"
        "--- PASS: TestTable (0.00s)\n"
        "    --- PASS: TestTable/case_0 (0.00s)\n"
        "FAIL\texample.com/ledger/p7\t0.002s\n",
    ),
    "eslint": (
        "log",
        False,
        "/ci/app/src/cart.tsx\n"
        "  12:9   error    React Hook is called conditionally  react-hooks/rules-of-hooks\n"
        "  14:1   warning  Unexpected console statement        no-console\n"
        "\n"
        "✖ 2 problems (1 error, 1 warning)\n",
    ),
    "ruff": (
        "log",
        False,
        "E501 Line too long (89 > 88)\n"
        "  --> app/parse.py:25:89\n"
        "   |\n"
        "24 |         if not found:\n"
        "25 |             project = path.dirname(path.dirname(found))\n"
        "   |                                                        ^\n"
        "\n"
        "Found 1 error.\n",
    ),
    "tsc": (
        "log",
        False,
        "src/db/pool.ts(12,7): error TS2307: Cannot find module 'pg-native'.\n"
        "src/ui/list.ts(3,1): error TS2322: Type 'undefined' is not assignable to type 'string'.\n"
        "Found 2 errors in 2 files.\n",
    ),
    "ansible": (
        "log",
        False,
        "TASK [app : Wait for health] ****************\n"
        "ok: [web06.example.com]\n"
        "fatal: [web07.example.com]: FAILED! => Status code was 503\n"
        "PLAY RECAP **********************************\n"
        "web06.example.com : ok=8 changed=1 unreachable=0 failed=0\n"
        "web07.example.com : ok=7 changed=1 unreachable=0 failed=1\n",
    ),
    "npm http": (
        "log",
        False,
        "npm http fetch GET 200 https://registry.npmjs.org/lodash 113ms (cache miss)\n"
        "npm http fetch GET 200 https://registry.npmjs.org/express 9ms (cache miss)\n"
        "npm http fetch GET 404 https://registry.npmjs.org/nosuch 9ms (cache miss)\n",
    ),
    "rails": (
        "log",
        False,
        'I, [2026-11-18T03:12:07.123456 #7000]  INFO -- : [0a1b2c3d] Started GET "/posts/1" for 10.0.0.1\n'
        "D, [2026-11-18T03:12:07.223456 #7000] DEBUG -- : [0a1b2c3d]   Post Load (0.3ms)\n"
        "I, [2026-11-18T03:12:07.323456 #7000]  INFO -- : [0a1b2c3d] Completed 200 OK in 12ms\n",
    ),
    "strace": (
        "log",
        False,
        'openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3\n'
        "fstat(3, {st_mode=S_IFREG|0644, st_size=22811, ...}) = 0\n"
        "close(3)                                = 0\n"
        'access("/etc/ld.so.preload", R_OK)      = -1 ENOENT (No such file or directory)\n',
    ),
    "a tool nobody knows": (
        "log",
        False,
        "".join(f"dist/assets/page-{n:08x}.js {n * 7}.{n:02} kB │ gzip: {n}.{n:02} kB\n" for n in range(12))
        + "(!) Some chunks are larger than they should be.\n",
    ),
    "python traceback": (
        "log",
        False,
        "Traceback (most recent call last):\n"
        '  File "/app/main.py", line 10, in <module>\n'
        "    main()\n"
        '  File "/app/main.py", line 6, in main\n'
        "    return 1 / 0\n"
        "           ~~^~~\n"
        "ZeroDivisionError: division by zero\n",
    ),
    "java trace": (
        "log",
        False,
        'Exception in thread "main" java.lang.IllegalStateException: boom\n'
        "\tat com.foo.Bar.run(Bar.java:12)\n"
        "\tat com.foo.Main.main(Main.java:5)\n"
        "Caused by: java.io.IOException: disk\n"
        "\tat com.foo.Disk.read(Disk.java:44)\n"
        "\t... 2 more\n",
    ),
    "node trace": (
        "log",
        False,
        "TypeError: Cannot read properties of undefined (reading 'x')\n"
        "    at foo (/app/index.js:10:15)\n"
        "    at Object.<anonymous> (/app/index.js:14:1)\n"
        "    at Module._compile (node:internal/modules/cjs/loader:1105:14)\n",
    ),
    "go panic": (
        "log",
        False,
        "panic: runtime error: index out of range [5] with length 3\n"
        "\n"
        "goroutine 1 [running]:\n"
        "main.f(...)\n"
        "\t/app/main.go:8\n"
        "main.main()\n"
        "\t/app/main.go:12 +0x1d\n"
        "exit status 2\n",
    ),
    "nginx": (
        "log",
        False,
        '10.0.0.1 - - [10/Oct/2023:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326 "-" "curl/8"\n'
        '10.0.0.2 - bob [10/Oct/2023:13:55:37 +0000] "POST /api HTTP/1.1" 500 12 "-" "curl/8"\n'
        '10.0.0.2 - bob [10/Oct/2023:13:55:38 +0000] "POST /api HTTP/1.1" 500 12 "-" "curl/8"\n',
    ),
    "nginx error": (
        "log",
        False,
        "2023/10/10 13:55:36 [error] 12#12: *1 connect() failed (111: Connection refused) while con"
        "necting to upstream\n"
        "2023/10/10 13:55:37 [warn] 12#12: *2 upstream response is buffered\n",
    ),
    "journal": (
        "log",
        False,
        "Oct 10 13:55:36 host systemd[1]: Starting nginx...\n"
        "Oct 10 13:55:37 host nginx[123]: nginx: [emerg] bind() to 0.0.0.0:80 failed\n"
        "Oct 10 13:55:38 host systemd[1]: nginx.service: Failed with result 'exit-code'.\n",
    ),
    "logfmt": (
        "log",
        True,
        'time=2024-01-01T00:00:00Z level=info msg="listening" addr=:8080\n'
        'time=2024-01-01T00:00:01Z level=error msg="db failed: \\"x\\"" dur=1.5\n'
        'time=2024-01-01T00:00:02Z level=info msg="ok" code=200\n',
    ),
    "cri json": (
        "log",
        True,
        '2024-01-01T00:00:00Z stdout F {"level":"info","msg":"a","n":1}\n'
        '2024-01-01T00:00:01Z stdout F {"level":"error","msg":"b","n":2}\n',
    ),
    "jsonl with head": (
        "jsonl",
        True,
        "Attaching to logs\n"
        '{"level":"info","msg":"a","n":1}\n'
        '{"level":"error","msg":"b","n":2}\n'
        '{"level":"error","msg":"c","n":3}\n'
        '{"level":"error","msg":"d","n":4}\n',
    ),
    "npm": (
        "log",
        False,
        "npm WARN deprecated har-validator@5.1.5: this library is no longer supported\n"
        "npm WARN deprecated uuid@3.4.0: Please upgrade\n"
        "npm ERR! code ERESOLVE\n"
        "npm ERR! ERESOLVE unable to resolve dependency tree\n"
        "\n"
        "added 120 packages, and audited 121 packages in 3s\n"
        "\n"
        "3 vulnerabilities (1 low, 2 high)\n",
    ),
    "docker build": (
        "log",
        False,
        "#1 [internal] load build definition from Dockerfile\n"
        "#1 transferring dockerfile: 120B done\n"
        "#2 [1/4] FROM docker.io/library/python:3.11\n"
        "#5 [2/4] RUN pip install x\n"
        "#5 1.200 Collecting x\n"
        "#5 2.300 ERROR: No matching distribution found for x\n"
        "------\n"
        " > [2/4] RUN pip install x:\n",
    ),
    "describe": (
        "prose",
        True,
        "Name:             web-7f9c6b5d4-x2x9z\n"
        "Namespace:        default\n"
        "Priority:         0\n"
        "Node:             node-1/10.0.0.1\n"
        "Start Time:       Mon, 01 Jan 2024 10:00:00 +0000\n"
        "Labels:           app=web\n"
        "                  pod-template-hash=7f9c6b5d4\n"
        "Status:           Running\n"
        "Containers:\n"
        "  web:\n"
        "    Image:          nginx:1.25\n"
        "    Port:           80/TCP\n"
        "    State:          Waiting\n"
        "      Reason:       CrashLoopBackOff\n"
        "    Ready:          False\n"
        "    Restart Count:  12\n"
        "Conditions:\n"
        "  Type              Status\n"
        "  Initialized       True\n"
        "  Ready             False\n"
        "Events:\n"
        "  Type     Reason     Age    From               Message\n"
        "  ----     ------     ----   ----               -------\n"
        "  Warning  BackOff    2m     kubelet            Back-off restarting failed container\n",
    ),
    "ini": (
        "code",
        True,
        "[core]\n"
        "bare = false\n"
        "filemode = true\n"
        '[remote "origin"]\n'
        "url = https://github.com/x/y.git\n"
        "fetch = +refs/heads/*:refs/remotes/origin/*\n",
    ),
    "env": (
        "code",
        True,
        "DB_HOST=localhost\nDB_PORT=5432\n# secret\nAPI_KEY=abc\nDEBUG=true\n",
    ),
    "records": (
        "prose",
        True,
        "id: 1\nname: Alice\nrole: admin\n\nid: 2\nname: Bob\nrole: user: limited\n\nid: 3\nname: Eve\nrole: none\n",
    ),
    "mcp git log": (
        "prose",
        True,
        "Commit history:\n"
        "Commit: '3f2a1b'\n"
        'Author: <git.Actor "Ann <a@x>">\n'
        "Date: 2024-01-01 10:00:00+00:00\n"
        "Message: 'Fix: the parser'\n"
        "\n"
        "Commit: '4f2a1b'\n"
        'Author: <git.Actor "Bob <b@x>">\n'
        "Date: 2024-01-02 10:00:00+00:00\n"
        "Message: 'Add tests'\n",
    ),
    "psql": (
        "tsv",
        True,
        " id | name\n----+------\n  1 | a\n  2 | b\n(2 rows)\n",
    ),
    "terraform": (
        "code",
        False,
        'resource "aws_instance" "web" {\n'
        '  ami           = "ami-123"\n'
        '  instance_type = "t3.micro"\n'
        "\n"
        "  tags = {\n"
        '    Name = "web"\n'
        "  }\n"
        "}\n",
    ),
    "rss": (
        "html",
        True,
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<rss version="2.0"><channel><title>News</title><link>http://x</link>\n'
        "<item><title>A &amp; B</title><link>http://x/1</link><guid>1</guid></item>\n"
        "<item><title>C</title><link>http://x/2</link><guid>2</guid></item>\n"
        "</channel></rss>\n",
    ),
    "html": (
        "html",
        False,
        "<!DOCTYPE html><html><head><title>T</title><style>x{}</style></head><body><h1>Head</h1><p>"
        "Some <b>bo</b>ld text.</p><ul><li>one</li><li>two</li></ul><table><tr><th>a</th><th>b</th>"
        "</tr><tr><td>1</td><td>2</td></tr></table><script>var x='<p>';</script></body></html>",
    ),
    "email": (
        "prose",
        False,
        "From: Ann <ann@x.org>\n"
        "To: Bob <bob@x.org>\n"
        "Subject: Lunch\n"
        "Date: Mon, 1 Jan 2024 10:00:00 +0000\n"
        "\n"
        "Hi Bob,\n"
        "\n"
        "are we still on for lunch today? I would like to talk about the budget,\n"
        "the roadmap and the new office. Also please bring the keys.\n"
        "\n"
        "Best,\n"
        "Ann\n",
    ),
    "rust": (
        "code",
        False,
        "use std::io;\n"
        "\n"
        "fn main() {\n"
        "    let mut s = String::new();\n"
        "    io::stdin().read_line(&mut s).unwrap();\n"
        "    match s.trim().parse::<i32>() {\n"
        '        Ok(n) => println!("{}", n),\n'
        '        Err(e) => eprintln!("{}", e),\n'
        "    }\n"
        "}\n",
    ),
    "java": (
        "code",
        False,
        "package com.foo;\n"
        "\n"
        "import java.util.List;\n"
        "\n"
        "public class Foo {\n"
        "    private final int x;\n"
        "\n"
        "    public Foo(int x) {\n"
        "        this.x = x;\n"
        "    }\n"
        "\n"
        "    public int get() { return x; }\n"
        "}\n",
    ),
    "c": (
        "code",
        False,
        "#include <stdio.h>\n"
        "\n"
        "int main(void) {\n"
        "    int i;\n"
        "    for (i = 0; i < 3; i++) {\n"
        '        printf("%d\\n", i);\n'
        "    }\n"
        "    return 0;\n"
        "}\n",
    ),
    "sql": (
        "code",
        False,
        "SELECT u.id, u.name, count(*) AS n\n"
        "FROM users u\n"
        "JOIN orders o ON o.user_id = u.id\n"
        "WHERE o.state = 'failed'\n"
        "GROUP BY u.id, u.name\n"
        "ORDER BY n DESC\n"
        "LIMIT 10;\n",
    ),
    "shell": (
        "code",
        False,
        "#!/bin/bash\n"
        "set -euo pipefail\n"
        "for f in *.txt; do\n"
        '  echo "$f"\n'
        '  mv "$f" "/tmp/$f"\n'
        "done\n"
        'if [ -z "${X:-}" ]; then\n'
        "  exit 1\n"
        "fi\n",
    ),
    "ruby": (
        "code",
        False,
        "require 'json'\n"
        "\n"
        "class Foo < Bar\n"
        "  attr_reader :x\n"
        "\n"
        "  def initialize(x)\n"
        "    @x = x\n"
        "  end\n"
        "\n"
        "  def to_s\n"
        '    "Foo(#{@x})"\n'
        "  end\n"
        "end\n",
    ),
    "css": (
        "code",
        False,
        "body {\n  margin: 0;\n  color: #333;\n}\n.card > .title {\n  font-size: 12px;\n}\n",
    ),
    "dockerfile": (
        "code",
        False,
        'FROM python:3.11\nWORKDIR /app\nCOPY . .\nRUN pip install -r requirements.txt\nCMD ["python", "main.py"]\n',
    ),
    "grep output": (
        "log",
        True,
        "src/a.py:10:def foo(x):\n"
        "src/a.py:22:    return foo(1)\n"
        "src/b.py:3:from a import foo\n"
        "src/long/c.py:100:foo(3)\n",
    ),
    "file list": (
        "prose",
        False,
        "/app/src/a.py\n/app/src/b.py\n/app/src/long/c.py\n/app/README.md\n",
    ),
    "mcp list dir": (
        "prose",
        False,
        "[DIR] .git\n[FILE] README.md\n[FILE] package.json\n[DIR] src\n",
    ),
    "tree": (
        "prose",
        False,
        ".\n├── README.md\n├── src\n│   ├── a.py\n│   └── b.py\n└── tests\n\n2 directories, 3 files\n",
    ),
    "md readme": (
        "markdown",
        False,
        "# Project\n"
        "\n"
        "A thing that does stuff.\n"
        "\n"
        "## Install\n"
        "\n"
        "```bash\n"
        "pip install project\n"
        "```\n"
        "\n"
        "- fast\n"
        "- small\n"
        "\n"
        "| a | b |\n"
        "|---|---|\n"
        "| 1 | 2 |\n",
    ),
    "plain list": (
        "prose",
        False,
        "Shopping for the week, in no order:\n\nmilk\neggs, a dozen\nbread\n",
    ),
    "csv quoted": (
        "csv",
        True,
        'id,name,note\n1,"Smith, J","line\nbreak"\n2,Bo,plain\n3,Al,""\n',
    ),
    "csv semicolon": (
        "csv",
        True,
        "datum;betrag;text\n01.02.2024;1,50;Kaffee\n02.02.2024;3,20;Tee\n",
    ),
    "csv after prose": (
        "csv",
        True,
        "Query returned 3 rows:\nid,name,age\n1,a,3\n2,b,4\n3,c,5\n",
    ),
    "tsv": (
        "tsv",
        True,
        "id\tname\n1\tfoo bar\n2\tbaz\n",
    ),
    "sqlite repr": (
        "repr",
        True,
        "[{'id': 1, 'name': \"O'Neil\", 'at': datetime.datetime(2024, 1, 1, 10, 0), 'x': None}, {'id'"
        ": 2, 'name': 'b', 'at': datetime.datetime(2024, 1, 2, 0, 0), 'x': Decimal('1.5')}]",
    ),
    "tuples": (
        "repr",
        True,
        "[(1, 'a', None), (2, 'b', True)]",
    ),
    "tuple lines": (
        "repr",
        True,
        "(1, 'a', None)\n(2, 'b', True)\n(3, 'c', False)\n",
    ),
    "dataclass": (
        "repr",
        True,
        "[User(id=1, name='Al', tags=['a', 'b']), User(id=2, name='Bo', tags=[])]",
    ),
    "json5": (
        "json",
        True,
        "// config\n{\n  name: 'x', // the name\n  list: [1, 2, 3,],\n  nested: {a: true, b: null},\n}\n",
    ),
    "yaml": (
        "code",
        True,
        "apiVersion: v1\n"
        "kind: Pod\n"
        "metadata:\n"
        "  name: web\n"
        "  labels: {app: web}\n"
        "spec:\n"
        "  containers:\n"
        "  - name: web\n"
        "    image: nginx:1.25\n"
        '    command: ["sh", "-c", "sleep 1"]\n'
        "    script: |\n"
        "      echo hi\n"
        "      exit 0\n"
        "  restart: no\n"
        "  at: 2024-01-01\n",
    ),
    "yaml docs": (
        "code",
        True,
        "---\nkind: A\nname: x\n---\nkind: B\nname: y\n",
    ),
    "json fence with prose": (
        "json",
        True,
        'I found these:\n\n```json\n{"a": [1, 2, 3], "b": {"c": "some longer text here"}}\n```\n\nAnything else?',
    ),
    "joined pretty": (
        "jsonl",
        True,
        '{\n  "a": 1\n}\n{\n  "a": 2\n}\n',
    ),
    "truncated json": (
        "json",
        True,
        '[{"id": 1, "name": "first thing"}, {"id": 2, "name": "second thing"}, {"id": 3, "name": "third thi',
    ),
    "poem": (
        "prose",
        False,
        "Two roads diverged in a yellow wood,\n"
        "And sorry I could not travel both\n"
        "And be one traveler, long I stood\n"
        "And looked down one as far as I could\n",
    ),
    "cjk": (
        "prose",
        False,
        "人之初，性本善。性相近，习相远。\n苟不教，性乃迁。教之道，贵以专。\n",
    ),
    "rst": (
        "rst",
        False,
        "Title\n=====\n\n.. code-block:: python\n\n   x = 1\n\nSection\n-------\n\nText ``code``.\n",
    ),
    "android": (
        "log",
        False,
        "03-17 16:13:38.811  1702  2395 D WindowManager: printFreezingDisplayLogsopening app\n"
        "03-17 16:13:38.819  1702  8671 D ActivityManager: acquireWakeLock\n"
        "03-17 16:13:38.820  1702  8671 E ActivityManager: oops\n",
    ),
    "klog": (
        "log",
        False,
        "I0101 10:00:00.123456       1 main.go:10] starting\n"
        'E0101 10:00:01.123456       1 main.go:12] "Failed" err="x"\n'
        "W0101 10:00:02.123456       1 main.go:13] hm\n",
    ),
    "compose": (
        "log",
        False,
        "web-1  | 2024-01-01 10:00:00 INFO up\n"
        "db-1   | 2024-01-01 10:00:00.123 UTC [1] LOG:  ready\n"
        "web-1  | Traceback (most recent call last):\n"
        'web-1  |   File "/app/x.py", line 1, in <module>\n',
    ),
    "gcc": (
        "log",
        False,
        "gcc -c main.c -o main.o\n"
        "main.c: In function 'main':\n"
        "main.c:10:5: error: expected ';' before 'return'\n"
        "main.c:12:1: warning: control reaches end of non-void function\n"
        "make: *** [Makefile:3: main.o] Error 1\n",
    ),
    "jest": (
        "log",
        False,
        "PASS src/a.test.ts\n"
        "FAIL src/b.test.ts\n"
        "  ● adds numbers\n"
        "\n"
        "    expect(received).toBe(expected)\n"
        "\n"
        "    Expected: 3\n"
        "    Received: 2\n"
        "\n"
        "      at Object.<anonymous> (src/b.test.ts:5:15)\n"
        "\n"
        "Tests:       1 failed, 3 passed, 4 total\n"
        "Time:        1.2 s\n",
    ),
    "go test": (
        "log",
        False,
        "=== RUN   TestA\n"
        "--- PASS: TestA (0.00s)\n"
        "=== RUN   TestB\n"
        "    b_test.go:10: got 1 want 2\n"
        "--- FAIL: TestB (0.01s)\n"
        "FAIL\n"
        "FAIL\texample.com/x\t0.012s\n",
    ),
    "python small": (
        "code",
        False,
        "def f(x):\n    return x + 1\n\n\nclass A:\n    y = 3\n",
    ),
}
