#!/usr/bin/env python3
"""Makes the screens of chapters anew, and compares them.

    test/docs/screens.py [--update] [--only NAME] CHAPTER...     status 1 when a screen differs or a command fails

A fenced block of a chapter says behind its language what it is for:

    ```console in=NAME          lines `$ command` (`> ` goes on with one), and what each prints on standard output
    ```sh in=NAME               commands alone, that must succeed
    ```LANGUAGE in=NAME file=F  what the file F holds

Blocks of one NAME are done in their order in one scratch folder, whichever chapters they stand in (name them all:
`screens.py --only words README.md docs/*.md`); `from=FOLDER` at
the first of them makes it a copy of that folder of the project. A command without output in the chapter has to
succeed, no more. A line `...` stands for lines that were left out, at the end of a line (`...`) for the rest of it.

A screen is compared character by character. With `times` behind its language it has figures that no two runs share:
then it is compared by paragraphs, in which all numbers, numbers of files, units of time and names of processors are alike, names that were
cut are equal where what is left of them is, rows behind the first may come in another order, and tables in parts.
`--update` rewrites the outputs that differ, and keeps which parts are left out.

`quincunx profile` samples the plain program for up to a minute: that is left out, so figures of single functions are
worse than readers get; SAMPLES=1 does it, for `--update` of screens with times.

Environment: BUILD (build/default), JOBS (processors): folders at the same time, KEEP=1 keeps them, SAMPLES.
"""
import concurrent.futures
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("BUILD") or os.path.join(ROOT, "build/default"))
LEFT_OUT = "..."
END = "\x01"  # between the outputs of two commands


# As heads of tables name the machine that measured itself.
PROCESSOR = re.compile(r"\(machine (?=.*(AMD|Intel|Processor|CPU|processor))[^()]*(\([^()]*\)[^()]*)*\)")


class Command:
    def __init__(self, line):
        self.lines = [line]  # as in the chapter
        self.expected = []
        self.got = None

    def text(self):
        return "\n".join(line[2:] for line in self.lines)


class Block:
    def __init__(self, path, language, words, begin, lines):
        self.path, self.language, self.begin, self.lines = path, language, begin, lines
        pairs = dict(w.partition("=")[::2] for w in words)
        self.name, self.file, self.source = pairs.get("in"), pairs.get("file"), pairs.get("from")
        self.times = "times" in pairs
        self.commands = screen(lines) if language == "console" else []

    def where(self):
        return f"{os.path.relpath(self.path, ROOT)}:{self.begin}"


def screen(lines):
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append(Command(line))
        elif line.startswith("> ") and commands and not commands[-1].expected:
            commands[-1].lines.append(line)
        elif commands:
            commands[-1].expected.append(line)
        else:
            sys.exit(f"a screen begins with a command, not with: {line}")
    for c in commands:
        while c.expected and not c.expected[-1]:
            c.expected.pop()
    return commands


def blocks_of(path):
    """The fenced blocks that have a NAME."""
    found, fence, lines, words, begin = [], None, [], [], 0
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f.read().split("\n"), 1):
            if fence is None:
                m = re.match(r"(```+)(.*)$", line)
                if m:
                    fence, words, begin, lines = m[1], m[2].split(), number, []
            elif line == fence:
                b = Block(path, words[0] if words else "", words[1:], begin, lines)
                if b.name:
                    found.append(b)
                elif b.language == "console":
                    sys.exit(f"{b.where()}: error: a screen without in=NAME")
                fence = None
            else:
                lines.append(line)
    if fence is not None:
        sys.exit(f"{os.path.relpath(path, ROOT)}:{begin}: error: a block without an end")
    return found


# ---- what is equal ----

NUMBER = re.compile(r"[-+~<(]*\d[\d.]*(e[-+]?\d+)?[),:;]*$")
TIME = {"ns", "us", "ms", "s"}


def masked(line):
    """The words of a line: numbers and bars as # (of inputs as well: which is slow is a figure), units of time as one."""
    words = []
    for word in PROCESSOR.sub("(machine)", line).split():
        if NUMBER.match(word) or re.fullmatch("[▏▎▍▌▋▊▉█]+", word):
            word = "#"
        elif word.rstrip(",;:)") in TIME:
            word = "ms"
        elif "/" in word:
            word = re.sub(r"\d+", "#", word)
        words.append(word)
    return joined(words)


def joined(words):
    """Neighbouring numbers, and the two of a range, as one: where one ends, width decides."""
    result = []
    for word in words:
        if word == "#" and result[-2:] == ["#", ".."]:
            result.pop()
        elif word != "#" or result[-1:] not in (["#"], [">="]):
            result.append(word)
        elif result[-1] == ">=":
            result[-1] = "#"
    return result


