# SPDX-License-Identifier: MIT
# For the scripts beside it, which source this file: makes a root with Python 3 and nothing else in $root, by debootstrap, from
# the package mirror of this machine's apt. $suite: empty for that of this machine. WORKBOOK_BARE_ROOT names a folder for the
# root, which then stays. type_command FOLDER WORDS... types a command in it. Exit status 77: something is missing.

missing() {
  echo "$(basename "$0"): skipped, because $1"
  exit 77
}
[ "$(id -u)" -eq 0 ] || missing "it needs root"
command -v debootstrap >/dev/null || missing "it needs debootstrap"
suite=${suite:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
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

# A namespace of its own: nothing stays mounted. /dev has no terminals.
type_command() {
  local folder=$1
  shift
  echo "== $*"
  unshare --mount --fork sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" env -i "$@"' "$root" "${settings[@]}" \
    sh -c 'cd "$0" && exec "$@" </dev/null' "$folder" "$@"
}
