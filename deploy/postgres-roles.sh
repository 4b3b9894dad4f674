#!/bin/sh
# Runs once, when the volume of PostgreSQL is empty: the service's role, which owns nothing. The image makes the owner itself.
set -eu
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  -v password="$(cat /run/secrets/postgres-service-password)" <<'SQL'
CREATE ROLE placard LOGIN PASSWORD :'password';
SQL