def same_words(a, b):
    """Equal; of a line with a cut name, what is left of both around the cut."""
    a, b = "".join(a), "".join(b)
    if "…" not in a + b:
        return a == b
    (a0, a1), (b0, b1) = (ends(x) for x in (a, b))
    head, tail = min(len(a0), len(b0)), min(len(a1), len(b1))
    return a0[:head] == b0[:head] and a1[len(a1) - tail :] == b1[len(b1) - tail :]


def ends(text):
    return (text[: text.index("…")], text[text.rindex("…") + 1 :]) if "…" in text else (text, text)


def paragraphs(lines):
    """Lists of masked lines; of each, whether lines of it were left out. None stands for paragraphs that were."""
    result, now, is_open = [], [], False
    for line in [*lines, ""]:
        if line.strip() and line != LEFT_OUT:
            now.append(masked(line))
        elif line == LEFT_OUT and now:
            is_open = True
        elif line == LEFT_OUT:
            result.append(None)
        elif now:
            if result and result[-1] and is_part(result[-1][0], now):
                whole = [joined(a + b[bool(i) :]) for i, (a, b) in enumerate(zip(result[-1][0], now))]
                result[-1] = (whole, is_open)
            else:
                result.append((now, is_open))
            now, is_open = [], False
    return result


def is_part(table, more):
    """Whether it has further columns of that table, which the width of figures made come in parts."""
    return len(table) == len(more) > 1 and all(a[0] == b[0] for a, b in zip(table[1:], more[1:]))


def same_paragraph(expected, is_open, got):
    if not is_open and same_words(sum(expected, []), sum(got, [])):
        return True
    if not same_words(expected[0], got[0]) or (len(expected) != len(got) and not is_open):
        return False
    rest = got[1:]
    for row in expected[1:]:
        i = next((i for i, other in enumerate(rest) if same_words(row, other)), None)
        if i is None:
            return False
        del rest[i]
    return True


def same_times(expected, got):
    wanted, there = paragraphs(expected), [p for p, _ in paragraphs(got)]
    at, skip = 0, False
    for w in wanted:
        if w is None:
            skip = True
            continue
        while at < len(there) and not same_paragraph(*w, there[at]) and skip:
            at += 1
        if at == len(there) or not same_paragraph(*w, there[at]):
            return False
        at, skip = at + 1, w[1]
    return skip or at == len(there)


def rounded(line):
    """Doubles that are written in full, to ten digits: the last ones are another compiler's as well."""
    return re.sub(r"-?\d+\.\d{10,}(e[-+]?\d+)?", lambda m: f"{float(m[0]):.10g}", line)


def same_line(expected, got):
    return rounded(expected) == rounded(got) or (expected.endswith(LEFT_OUT) and got.startswith(expected[: -len(LEFT_OUT)]))


def parts(lines):
    """Runs of lines between those that were left out."""
    result = [[]]
    for line in lines:
        if line == LEFT_OUT:
            result.append([])
        else:
            result[-1].append(line)
    return result


def same_text(expected, got):
    wanted = parts(expected)
    at = 0
    for i, part in enumerate(wanted):
        last = len(got) - len(part)
        starts = range(at, last + 1) if i else [0]
        if i == len(wanted) - 1:
            starts = [last] if last >= at and (i or last == 0) else []
        for start in starts:
            if start + len(part) <= len(got) and all(map(same_line, part, got[start : start + len(part)])):
                at = start + len(part)
                break
        else:
            return False
    return True


def renewed(expected, got):
    """What is got, with the same parts left out."""
    wanted, result, at = parts(expected), [], 0
    for i, part in enumerate(wanted):
        start = at
        if i == len(wanted) - 1 and i:
            start = max(at, len(got) - len(part))
        elif i and part:
            first = " ".join(masked(part[0]))
            likeness = [difflib.SequenceMatcher(None, first, " ".join(masked(g))).ratio() for g in got[at:]]
            start = at + likeness.index(max(likeness)) if likeness else at
        end = len(got) if len(wanted) == 1 else start + len(part)
        cut = [e for e in part if e.endswith(LEFT_OUT)]
        for line in got[start:end]:
            short = next((e for e in cut if os.path.commonprefix([e, line])[:16] == e[:16]), None)
            result.append(line[: len(short) - 3] + LEFT_OUT if short and len(short) < len(line) else line)
        at = end
        if i < len(wanted) - 1:
            result.append(LEFT_OUT)
    return result


# ---- doing it ----

def environment(scratch):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("QUINCUNX_", "CMAKE_"))}
    cache = os.path.join(BUILD, "test/cache")  # prices of this machine: measured once for a build
    os.makedirs(cache, exist_ok=True)
    env.update(PATH=os.path.join(BUILD, "bin") + os.pathsep + env["PATH"], XDG_CACHE_HOME=cache, COLUMNS="100",
               LC_ALL="C.UTF-8", TMPDIR=os.path.join(scratch, ".tmp"))
    os.mkdir(env["TMPDIR"])
    if not env.get("SAMPLES"):
        env["LLVM_SYMBOLIZER_PATH"] = os.path.join(scratch, "none")
    return env


