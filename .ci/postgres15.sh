#!/bin/sh
# Runs a command against the oldest PostgreSQL that is supported, Debian's 15, in an awkward time zone:
#
#     .ci/postgres15.sh node_modules/.bin/vitest run test/storage
#
# The server is a new one on a free port of the loopback interface. The command finds its address in
# MPI_TEST_DATABASE_URL, and in MPI_TEST_SERVICE_ROLE a role of the same password that owns nothing; without a command the
# address is printed and the server runs until the input ends.
set -eu

bin=/usr/lib/postgresql/15/bin

if [ ! -x "$bin/postgres" ]; then
  apt-get install -y --no-install-recommends postgresql-15 >&2 || { apt-get update >&2 && apt-get install -y --no-install-recommends postgresql-15 >&2; }
fi

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi
}

folder=$(mktemp -d)
chmod 755 "$folder"
mkdir "$folder/server"
if [ "$(id -u)" = 0 ]; then chown postgres "$folder/server"; fi
data=$folder/server/data
password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')

clean_up() {
  as_server "$bin/pg_ctl" stop -D "$data" -m immediate -s || true
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

cd "$folder"
as_server "$bin/initdb" -D "$data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$folder/initdb.log"

# Another process may take a port between a look and a start, so the start itself is the look.
attempt=0
until
  port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000))
  as_server "$bin/pg_ctl" start -D "$data" -w -s -l "$folder/server/log" -o "-p $port -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories=$folder/server -c timezone=Europe/Tallinn -c max_connections=200 -c fsync=off"
do
  attempt=$((attempt + 1))
  if [ "$attempt" = 5 ]; then cat "$folder/server/log" >&2; exit 1; fi
done

as_server "$bin/psql" -q -h "$folder/server" -p "$port" -U postgres -v ON_ERROR_STOP=1 >&2 <<SQL
CREATE ROLE mpi LOGIN CREATEDB PASSWORD '$password';
CREATE DATABASE mpi OWNER mpi;
CREATE ROLE mpi_service LOGIN PASSWORD '$password';
SQL
printf 'host all mpi,mpi_service 127.0.0.1/32 scram-sha-256\n' | as_server tee "$data/pg_hba.conf" >/dev/null
as_server "$bin/pg_ctl" reload -D "$data" -s

export MPI_TEST_SERVICE_ROLE=mpi_service
export MPI_TEST_DATABASE_URL="postgresql://mpi:$password@127.0.0.1:$port/mpi"
cd - >/dev/null
if [ "$#" = 0 ]; then
  echo "$MPI_TEST_DATABASE_URL"
  cat >/dev/null
else
  "$@"
fi
