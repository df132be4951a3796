#!/bin/bash
# quincunx fmt: the models of the thesis as printed there and in the one layout, files changed in place
# or only named, and errors that point at their place.
. "$(dirname "$0")/common"

# ---- the machine repair model (section 6.2) ----
cat >mrm.pam <<'END'
numeric exponential(mu) = moments(mu,mu*mu,2,9) % appr exp distr
numeric parameter P % # clients
numeric parameter N % # iterations
numeric t1 = exponential(10) % exp (mu = 10)
numeric ts = exponential(0.1) % exp (mu = 0.1)
resource s = fcfs(0,1)
process main = par (p = 1, P) % fork P clients
  seq (i = 1, N) { % each loops N times
    delay(t1) ; % something local
    use(s,ts) % obtain service
  }
END
gives 0 "the machine repair model" fmt mrm.pam
same "is the example" "$(sed '1,/^$/d; s/tl/t1/g' "$root/examples/pamela/mrm.pam")" "$(cat out)"

# ---- parallel sorting (figure 6.1, without the brace that nothing opens) ----
cat >psrs.pam <<'END'
numeric parameter N                                % array length
numeric parameter P                                % # processors
numeric tf = moments(1,1,2,9)                       % computation time
numeric tm = moments(10,100,2,9)                    % communication time
numeric c1 = moments(5e-3, 2e+0, 4e+0, 2e+1)       % profiled for # runs
numeric c2 = moments(1e-2, 3e-2, 9e+0, 7e+1)       % profiled for # runs
numeric c3 = moments(4e-3, 5e+0, 2e+0, 6e+0)       % profiled for # runs
resource cpu(p) = fcfs(p,1)                         % the P CPUs
resource shmem = fcfs(P,P)                          % shared memory

process main = par (p=0, P-1) {                     % sort1:
    sort(p*N/P, (p+1)*N/P-1, p, c1) ;               % sort subarray
    seq (i=0, P-1)                                  % collect samples
        move(p)
    } ;
    sort(0, P*P-1, 0, c2) ;                          % sort samples
    seq (i=0, P-2) {                                 % choose pivots
        move(0)
    } ;
    par (p=0, P-1) {                                  % disjoin:
        seq (i=0, P-1) {
            seq (j=0, (N-N/P)/(P*P)-1) {
                flop(p) ;
                move(p)
            }
        }
    } ;
    par (p=0, P-1) {                                  % sort2:
        seq (i=0, P-1) {                              % collect subarray
            seq (j=0, (N-N/P)/(P*P)-1)
                move(p)
        } ;
        sort(p*N/P, (p+1)*N/P-1, p, c3)             % sort subarray
    }

process sort(lb,ub,p,c) = seq (i=lb+1, ub) {         % sort
    seq (j=lb, i-1) {
        if (c)
            flop(p)
    } ;
    move(p)                                           % swap
}

process flop(p) = use(cpu(p),tf)                     % computation
process move(p) = use(shmem,tm)                      % memory communication
END
gives 0 "parallel sorting" fmt psrs.pam
same "is the example" "$(sed '1,/^$/d' "$root/examples/pamela/psrs.pam")" "$(cat out)"
cp out laid.pam
gives 0 "its output again" fmt laid.pam
same "stays" "$(cat laid.pam)" "$(cat out)"
for example in "$root"/examples/pamela/*.pam; do
  gives 0 "--check $(basename "$example")" fmt --check "$example"
  same "says nothing" "" "$(cat out err)"
done

# ---- files ----
cp mrm.pam before.pam
gives 1 "--check" fmt --check laid.pam mrm.pam psrs.pam
same "names the files that would change" $'mrm.pam\npsrs.pam' "$(cat out)"
same "and changes none" "$(cat before.pam)" "$(cat mrm.pam)"
chmod 640 mrm.pam
ln -s mrm.pam link.pam
gives 0 "-i" fmt -i link.pam laid.pam
same "prints nothing" "" "$(cat out err)"
same "changes the file" "$("$quincunx" fmt before.pam)" "$(cat mrm.pam)"
same "keeps its permissions" 640 "$(stat -c %a mrm.pam)"
same "and the link to it" mrm.pam "$(readlink link.pam)"
same "leaves nothing beside it" "before.pam laid.pam link.pam mrm.pam psrs.pam" "$(echo *.pam*)"
gives 0 "--check of what was changed" fmt --check mrm.pam
gives 0 "two files" fmt mrm.pam laid.pam
same "one after the other" "$(cat mrm.pam laid.pam)" "$(cat out)"

# ---- includes ----
mkdir -p parts
printf 'numeric   t = 1\n' >parts/times.pam
printf 'include "parts/times.pam"   %% times\nprocess main=delay( t )\n' >main.pam
gives 0 "includes" fmt main.pam
same "stay includes" $'include "parts/times.pam"  % times\nprocess main = delay(t)' "$(cat out)"

# ---- errors ----
printf 'numeric a = 1\nprocess p = delay(1) ;; delay(2)\n' >wrong.pam
gives 1 "a model that is none" fmt -i wrong.pam mrm.pam
same "points at the place" "quincunx: wrong.pam:2:23: error: expected an expression, not ';'
  process p = delay(1) ;; delay(2)
                        ^" "$(cat err)"
same "and stays" $'numeric a = 1\nprocess p = delay(1) ;; delay(2)' "$(cat wrong.pam)"
printf 'numeric t = (1\n' >parts/times.pam
gives 1 "an error in what is included" fmt main.pam
has "names that file" '^quincunx: parts/times.pam:2:1: error: ' err
gives 1 "a file that is not there" fmt nowhere.pam
has "says so" '^quincunx: nowhere.pam: error: cannot open it$' err
gives 1 "a folder" fmt parts
gives 2 "no file" fmt
gives 2 "-i and --check" fmt -i --check mrm.pam
finish
