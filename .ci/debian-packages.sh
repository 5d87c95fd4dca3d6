#!/usr/bin/env bash
# Installs what tests use beside npm's packages. Elsewhere than on Debian as root the tests that need it are left out.
set -euo pipefail

PACKAGES=(postgresql-15 python3-grpcio python3-protobuf protobuf-compiler protobuf-compiler-grpc openssl softhsm2)

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "not Debian as root: nothing installed"
  exit 0
fi
missing=()
for package in "${PACKAGES[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} = 0 ] && exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
# Debian would start a cluster of its own; ours are temporary.
mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
