#!/usr/bin/env python3
"""Compares the files for CI in chapter 20 with what was run: they cannot run here, as they need a network and a registry.

    test/docs/snippets.py     status 1 when one differs

The YAML parses and has the keys that its readers look for; what jobs run is the script that `screens.py` runs; the
Dockerfile installs as the README does, and what scripts and jobs name exists.
"""
import os
import re
import sys

import yaml

import screens

failed = 0


def same(what, expected, got):
    global failed
    if expected != got:
        failed += 1
        print(f"FAIL {what}: {got}, not {expected}")
    else:
        print(f"ok   {what}")


def main():
    chapter = screens.blocks_of(os.path.join(screens.ROOT, "docs/20-recipes.md"))
    files = {b.file: "\n".join(b.lines) + "\n" for b in chapter if b.name == "ci" and b.file}
    run = [c.text() for b in chapter if b.name == "ci" for c in b.commands]
    script = run[0].split(" | ")[0]
    same("what is run here is a file of the chapter", True, script.removeprefix("sh ") in files)

    github = yaml.safe_load(files[".github/workflows/profile.yml"])
    same("GitHub: keys", {"name", True, "jobs"}, set(github))  # `on` is true in YAML 1.1
    job = github["jobs"]["profile"]
    same("GitHub: a job", {"runs-on", "container", "steps"}, set(job))
    commands = [s["run"] for s in job["steps"] if "run" in s]
    same("GitHub: runs the script", script + " --github", commands[0])
    same("GitHub: shows the summary that it writes", True, all("budgets.md" in c for c in commands[1:]))
    kept = [s["with"]["path"] for s in job["steps"] if "upload-artifact" in s.get("uses", "")]

    gitlab = yaml.safe_load(files[".gitlab-ci.yml"])["profile"]
    same("GitLab: a job", {"image", "script", "artifacts"}, set(gitlab))
    same("GitLab: runs the script", [script], gitlab["script"])
    same("both take the same image", job["container"], gitlab["image"])
    same("both keep the same corpus", kept, gitlab["artifacts"]["paths"])
    same("the script writes it", True, f"-o {kept[0]} " in files[script.removeprefix("sh ")])

    kept = {b.file: "\n".join(b.lines) + "\n" for b in chapter if b.name == "keep" and b.file}
    asked = {c.text().split(" | ")[0].split(" || ")[0] for b in chapter if b.name == "keep" for c in b.commands}
    github = yaml.safe_load(kept[".github/workflows/cost.yml"])["jobs"]["cost"]
    jobs = [s["run"] for s in github["steps"] if "run" in s]
    same("GitHub: a cache, and what runs here", ["sh ci/cost.sh pull", "sh ci/cost.sh main"], [j for j in jobs if j in asked])
    caches = [s for s in github["steps"] if "actions/cache" in s.get("uses", "")]
    same("GitHub: main alone writes it", ["github.ref == 'refs/heads/main'"], [s["if"] for s in caches if "save" in s["uses"]])
    same("GitHub: keys begin alike", True, all(s["with"]["key"].startswith("cost-") and s["with"]["path"] == "kept" for s in caches))
    gitlab = yaml.safe_load(kept[".gitlab-ci.yml"])
    same("GitLab: what runs here", [["sh ci/cost.sh main"], ["sh ci/cost.sh pull"]], [gitlab[j]["script"] for j in gitlab if j != ".cost"])
    same("GitLab: requests only read the cache", ("pull", ["kept"]), (gitlab["cost-of-request"]["cache"]["policy"], gitlab["cost-of-request"]["cache"]["paths"]))
    same("all take one image", {job["container"]}, {github["container"], gitlab[".cost"]["image"]})

    with open(os.path.join(screens.ROOT, "README.md"), encoding="utf-8") as f:
        install = f.read().split("## Install")[1].split("\n## ")[0]
    packages = re.search(r"`(scripts/deps [^`]*)`", install)[1]
    commands = re.findall(r"^(cmake [^#\n]*?) *(?:#.*)?$", install, re.M)
    wanted = [packages, *(c.replace("~/.local", "/usr/local") for c in commands)]
    same("the image is built as the README says", wanted, re.findall("^RUN (.*)$", files["Dockerfile"], re.M))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
