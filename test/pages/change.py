#!/usr/bin/env python3
"""Opens a page of `quincunx html BEFORE AFTER` in a browser: it asks nobody for anything, its console is silent, and what it
says of the mean and of functions is what `quincunx compare` says.

  change.py TOOL PAGE BEFORE AFTER [SHOTS]
"""
import json
import os
import subprocess
import sys

from browser import Browser
from checks import check, finish

tool, page, before, after = sys.argv[1:5]
shots = sys.argv[5] if len(sys.argv) > 5 else None

def changeText(x):
    return "0.00 %" if abs(x) < 5e-5 else ("+" if x >= 0 else "") + (f"{100 * x:.2f}" if abs(x) < 0.1 else f"{100 * x:.1f}") + " %"


said = json.loads(subprocess.run([tool, "compare", "--json", before, after], capture_output=True, text=True).stdout)
url = "file://" + os.path.abspath(page)
with Browser() as browser:
    for view in ("overview", "overview&chart=ecdf&axis=linear", "overview&chart=quantiles", "functions"):
        browser.open(f"{url}#view={view}")
        check(f"{view}: no request, a silent console", browser.requests in ([f"{url}#view={view}"], [url]) and not browser.errors, (browser.requests, browser.errors))
        if shots:
            browser.shot(os.path.join(shots, f"change-{view.split('&')[-1].replace('=', '-')}.png"))
    names = browser.value("Array.from(document.querySelectorAll('#main table')[0].querySelectorAll('tbody td:first-child'), td => td.textContent)")
    check("functions are those of compare, in its order", names == [f["shown"] for f in said["functions"]], (names, [f["shown"] for f in said["functions"]]))
    browser.open(url)
    cards = browser.value("Object.fromEntries(Array.from(document.querySelectorAll('.card'), c => [c.querySelector('.name').textContent, c.querySelector('.value').textContent]))")
    check("figures change as compare says", cards == {name: changeText(c["change"]) for name, c in said["program"].items()}, (cards, said["program"]))
    drawn = browser.value("Object.fromEntries([['p50', 0.5], ['p90', 0.9]].map(([name, p]) => [name, [percentile(before, p), percentile(after, p)]]))")
    check("percentiles that are drawn are those", all(abs(x / said["program"][name][key] - 1) < 1e-6 for name, both in drawn.items() for x, key in zip(both, ("before", "after"))), drawn)
    costs = browser.value("[before.law.mean, after.law.mean]")
    mean = said["program"]["mean"]
    check("inputs add up to both means", all(abs(x / y - 1) < 1e-9 for x, y in zip(costs, (mean["before"], mean["after"]))), (costs, mean))
finish()
