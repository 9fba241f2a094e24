#!/usr/bin/env bash
# Installs ts_lsp with what it needs into the folder $1, for every Python that it runs on: pure Python only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

destination=${1:?the folder to install into}
python=${PYTHON:-python3}
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT

pip() { "$python" -m pip --quiet --disable-pip-version-check "$@"; }

rm -rf "$destination"
pip wheel --no-deps --wheel-dir "$wheels" .
# `any` keeps compiled wheels out. pip decides by its own Python what is needed: the names are what Python 3.10 lacks.
pip install --target "$destination" --no-compile --python-version 3.10 --platform any --only-binary=:all: \
    "$wheels"/*.whl exceptiongroup tomli
rm -rf "$destination/bin"
