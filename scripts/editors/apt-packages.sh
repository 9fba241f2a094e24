#!/usr/bin/env bash
# Installs the Debian packages that are named, where they are missing. Who is not root is told what to install.
set -euo pipefail

missing=()
for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "Please install, for instance with sudo apt-get install: ${missing[*]}" >&2
    exit 1
fi
apt-get update --quiet=2
DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" >/dev/null
