#!/usr/bin/env python3
"""Plants differences between chapters and what is printed, and demands that screens.py sees them, and nothing else."""
import os
import subprocess
import sys
import tempfile

SCREENS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "screens.py")
CASES = [  # what, words behind console, what a file `out` holds, what the chapter shows of `cat out`, whether that is right
    ("equal", "", "a 1\nb 2", "a 1\nb 2", True),
    ("another figure", "", "a 1\nb 2", "a 1\nb 3", False),
    ("another column", "", "a  1", "a 1", False),
    ("a line less", "", "a 1\nb 2", "a 1", False),
    ("a line more", "", "a 1", "a 1\nb 2", False),
    ("lines left out", "", "a 1\nb 2\nc 3\nd 4", "a 1\n...\nd 4", True),
    ("lines left out of what is not there", "", "a 1\nb 2\nc 3", "a 1\n...\nd 4", False),
    ("the end left out", "", "a 1\nb 2", "a 1\n...", True),
    ("the end of a line left out", "", "a long line", "a long...", True),
    ("full doubles", "", "8.222019231770057", "8.222019231770059", True),
    ("another double", "", "8.222019231770057", "8.222019131770057", False),
    ("another time", "times", "in ms\na  1.25 us  x 2", "in ms\na 17 ms  x 3.5", True),
    ("another word", "times", "in ms\na 1", "in ms\nb 1", False),
    ("another processor", "times", "in us (machine AMD EPYC), 1 run", "in us (machine Intel(R) Xeon(R) Processor), 1 run", True),
    ("prices of another kind", "times", "in us (machine AMD EPYC), 1 run", "in us (machine calibrated), 1 run", False),
    ("a name with another number", "times", "f\np50 1", "f\np90 1", False),
    ("another of many files", "times", "f\nin/01.txt 1", "f\nin/02.txt 1", True),
    ("rows in another order", "times", "h\na 1\nb 2", "h\nb 1\na 2", True),
    ("a row less", "times", "h\na 1\nb 2", "h\na 1", False),
    ("rows left out", "times", "h\na 1\nb 2\nc 3", "h\nc 1\na 3\n...", True),
    ("rows left out of what is not there", "times", "h\na 1\nb 2", "h\nc 1\n...", False),
    ("a name cut elsewhere", "times", "h\n1 (start of the process)", "h\n12.5 (start …cess)", True),
    ("another cut name", "times", "h\n1 (start of the process)", "h\n12.5 (end …cess)", False),
    ("a table in parts", "times", "p50 p99\na 1 2", "p50\na 1\n\np99\na 2", True),
    ("a paragraph less", "times", "h\na 1\n\nnote: so", "h\na 1", False),
    ("paragraphs left out", "times", "h\na 1\n\ng\nb 1\n\nnote: so", "h\na 1\n...\n\nnote: so", True),
]
failed = 0


def check(text, good, done):
    global failed
    failed += not good
    print(f"{'ok  ' if good else 'FAIL'} {text}")
    if not good:
        print(done.stdout + done.stderr)


def run(chapter, *words):
    return subprocess.run([sys.executable, SCREENS, *words, chapter], capture_output=True, text=True, check=False)


def main():
    os.environ["BUILD"] = folder = tempfile.mkdtemp(prefix="quincunx-screens-test.")
    chapter = os.path.join(folder, "chapter.md")

    def write(blocks):
        with open(chapter, "w", encoding="utf-8") as f:
            f.write(blocks)

    for what, words, out, shown, right in CASES:
        before = f"Text.\n\n```text in=a file=out\n{out}\n```\n\n```console in=a {words}\n$ cd . # stays\n"
        write(f"{before}$ cat out\n{shown}\n```\n\nEnd.\n")
        done = run(chapter)
        check(what, (done.returncode == 0) == right and ("DIFF" in done.stdout) != right, done)
        run(chapter, "--update")
        done = run(chapter)
        with open(chapter, encoding="utf-8") as f:
            text = f.read()
        check(f"{what}, renewed", done.returncode == 0 and text.startswith(before) and text.endswith("```\n\nEnd.\n"), done)

    for what, block in [("a command that fails", "console in=a\n$ false"), ("one in a pipe", "console in=a\n$ false | cat"),
                        ("one of sh", "sh in=a\ntrue\nfalse"),
                        ("a block without an end", "sh in=a\ntrue\n```\n````sh"), ("a screen without a folder", "console\n$ true")]:
        write(f"```{block}\n```\n")
        done = run(chapter)
        check(what, done.returncode == 1 and ("FAIL" in done.stdout or "error" in done.stderr), done)
    write("```sh\nfalse\n```\n\n```sh in=a\ncd /\n```\n\n```console in=a\n$ pwd\n/\n$ echo a\na\n```\n")
    done = run(chapter)
    check("blocks without a folder are left alone, others share one", done.returncode == 0, done)
    subprocess.run(["rm", "-rf", folder], check=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
