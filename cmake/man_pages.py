#!/usr/bin/env python3
"""Writes a manual page for each verb of quincunx, of what its --help says: quincunx-report.1 and so on.

    cmake/man_pages.py QUINCUNX FOLDER

The idea: --help is a paragraph, a line `Usage:`, and sections; in `Positionals:`, `Options:` and `Subcommands:` a line that
is indented by two begins an entry, whose text begins at column 30. What the words mean at length is in docs/quincunx.1,
which is written by hand.
"""
import os
import re
import subprocess
import sys

NAME, TEXT = 2, 30  # columns at which an entry and its text begin


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def help_of(program, verb):
    done = subprocess.run([program, *verb, "--help"], check=True, capture_output=True, text=True)
    return done.stdout.rstrip("\n").split("\n")


def sections(lines):
    """[(heading, lines)]; the first has no heading, that of a usage is the usage."""
    out = [("", [])]
    for line in lines:
        heading = re.fullmatch(r"([A-Z][^:]*): *(.*)", line) if line[:1].isupper() else None
        if heading and (heading[1] == "Usage" or not heading[2]):
            out.append((heading[1], [heading[2]] if heading[2] else []))
        elif line[:1] not in ("", " ") and out[-1][0]:  # a paragraph behind a section
            out.append(("", [line]))
        else:
            out[-1][1].append(line)
    return out


def entries(lines):
    """[(name, text)] of a section of options, positionals or verbs."""
    out = []
    for line, after in zip(lines, [*lines[1:], ""]):
        if len(line) > NAME and line[:NAME].isspace() and line[NAME] != " ":
            has_text_below = len(line) >= TEXT and after[:TEXT].isspace()  # the name is too long for its column
            name, text = (line, "") if has_text_below else (line[:TEXT], line[TEXT:])
            out.append([name.strip(), text.strip()])
        elif line.strip():
            out[-1][1] = (out[-1][1] + " " + line.strip()).strip()
    return out


def in_words(name, text):
    """The marks of the option parser behind a name are no part of it: what they say is said in the text."""
    name, _, excluded = name.partition(" Excludes: ")
    name, _, needed = name.partition(" Needs: ")
    name, _, variable = name.partition(" (Env:")
    if variable:
        text += f"; or the variable {variable.rstrip(')')}"
    name = name.removesuffix(" REQUIRED")
    for others, how in ((needed, "only with"), (excluded, "not with")):
        if others:
            text += f"; {how} {', '.join(others.split())}"
    return name, text


def option_line(name):
    """The name of an option with its dashes in bold type, and what it takes as it is."""
    return re.sub(r"(?<![\w-])(--?[\w-]+)", lambda m: "\\fB" + escaped(m[1]) + "\\fR", name.replace(",-", ", -"))


def page(verb, lines, version):
    title = "-".join(["quincunx", *verb])
    out = [f'.TH {title.upper()} 1 "" "{version}" "User Commands"', ".nh"]
    parts = sections(lines)
    about = " ".join(line.strip() for line in parts[0][1] if line.strip())
    brief = about[0].lower() + about[1:]
    out += [".SH NAME", f"{escaped(title)} \\- {escaped(brief.rstrip('.'))}"]
    for heading, body in parts[1:]:
        if heading == "Usage":
            words = body[0].split()
            rest = words[1 + len(verb) :]
            out += [".SH SYNOPSIS", f".B quincunx {' '.join(verb)}".rstrip(), escaped(" ".join(rest))]
        elif heading in ("Positionals", "Options", "Subcommands"):
            out.append(f".SH {dict(Positionals='ARGUMENTS', Options='OPTIONS', Subcommands='COMMANDS')[heading]}")
            for name, text in (in_words(*entry) for entry in entries(body)):
                shown = f"\\fB{escaped(name)}\\fR" if heading == "Subcommands" else option_line(name)
                out += [".TP", shown, escaped(text)]
        elif heading:
            out += [f".SH {heading.upper()}", ".nf", *map(escaped, body), ".fi"]
        else:
            out += [".PP", *(escaped(line) for line in body if line)]
    below = [name for heading, body in parts if heading == "Subcommands" for name, _ in entries(body)]
    near = ["quincunx", *("-".join(["quincunx", *verb[:n]]) for n in range(1, len(verb))), *(f"{title}-{name}" for name in below)]
    out += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(name)}\\fR(1)" for name in near)]
    return "\n".join(out) + "\n"


def write_pages(program, folder, verb, version):
    lines = help_of(program, verb)
    if verb:
        with open(os.path.join(folder, "-".join(["quincunx", *verb]) + ".1"), "w", encoding="utf-8") as f:
            f.write(page(verb, lines, version))
    for heading, body in sections(lines):
        if heading == "Subcommands":
            for name, _ in entries(body):
                write_pages(program, folder, [*verb, name], version)


def main(arguments):
    if len(arguments) != 2:
        print("usage: cmake/man_pages.py QUINCUNX FOLDER", file=sys.stderr)
        return 2
    program, folder = arguments
    os.makedirs(folder, exist_ok=True)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    write_pages(program, folder, [], version)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
