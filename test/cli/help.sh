#!/bin/bash
# Every --help names its verb in its examples, holds no marks of the option parser, and agrees with the
# manual page, which knows every option.
. "$(dirname "$0")/common"

sed 's/\\-/-/g; s/\\f[BIR]//g; s/"//g' "$root/docs/quincunx.1" >man.txt
for verb in run profile flags doctor completion report annotate explain compare critical scale replay export lsp model validate whatif check eval simulate corpus "corpus add" "corpus ls" "corpus show" "corpus log" "corpus dump" "corpus merge" "corpus scrub" "corpus rm" \
  calibrate law "law fit" "law join" "law skeleton" "law batch" fmt; do
  # shellcheck disable=SC2086
  gives 0 "quincunx $verb --help" $verb --help
  n=$(sed -n '/^Examples\{0,1\}:/,$p' out | grep -cE "quincunx $verb( |$)" || true)
  if [ "$n" -ge 2 ]; then ok "has examples of its own"; else bad "has examples of its own ($n)"; fi
  lacks "has no marks of the option parser" 'OR \{|->|:INT|:UINT|:POSITIVE|:FLOAT|:\{| in \[' out
  missing=
  for option in $(grep -oE '^ +(-[a-z],)?--[a-z-]+' out | grep -oE -- '--[a-z-]+'); do
    [ "$option" = --help ] || grep -q -- "$option" man.txt || missing="$missing $option"
  done
  same "the manual knows its options" "" "$missing"
  same "the manual knows the verb" 1 "$(($(grep -c -- "${verb##* }" man.txt) > 0))"
  # an option in the examples that the verb does not have would mislead
  unknown=
  while read -r words; do
    for option in $(printf '%s\n' "$words" | sed 's/ -- .*//; s/[|].*//' | grep -oE -- ' --[a-z-]+'); do
      # the options of the verb in the example, which may be one below
      below=$(printf '%s\n' "$words" | sed -E "s/.*quincunx $verb ?//; s/^([a-z]*).*/\1/")
      # shellcheck disable=SC2086
      { "$quincunx" $verb $below --help 2>/dev/null || cat out; } >.help
      grep -qE "^ +(-[a-z],)?$option( |,|$)" .help || unknown="$unknown $option"
    done
  done < <(sed -n '/^Examples\{0,1\}:/,$p' out | grep -E "^  .*quincunx $verb")
  same "its examples use options it has" "" "$unknown"
done
gives 0 "--help" --help
has "tells how to build" 'clang-22 \$\(quincunx flags\)' out
for verb in run profile flags doctor completion report annotate explain compare critical scale replay export lsp model validate whatif check eval simulate corpus calibrate law fmt; do has "lists $verb" "^ +$verb " out; done
gives 0 "--version" --version
has "is one line with a number" '^quincunx [0-9]+\.[0-9]+\.[0-9]+$' out
gives 2 "no verb"
gives 2 "an unknown verb" paint
same "is one line" "quincunx: error: there is no 'quincunx paint' (see quincunx --help)" "$(cat err)"
gives 2 "a misspelt verb" repotr x.qx
same "is told which may be meant" "quincunx: error: there is no 'quincunx repotr'; did you mean report? (see quincunx --help)" "$(cat err)"
gives 2 "a misspelt verb of a verb" corpus mrege a.qx b.qx
same "as well" "quincunx: error: there is no 'quincunx corpus mrege'; did you mean merge? (see quincunx corpus --help)" "$(cat err)"
gives 2 "a misspelt option" report --tpo 3 x.qx
has "too" '^quincunx: error: .*--tpo.*; did you mean --top\? \(see quincunx report --help\)$' err
gives 2 "what is missing" report
same "is told of the verb" "quincunx: error: corpus is required (see quincunx report --help)" "$(cat err)"
if command -v man >/dev/null; then check "the manual can be read, without warnings" sh -c "! LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l '$root/docs/quincunx.1' 2>&1 >/dev/null | grep ."; else skip "man is not here"; fi
finish
