#!/usr/bin/env python3
"""How near simulated times come to those of real threads: as many as wanted, which sleep, so that two processors run them all.

    bench/sleep.py [--count 600] [--mean 0.01] [--repetitions 5] [--log FILE.tsv] [--what WHAT,...] [THREADS...]

Programs and predictions are those of test/judges/schedules.py, at full size: iterations (or tasks) of exponential law, the last
tenth four times dearer. Appends a line for each kind and number of threads to bench/log/DATE-sleep.tsv: the least and the median of
the repetitions, the prediction (the least and the greatest of 200 for what is a race), and how far it is from the least. What the
machine did meanwhile stands beside it, as late sleeps make longer times: how late a sleep is (lower quartile), the load.
No time passes or fails anything."""
import argparse
import datetime
import os
import statistics
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(root, "test/judges"))
import schedules  # noqa: E402

kinds = "static static4 monotonic guided dynamic tasks depend mutex queue".split()
columns = "date what threads least_s median_s predicted_s predicted_most_s error_percent late_us load".split()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("threads", nargs="*", type=int, default=[2, 4, 8, 16, 32, 64, 128, 256])
    p.add_argument("--what", default=",".join(kinds))
    p.add_argument("--count", type=int, default=600)
    p.add_argument("--mean", type=float, default=0.01)
    p.add_argument("--repetitions", type=int, default=5)
    p.add_argument("--log")
    o = p.parse_args()
    now = lambda: datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    path = o.log or os.path.join(root, "bench/log", now()[:10] + "-sleep.tsv")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, open(path, "a") as log:
        s = schedules.Sleepers(folder, os.environ.get("BUILD", os.path.join(root, "build/default")), "22", o.count, o.mean)
        print(f"# Simulated times beside those of threads that sleep (bench/sleep.py), commit {commit}, {os.cpu_count()} processors, "
              f"{o.count} of mean {o.mean} s, {o.repetitions} repetitions", "\t".join(columns), sep="\n", file=log)
        for threads in o.threads:
            for what in o.what.split(","):
                late = s.overhead()
                times = sorted(s.measured(what, threads, o.repetitions))
                law = s.predicted(what, threads, late, replicas=200 if what == "dynamic" else 1)
                row = [now(), what, threads, f"{times[0]:.5f}", f"{statistics.median(times):.5f}", f"{law[0]:.5f}", f"{law[-1]:.5f}",
                       f"{100 * (statistics.median(law) / times[0] - 1):+.2f}", f"{1e6 * late:.0f}", f"{os.getloadavg()[0]:.1f}"]
                print(*row, sep="\t", file=log, flush=True)
                print(*row[1:], sep="\t", flush=True)


if __name__ == "__main__":
    sys.exit(main())
