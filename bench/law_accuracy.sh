#!/bin/sh
# Writes the table of law_accuracy, dated, into bench/log. Usage: bench/law_accuracy.sh BUILD_FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out="$root/bench/log/$(date -u +%F)-laws-accuracy.tsv"
{
  echo "# commit $(git -C "$root" rev-parse --short HEAD)"
  "$1/bench/law_accuracy"
} > "$out"
echo "$out"
