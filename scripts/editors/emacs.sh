#!/usr/bin/env bash
# Installs an Emacs whose eglot shows inlay hints (29 or newer), where there is none. An older Debian has one among its
# backports: those are asked from where the system's packages come, and the system's own list of sources stays as it is.
set -euo pipefail

needed=29
version=$(command -v emacs >/dev/null && emacs -Q --batch --eval '(princ emacs-major-version)' || echo 0)
[ "$version" -ge $needed ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
    echo "Please install Emacs $needed or newer." >&2
    exit 1
fi

apt-get update --quiet=2
offered=$(apt-cache policy emacs-nox | sed -n 's/^ *Candidate: \([0-9]*:\)\{0,1\}\([0-9]*\)\..*/\2/p')
asking=() choosing=()
if [ "${offered:-0}" -lt $needed ]; then
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    chmod 755 "$folder"
    mkdir -p "$folder/sources" "$folder/lists/partial"
    find /etc/apt/sources.list.d -maxdepth 1 -type f -exec cp {} "$folder/sources/" \;
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    apt-get indextargets --format "deb [signed-by=$keys] \$(REPO_URI) $release-backports main" \
        "Identifier: Packages" "Codename: $release" | sort -u | head -1 >"$folder/sources/backports.list"
    asking=(-o "Dir::Etc::sourceparts=$folder/sources" -o "Dir::State::lists=$folder/lists" -o "APT::Sandbox::User=root")
    choosing=(--target-release "$release-backports")
    apt-get "${asking[@]}" update --quiet=2
fi
DEBIAN_FRONTEND=noninteractive apt-get "${asking[@]}" install --quiet=2 --yes --no-install-recommends \
    "${choosing[@]}" emacs-nox >/dev/null
