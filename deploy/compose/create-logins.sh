#!/bin/sh
# Run once by the PostgreSQL image. The owner cannot become a superuser; the programs get their grants from "ops migrate --grant".
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$GOVERNANCE_OWNER_PASSWORD" --set programs_password="$GOVERNANCE_PROGRAMS_PASSWORD" <<'SQL'
create role governance login createrole password :'owner_password';
create role governance_programs login password :'programs_password';
alter database governance owner to governance;
SQL
