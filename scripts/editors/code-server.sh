#!/usr/bin/env bash
# Installs code-server, which is VS Code in a browser, into the folder $1. Nothing but the npm registry is asked.
#
# Its own installation fetches a ripgrep binary and ready-made addons from elsewhere: so npm runs no scripts here, the
# few addons that a headless run needs are compiled, and ripgrep is the system's.
set -euo pipefail

version=4.100.3 # the last line that runs on Node 20
destination=${1:?the folder to install into}
headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error

[ -d "$headers/include/node" ] || { echo "Node's headers are missing: $headers/include/node" >&2; exit 1; }

compile() {
    local gyp
    gyp="$(npm root --global)/npm/node_modules/node-gyp/bin/node-gyp.js"
    (cd "$1" && node "$gyp" rebuild --nodedir="$headers" --silent)
}

rm -rf "$destination"
mkdir -p "$destination"
cd "$destination"
echo '{"private": true}' >package.json
npm install --ignore-scripts --save-exact "code-server@$version"
npm_config_build_from_source=true npm_config_nodedir="$headers" npm rebuild argon2

cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --omit=dev
for addon in @vscode/spdlog native-watchdog node-pty; do
    compile "node_modules/$addon"
done
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar # where extensions that come with it look for modules
echo "$version" >"$destination/version"