class Folder:
    """A scratch folder, and what is done in it."""

    def __init__(self, name):
        self.name = name
        self.blocks = []

    def do(self):
        """Lines that say what is wrong."""
        self.scratch = tempfile.mkdtemp(prefix=f"quincunx-screens-{self.name}.")
        try:
            return self.steps()
        finally:
            if os.environ.get("KEEP"):
                print(f"{self.name}: {self.scratch}")
            else:
                shutil.rmtree(self.scratch, ignore_errors=True)

    def steps(self):
        self.work = os.path.join(self.scratch, self.name)
        source = next((b.source for b in self.blocks if b.source), None)
        if source:
            shutil.copytree(os.path.join(ROOT, source), self.work)
        else:
            os.mkdir(self.work)
        self.env = environment(self.scratch)
        faults = []
        for block in self.blocks:
            new = self.block(block)
            faults += new
            if new and new[0].startswith("FAIL"):
                break  # what follows needs it
        return faults

    def run(self, script):
        where = os.path.join(self.scratch, ".pwd")
        # Who is cut off by head is not to end by that.
        script = re.sub(r"\| (head -n \d+)$", r"| { \1; cat >/dev/null; }", script, flags=re.M)
        script = f"set -eu -o pipefail\n{script}\npwd >{shlex.quote(where)}\n"
        done = subprocess.run(["bash", "-c", script], cwd=self.work, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        if done.returncode == 0:
            with open(where, encoding="utf-8") as f:
                self.work = f.read().rstrip("\n")
        return done

    def block(self, block):
        if block.file:
            path = os.path.join(self.work, block.file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(block.lines) + "\n")
            return []
        if block.language == "console":
            script = f"\nprintf '{END}'\n".join(c.text() for c in block.commands)
        else:
            script = "\n".join(block.lines)
        done = self.run(script)
        outputs = done.stdout.decode(errors="replace").split(END)
        if done.returncode:
            failed = block.commands[len(outputs) - 1].text() if block.commands else f"a block of {block.language}"
            tail = (outputs[-1] + done.stderr.decode(errors="replace")).rstrip("\n").split("\n")[-12:]
            return [f"FAIL {block.where()}: status {done.returncode}: {failed}", *(f"     | {line}" for line in tail)]
        return [line for c, output in zip(block.commands, outputs) for line in self.compare(block, c, output)]

    def compare(self, block, command, output):
        got = [line.rstrip() for line in output.rstrip("\n").split("\n")]
        expected = [line.rstrip() for line in command.expected]
        if not expected or (same_times if block.times else same_text)(expected, got):
            return []
        command.got = got
        new = renewed(expected, got)
        return [f"DIFF {block.where()}: {command.text()}",
                *(f"     | {line}" for line in difflib.unified_diff(expected, new, "chapter", "now", lineterm="", n=1))]


def update(path, blocks):
    """Writes what was got into the chapter."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for b in sorted(blocks, key=lambda b: -b.begin):
        new = []
        for i, c in enumerate(b.commands):
            new += c.lines + (c.expected if c.got is None else renewed(c.expected, c.got))
            if c.expected and i < len(b.commands) - 1 and blank_behind(b, c):
                new.append("")
        if b.commands:
            lines[b.begin : b.begin + len(b.lines)] = new
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


def blank_behind(block, command):
    """Whether the chapter has an empty line between that command's output and the next command."""
    at = 0
    for c in block.commands:
        at += len(c.lines) + len(c.expected)
        blank = at < len(block.lines) and not block.lines[at]
        if c is command:
            return blank
        while at < len(block.lines) and not block.lines[at]:
            at += 1
    return False


def main(words):
    is_update, only, paths = False, None, []
    while words:
        word = words.pop(0)
        if word == "--update":
            is_update = True
        elif word == "--only" and words:
            only = words.pop(0)
        elif word.startswith("-"):
            sys.exit(__doc__)
        else:
            paths.append(os.path.abspath(word))
    blocks = {path: blocks_of(path) for path in paths}
    folders = {}
    for b in sum(blocks.values(), []):
        if only in (None, b.name):
            folders.setdefault(b.name, Folder(b.name)).blocks.append(b)
    if not folders:
        sys.exit("screens.py: error: no blocks to do")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
        for folder, faults in zip(folders.values(), pool.map(Folder.do, folders.values())):
            for line in faults:
                print(line)
            failed += bool(faults)
            print(f"{'FAIL' if faults else 'ok  '} {folder.name}: {len(folder.blocks)} blocks", flush=True)
    if is_update:
        for path in paths:
            update(path, blocks[path])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
