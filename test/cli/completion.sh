#!/bin/bash
# Scripts that complete command lines: they know all verbs and options that --help has, and the words that options take.
. "$(dirname "$0")/common"

for shell in bash zsh fish; do
  gives 0 "completion $shell" completion $shell
  cp out quincunx.$shell
  if command -v $shell >/dev/null; then check "$shell can read it" $shell -n quincunx.$shell; else skip "$shell is not here"; fi
done
gives 2 "a shell that nobody knows" completion tcsh
same "is one line" 1 "$(grep -c '^quincunx: error: ' err)"

# completed WORDS...: what bash offers for the last of them, in one line
completed() {
  bash -c '. ./quincunx.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quincunx; printf "%s\n" "${COMPREPLY[@]}"' quincunx-test quincunx "$@" | xargs
}
same "verbs" "report" "$(completed repo)"
same "verbs below verbs" "show salvage scrub" "$(completed corpus s)"
same "options" "--sort" "$(completed report --so)"
same "words of an option" "share sd" "$(completed report --sort s)"
same "behind a =" "share sd" "$(completed report --sort = s)"
same "words of an argument" "zsh" "$(completed completion z)"
same "files, which the shell knows, for other options" "" "$(completed run -o r)"
same "nothing of ours in the command of the user" "" "$(completed run -o x.qx -- --re)"
same "an argument is no verb" "--run" "$(completed corpus rm run --r)"

# All that --help says. Names below a verb are its own.
verbs() { # PATH...: all verbs, one a line
  "$quincunx" "$@" --help | sed -n '/^Subcommands:/,/^$/p' | sed -nE 's/^  ([a-z]+) .*/\1/p' | while read -r name; do
    echo "$* $name"
    verbs "$@" "$name"
  done
}
missing= known=0
while read -r verb; do
  # shellcheck disable=SC2086
  offered=" $(completed $verb -) "
  # shellcheck disable=SC2086
  for option in $("$quincunx" $verb --help | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--?[a-z-]+'); do
    known=$((known + 1))
    case "$offered" in *" $option "*) ;; *) missing="$missing $verb:$option" ;; esac
  done
done < <(verbs)
same "bash knows every option of every verb" "" "$missing"
same "and there are many" True "$(python3 -c "print($known > 150)")"

if command -v fish >/dev/null; then
  offers() { fish --no-config -c 'source quincunx.fish; complete -C $argv[1]' "$1" | cut -f1 | xargs; }
  same "fish: verbs" "report" "$(offers 'quincunx repo')"
  same "fish: options" "--sort" "$(offers 'quincunx report --so')"
  same "fish: words of an option" "sd share" "$(offers 'quincunx report --sort s')"
  same "fish: verbs below verbs" "salvage scrub show" "$(offers 'quincunx corpus s')"
else
  skip "fish is not here"
fi
if command -v zsh >/dev/null; then
  # What zsh offers, by its own words: compadd is asked in place of a terminal.
  cat >ask.zsh <<'ASK'
autoload -Uz compinit && compinit -u -D -d $PWD/.zcompdump
source ./quincunx.zsh
compadd() {
  [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "$@"; return }
  local -a found
  builtin compadd -A found "$@"
  print -r -- "OFFER ${(j: :)found}" >>offers
  builtin compadd "$@"
}
ASK
  cat >drive.zsh <<'DRIVE'
zmodload zsh/zpty
zpty -b z "zsh -f -i"
zpty -w z "source ./ask.zsh; bindkey '^I' complete-word; PS1=; print READY"
until zpty -r z line && [[ $line == *READY* ]]; do :; done
rm -f offers
# What is typed before the line editor is there may be lost: again then, with the line emptied.
for i in {1..10}; do
  zpty -w -n z $'\x15'"$1"$'\t'
  for j in {1..20}; do sleep 0.1; [[ -s offers ]] && break 2; done
done
sleep 0.3
zpty -d z
sed 's/^OFFER //' offers 2>/dev/null
DRIVE
  offers() { timeout 60 zsh -f drive.zsh "$1" | tr ' ' '\n' | grep . | sort -u | xargs; }
  same "zsh: words of an option" "sd share" "$(offers 'quincunx report --sort s')"
  same "zsh: verbs" "report" "$(offers 'quincunx repo')"
else
  skip "zsh is not here"
fi
finish
