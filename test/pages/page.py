#!/usr/bin/env python3
"""Opens a page of `quincunx html` in a browser and asks it what a reader would see.

  page.py TOOL PAGE CORPUS NAME FACTOR [SHOTS [OPTION...]]

The page asks nobody for anything and its console is silent, in every view; sliders of the function NAME and of the
dearest price of the machine, moved to FACTOR, give the percentiles that `quincunx whatif` gives, to all digits that are shown; a filter finds, a link shows
what it was made of. Prints a line for each; status 1 when one is not so. SHOTS: a folder for pictures of the views.
"""
import json
import os
import re
import subprocess
import sys

from browser import Browser
from checks import check, finish

tool, page, corpus, name, factor = sys.argv[1:6]
shots = sys.argv[6] if len(sys.argv) > 6 else None


def costText(x, unit):
    seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    name = ""
    if unit in seconds:
        s = x * seconds[unit]
        name = next((u for u in ("s", "ms", "us") if s >= seconds[u]), "ns")
        x /= seconds[name] / seconds[unit]
    value = float(f"{x:.4g}")
    return (f"{value:g}" if abs(value) < 1e6 else str(int(value)) if value < 1e9 else f"{value:g}".replace("e+0", "e").replace("e+", "e")) + (f" {name}" if name else "")


def whatif(change):
    words = [tool, "whatif", "--json", "--show", "p50,p90,p99", corpus, change] + sys.argv[7:]
    answer = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return {name: f["value"] for name, f in answer["after"].items()}, answer["unitAfter"]


url = "file://" + os.path.abspath(page)
text = open(page, encoding="utf-8").read()
data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
check("without its data it has at most 400 kB", len(text) - len(data) <= 400_000, len(text) - len(data))
views = ["overview", "overview&chart=ecdf", "overview&chart=quantiles&axis=linear", "functions", "function&f=0", "flame", "flame&flame=p99", "inputs", "source", "trust"]
with Browser() as browser:
    for view in views:
        seconds = browser.open(f"{url}#view={view}")
        check(f"{view}: no request, a silent console", browser.requests in ([f"{url}#view={view}"], [url]) and not browser.errors, (browser.requests, browser.errors))
        if view == "overview":
            print(f"      {seconds:.2f} s to the first screen")
        if shots:
            browser.shot(os.path.join(shots, re.sub(r"\W+", "-", view) + ".png"))
    check("a distribution is drawn", browser.open(url + "#view=overview&chart=histogram") >= 0
          and browser.value("document.querySelectorAll('#main svg rect').length") > 5)
    browser.open(url)
    def move(column, factor):
        """A slider; what the page says of percentiles then, and how many sliders are set."""
        return browser.value(f"""(() => {{
          moreSliders = morePrices = true;
          drawWhatif(document.getElementById("whatif"));
          const slider = document.querySelector(`input[data-column="${{{column}}}"]`);
          slider.value = {factor};
          slider.dispatchEvent(new Event("input"));
          slider.dispatchEvent(new Event("change"));
          return new Promise(done => setTimeout(() => done(Object.fromEntries([["set", factors().size],
            ...["p50", "p90", "p99", "mean"].map(p => [p, document.getElementById("effect-" + p).textContent])])), 300));
        }})()""")

    def compare(moved, change):
        figures, unit = whatif(change)
        for which in ("p50", "p90", "p99", "mean"):
            check(f"{which} with {change} is that of whatif", moved[which] == costText(figures[which], unit), (moved[which], figures[which], unit))

    price = browser.value("data.columns.find(c => c.isPrice)?.name ?? ''")
    check("prices of the machine have sliders", price != "")
    if price:
        compare(move(f"data.columns.findIndex(c => c.isPrice && c.name === {json.dumps(price)})", factor), f"price({price}) *= {factor}")
    moved = move(f"data.columns.findIndex(c => !c.isPrice && c.name === {json.dumps(name)})", factor)
    check("a function's slider sets those of prices back", moved["set"] == 1)
    compare(moved, f"cost({name}) *= {factor}")
    link = browser.value("location.href")
    browser.open(link)
    check("the address keeps what was set", browser.value("document.getElementById('effect-p99').textContent") == moved["p99"])
    check("nothing set leaves what was recorded", browser.value("""(() => { go({ set: "" }); setFactor(0, 1); return [0.5, 0.9, 0.99].every(p =>
      Math.abs(percentile(after, p) / percentile(before, p) - 1) < 1e-9 || percentile(before, p) === percentile(after, p)); })()"""))
    program = browser.value("data.program.p99.value === null ? null : percentile(before, 0.99) / data.program.p99.value - 1")
    check("the page's own p99 is the report's", program is None or abs(program) < 1e-9, program)
    found = browser.value(f"""(() => {{ go({{ view: "functions", find: {json.dumps(name)} }});
      return new Promise(done => setTimeout(() => done([...document.querySelectorAll(".virtual tbody tr[tabindex]")].map(row => row.querySelector("td").textContent)), 200)); }})()""")
    check("the filter finds it", any(name in row for row in found), found)
finish()
