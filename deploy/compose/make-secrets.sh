#!/bin/sh
# Makes what compose.yaml and compose.cluster.yaml read from ./secrets, once: nothing that is there is changed.
#   sh deploy/compose/make-secrets.sh [folder]
set -eu
folder="${1:-secrets}"
umask 077
mkdir -p "$folder"
# Containers read the files as their own users.
write() { [ -e "$folder/$1" ] || { printf '%s\n' "$2" >"$folder/$1" && chmod 644 "$folder/$1"; }; }
random() { od -An -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
value() { cat "$folder/$1"; }
write postgres-password "$(random 24)"
write postgres-service-password "$(random 24)"
write clickhouse-password "$(random 24)"
write cluster-key "$(random 32)"
write s3-access-key-id "$(random 10)"
write s3-secret-key "$(random 20)"
write postgres-owner-url "postgres://placard_owner:$(value postgres-password)@postgres:5432/placard"
write postgres-url "postgres://placard:$(value postgres-service-password)@postgres:5432/placard"
write clickhouse-url "http://placard:$(value clickhouse-password)@clickhouse:8123/placard"
write bucket-config "{\"identities\":[{\"name\":\"placard\",\"credentials\":[{\"accessKey\":\"$(value s3-access-key-id)\",\"secretKey\":\"$(value s3-secret-key)\"}],\"actions\":[\"Admin\",\"Read\",\"List\",\"Tagging\",\"Write\"]}]}"
echo "The secrets are in $folder. Keep a copy of $folder/cluster-key: without it, the secrets in PostgreSQL cannot be opened."
