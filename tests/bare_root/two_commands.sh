#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Types the two commands of README.md in a root that has Python 3 and nothing else, without a terminal. debootstrap makes
# the root from the package mirror of this machine's apt. Needs root, debootstrap and a network.
#
#   tests/bare_root/two_commands.sh                  the suite of this machine
#   tests/bare_root/two_commands.sh bookworm -L contract    another suite; what follows goes to `scripts/workbook test`
#
# WORKBOOK_BARE_ROOT names a folder for the root, which then stays. Exit status 77: something that it needs is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

suite=${1:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
shift || true

missing() {
  echo "two_commands.sh: $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || missing "needs root"
command -v debootstrap >/dev/null || missing "needs debootstrap"
# The mirror and the components of this suite, as in "http://mirror/debian/ bookworm main".
targets=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages')
mirror=$(awk -v suite="$suite" '$2 == suite { print $1; exit }' <<<"$targets")
[ -n "$mirror" ] || missing "apt of this machine has no mirror of '$suite'"
components=$(awk -v suite="$suite" '$2 == suite { print $3 }' <<<"$targets" | sort -u | paste -sd,)

root=${WORKBOOK_BARE_ROOT:-$(mktemp -d)}
if [ -z "${WORKBOOK_BARE_ROOT:-}" ]; then trap 'rm -rf --one-file-system "$root"' EXIT; fi

echo "== debootstrap $suite"
[ -e "$root/usr/bin/python3" ] || debootstrap --variant=minbase --include=python3 --components="$components" "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
  { tail -n 5 "$root.log" && missing "debootstrap has failed: $root.log"; }

# The network is that of this machine: its proxies, and the certificates that pip trusts here.
settings=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8)
while IFS= read -r line; do settings+=("$line"); done < <(env | grep -iE '^(PIP_(INDEX_URL|DEFAULT_TIMEOUT)|https?_proxy|no_proxy)=' || true)
trusted=${PIP_CERT:-${SSL_CERT_FILE:-}}
if [ -n "$trusted" ]; then  # a copy, because the packages of certificates write the file anew
  install -m 644 "$trusted" "$root/etc/trusted.pem"
  settings+=(PIP_CERT=/etc/trusted.pem SSL_CERT_FILE=/etc/trusted.pem)
fi

mkdir -p "$root/workbook"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from - | tar --extract --directory "$root/workbook"

# A namespace of its own: nothing stays mounted. /dev has no terminals.
type_command() {
  echo "== $*"
  unshare --mount --fork sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" env -i "$@"' "$root" "${settings[@]}" \
    sh -c 'cd /workbook && exec "$@" </dev/null' sh "$@"
}
time type_command scripts/workbook run
time type_command scripts/workbook test "$@"
echo "== both commands have passed"
