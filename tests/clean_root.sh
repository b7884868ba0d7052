#!/usr/bin/env bash
# The README's two commands in a root that has nothing: a minimal Debian made by debootstrap, entered with chroot in mount
# and process namespaces of its own. Needs root, debootstrap and the Debian archive.
#   tests/clean_root.sh [DIR]        DIR: where the root is made (default: a temporary folder, removed at the end)
#   tests/clean_root.sh --fetch DIR  only makes the minimal Debian there, which the former then takes: it can be fetched while
#                                    something else computes
# The logs and counts of the tests inside are copied to the folder $TENKEN_RESULTS, where it is set.
set -euo pipefail

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suite=bookworm
mirror=http://deb.debian.org/debian

if [ "$(id -u)" != 0 ]; then
  echo "clean_root.sh needs root for debootstrap and chroot; run it as root or leave this test out" >&2
  exit 3
fi

fetch_only=
if [ "${1:-}" = --fetch ]; then
  fetch_only=yes
  shift
  : "${1:?--fetch needs the folder of the root}"
fi
root=${1:-$(mktemp -d "${TMPDIR:-/tmp}/tenken-clean-root.XXXXXX")}
mkdir -p "$root"
chmod 755 "$root"  # as / is: others than root work in it too
# One file system in the namespace only: --mount makes every mount below vanish with the last process.
remove=
[ -n "${1:-}" ] || remove=yes
# shellcheck disable=SC2317  # called by the trap
cleanup() {
  local logs=$root/tenken/build/test
  if [ -n "${TENKEN_RESULTS:-}" ] && [ -d "$logs" ]; then cp -r "$logs/." "$TENKEN_RESULTS"; fi
  [ -z "$remove" ] || rm -rf --one-file-system "$root"
}
trap cleanup EXIT

step() { printf '%s  %s\n' "$(date +%T)" "$1" >&2; }

if [ ! -e "$root/fetched" ]; then
  step "debootstrap $suite (minimal, ca-certificates, git)"
  debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 20 "$root.log" >&2
    exit 1
  }
  rm -f "$root.log"
  touch "$root/fetched"
fi
[ -z "$fetch_only" ] || exit 0

# What a site adds to a fresh machine: its certificates and how it reaches the archive.
cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp -r /etc/apt/auth.conf.d/. "$root/etc/apt/auth.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
# A build machine may keep downloaded packages away from apt's cache; a fresh machine does not.
rm -f "$root"/etc/apt/apt.conf.d/docker-*

step "copy the tree"
mkdir -p "$root/tenken"
# shellcheck disable=SC2016  # $1 is the inner shell's
(cd "$tree" && git ls-files -z --cached --others --exclude-standard | xargs -0 -I{} sh -c 'test -e "$1" && printf "%s\0" "$1"' _ {} |
  tar --null --files-from=- -cf -) | tar -xf - -C "$root/tenken"

cat >"$root/inside.sh" <<'INSIDE'
#!/bin/bash
set -uo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
mount -t proc proc /proc && mount -t sysfs -o ro sysfs /sys && mount -t tmpfs -o mode=1777 tmpfs /dev/shm
update-ca-certificates >/dev/null 2>&1
cd /tenken
failed=0
check() { if "${@:2}"; then echo "clean root: $1: passed"; else echo "clean root: $1: FAILED"; failed=1; fi; }

refused() { ./tenken run </dev/null >/tmp/refused 2>&1; [ $? = 3 ] && grep -q 'apt-get install' /tmp/refused && ! command -v cmake >/dev/null; }
check "without --yes nothing is installed and the command is named" refused

./tenken run --yes
run=$?
echo "clean root: ./tenken run --yes ended with exit code $run"
# A shared machine may end NOT JUDGED (3): what counts is a verdict and a page, and that nothing was wrong (2).
check "run ends with a verdict that is not bad" test "$run" -ne 2
check "run leaves an HTML page" sh -c 'ls runs/*/report.html >/dev/null'
check "run leaves results" sh -c 'ls runs/*/results.json >/dev/null'
second() { timeout 5 ./tenken list checks | grep -q lqcd; }
check "a second start is instant" second
check "all tests pass" ./tenken test --yes
exit $failed
INSIDE
chmod +x "$root/inside.sh"

step "run and test inside"
# shellcheck disable=SC2317  # called inside, see below
mount_dev() {
  for node in null zero full random urandom tty; do
    [ -e "$root/dev/$node" ] || { touch "$root/dev/$node" && mount --bind "/dev/$node" "$root/dev/$node"; }
  done
  mkdir -p "$root/dev/shm"
}
export root
export -f mount_dev
# shellcheck disable=SC2016  # $root is the inner shell's
env -i PATH="$PATH" root="$root" "BASH_FUNC_mount_dev%%=$(declare -f mount_dev | tail -n +2 | sed '1s/^/() /')" \
  unshare --mount --pid --fork --kill-child bash -c 'mount_dev; exec chroot "$root" /inside.sh' &
inside=$!
# unshare ignores SIGTERM and SIGINT; --kill-child ends all that runs inside with it.
trap 'kill -KILL "$inside"; exit 143' TERM INT
wait "$inside"
