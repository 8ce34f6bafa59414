#!/bin/sh
# compose.postgres.yaml mounts it in the primary, whose image runs it once, when it has made the database: from the next
# start on, every commit waits for the standby. As an argument of `postgres` the setting would block the image's own commits.
set -eu
echo "host replication petstore all scram-sha-256" >>"$PGDATA/pg_hba.conf"
cat >>"$PGDATA/postgresql.conf" <<'END'
synchronous_standby_names = 'FIRST 1 (standby)'
wal_sender_timeout = 10s
END
