#!/bin/bash
# The runtime needs libc and nothing else: its undefined symbols against a list, and its visible ones too. A new name here
# is a new thing that can fail in a user's program, so it is added by hand. It runs nothing.
. "$(dirname "$0")/../judges/common.sh"
lib=$BUILD/lib/quincunx/libquincunx_rt.a
cat >allowed <<'LIST'
__errno_location
__interceptor_pthread_create
__pthread_create
__quincunx_strands
__tsan_acquire
__tsan_release
__start___qx_cnts
__start___qx_map
__start___qx_state
__stop___qx_cnts
__stop___qx_map
__stop___qx_state
_GLOBAL_OFFSET_TABLE_
clone
dl_iterate_phdr
dlsym
dlvsym
environ
getauxval
mmap
mq_notify
munmap
pthread_atfork
pthread_getspecific
pthread_key_create
pthread_key_delete
pthread_mutex_lock
pthread_mutex_trylock
pthread_mutex_unlock
pthread_self
pthread_setcancelstate
pthread_setspecific
pthread_sigmask
strerrordesc_np
syscall
LIST
sed -n 's/^  X(\([a-z_]*\), .*/__interceptor_\1/p' "$root/include/quincunx/abi/strands.h" >>allowed # weak: of a sanitizer, where there is one
nm "$lib" | awk '$1 == "U" || $1 == "w" { print $2 }' | sort -u >needed
nm "$lib" | awk 'NF == 3 && $2 ~ /[TDBRV]/ { print $3 }' | sort -u >own
comm -23 needed own | comm -23 - <(sort allowed) >strange
check "undefined symbols are libc's" test ! -s strange
[ ! -s strange ] || sed 's/^/     | /' strange
readelf -sW "$lib" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' | sort -u >visible
printf '%s\n' __quincunx_clock __quincunx_jump __quincunx_registry __quincunx_strands_site pthread_create thrd_create >expected
check "visible symbols: the clock, what jumps hand over, the registry, the site of strands and the two hooks" cmp expected visible
finish
