#!/usr/bin/env bash
# Plays the programs of a machine that docs/operations/production.md uses, by the name that it is called by. Its folder is $MACHINE_DIR; the
# files of all machines are below $MACHINES. What is listed as "leave" needs a system of its own and changes nothing here.
set -euo pipefail
name="$(basename "$0")"
pg_dir="$MACHINE_DIR/postgres"

# Paths of the page below the folder of this machine.
own_paths() { sed -E "s#(^|[^A-Za-z0-9_./:-])/(etc|root|opt|var/lib|usr/local)/#\1$MACHINE_DIR/\2/#g" "$1"; }
# PostgreSQL does not run as root.
as_postgres() { if [ "$(id -u)" -eq 0 ]; then /usr/sbin/runuser -u postgres -- "$@"; else "$@"; fi; }
until_gone() { for _ in $(seq 600); do kill -0 "$1" 2>/dev/null || return 0; sleep 0.1; done; return 1; }

# postgres_in <bin> <version>: makes a server.
postgres_init() {
  mkdir -p "$pg_dir" "$MACHINE_DIR/etc/postgresql/$2"
  chmod 777 "$pg_dir"
  as_postgres "$1/initdb" -U postgres -A trust --auth-host=scram-sha-256 -D "$pg_dir/$2" >/dev/null
}
postgres_start() { # <bin> <version> <options>
  as_postgres "$1/pg_ctl" -w -D "$pg_dir/$2" -l "$pg_dir/$2.log" -o "-k $pg_dir $3" start >/dev/null
}
postgres_stop() { as_postgres "$1/pg_ctl" -w -m fast -D "$pg_dir/$2" stop >/dev/null; }
postgres_current() { read -r pg_bin pg_version <"$pg_dir/current"; }

install_package() {
  case "$1" in
    postgresql)
      postgres_init "$POSTGRES_OLD" old
      echo "$POSTGRES_OLD old" >"$pg_dir/current"
      postgres_start "$POSTGRES_OLD" old "-c listen_addresses=''"
      ;;
    redis-server)
      mkdir -p "$MACHINE_DIR/etc/redis" "$MACHINE_DIR/redis"
      printf 'daemonize yes\ndir %s\npidfile %s/redis.pid\nlogfile %s/redis.log\n' "$MACHINE_DIR/redis" "$MACHINE_DIR" "$MACHINE_DIR" >"$MACHINE_DIR/etc/redis/redis.conf"
      ;;
    # The certificate of a public authority, and the copy of the nodes' authority, which the page asks for.
    haproxy)
      mkdir -p "$MACHINE_DIR/etc/haproxy"
      cd "$MACHINE_DIR/etc/haproxy"
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=public \
        -addext 'subjectAltName=DNS:ads.example.com,DNS:d.example.com,IP:127.0.10.5' -keyout key.pem -out "$MACHINES/public.pem" 2>/dev/null
      cat "$MACHINES/public.pem" key.pem >placard.pem
      cp "$MACHINES/db/root/placard/ca.pem" nodes-ca.pem
      ;;
  esac
}

placard_start() {
  local units=("$MACHINE_DIR"/etc/systemd/system/placard.service "$MACHINE_DIR"/etc/systemd/system/placard.service.d/*.conf)
  local unit environment=() line command=""
  for unit in "${units[@]}"; do
    [ -f "$unit" ] || continue
    while IFS= read -r line; do
      case "$line" in
        Environment=*) read -ra line <<<"${line#*=}"; environment+=("${line[@]}") ;;
        ExecStart=?*) command="${line#*=}" ;;
      esac
    done < <(own_paths "$unit")
  done
  mkdir -p "$MACHINE_DIR/var/lib/placard"
  cd "$MACHINE_DIR/opt/placard"
  # shellcheck disable=SC2086
  env -i PATH=/usr/bin:/bin HOME="$MACHINE_DIR" NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-}" "${environment[@]}" PLACARD_WORKERS=1 \
    setsid $command >>"$MACHINE_DIR/placard.log" 2>&1 </dev/null &
  echo "$!" >"$MACHINE_DIR/placard.pid"
}
placard_stop() {
  local pid
  pid="$(cat "$MACHINE_DIR/placard.pid")"
  kill "$pid"
  until_gone "$pid"
}

service() { # <what> <name>
  case "$1 $2" in
    "start placard") placard_start ;;
    "restart placard") placard_stop && placard_start ;;
    "reload placard") kill -HUP "$(cat "$MACHINE_DIR/placard.pid")" ;;
    "restart postgresql")
      postgres_current
      postgres_stop "$pg_bin" "$pg_version"
      postgres_start "$pg_bin" "$pg_version" ""
      ;;
    "restart redis-server") redis-server "$MACHINE_DIR/etc/redis/redis.conf" ;;
    "restart haproxy") haproxy -D -f "$MACHINE_DIR/etc/haproxy/haproxy.cfg" -p "$MACHINE_DIR/haproxy.pid" ;;
    *) echo "no service for: $*" >&2; exit 1 ;;
  esac
}

# As pg_upgradecluster does by default: all rows of the stopped server go to a new one, which then gets its port and its settings.
upgrade_postgres() {
  postgres_current
  postgres_stop "$pg_bin" "$pg_version"
  postgres_start "$pg_bin" "$pg_version" "-p 5433 -c listen_addresses=''"
  postgres_init "$POSTGRES_NEW" new
  as_postgres cp "$pg_dir/old/pg_hba.conf" "$pg_dir/old/postgresql.auto.conf" "$pg_dir/new/"
  postgres_start "$POSTGRES_NEW" new "-p 5434 -c listen_addresses=''"
  pg_dumpall -h "$pg_dir" -p 5433 -U postgres | psql -q -h "$pg_dir" -p 5434 -U postgres -d postgres >/dev/null 2>"$pg_dir/upgrade.log"
  # The role of the administrator is there already.
  ! grep ERROR "$pg_dir/upgrade.log" | grep -v 'role "postgres" already exists'
  postgres_stop "$POSTGRES_OLD" old
  postgres_stop "$POSTGRES_NEW" new
  echo "$POSTGRES_NEW new" >"$pg_dir/current"
  postgres_start "$POSTGRES_NEW" new ""
}

case "$name" in
  apt-get) [ "$1" != install ] || for package in "$@"; do install_package "$package"; done ;;
  systemctl)
    case "$1 ${2:-}" in
      daemon-reload*) ;;
      "enable --now") service start "$3" ;;
      *) service "$1" "$2" ;;
    esac
    ;;
  runuser)
    user="$2"
    shift 3
    if [ "$user" = postgres ]; then PGHOST="$pg_dir" PGUSER=postgres exec "$@"; fi
    exec "$@"
    ;;
  scp)
    from=("${@:1:$#-1}")
    [[ "${!#}" =~ ^root@127\.0\.10\.1([0-9]):(.*)$ ]]
    to="$MACHINES/ads-${BASH_REMATCH[1]}${BASH_REMATCH[2]}"
    mkdir -p "$(dirname "$to")"
    cp -r "${from[-1]}" "$to"
    # The files name paths of the machine that they are for.
    find "$to" -name settings.env -exec sed -i "s#$MACHINE_DIR/#$MACHINES/ads-${BASH_REMATCH[1]}/#g" {} +
    ;;
  git)
    folder="${!#}"
    mkdir -p "$folder"
    ln -s "$PROGRAM"/* "$folder/"
    ;;
  install)
    mkdir -p "$(dirname "$4")"
    own_paths "$3" >"$4"
    chmod "$2" "$4"
    ;;
  curl)
    exec /usr/bin/curl --cacert "$MACHINES/public.pem" --connect-to ads.example.com:443:127.0.10.5:10443 \
      --connect-to d.example.com:443:127.0.10.5:10443 "$@"
    ;;
  pg_upgradecluster) upgrade_postgres ;;
  # leave
  npm | useradd | chown) ;;
  # The end of the run.
  stop-machines)
    kill_all() { for pid in "$MACHINES"/*/"$1".pid; do [ ! -f "$pid" ] || kill "$(cat "$pid")" 2>/dev/null || true; done; }
    kill_all placard
    for pid in "$MACHINES"/*/placard.pid; do [ ! -f "$pid" ] || until_gone "$(cat "$pid")" || kill -9 "$(cat "$pid")"; done
    kill_all haproxy
    kill_all redis
    pg_dir="$MACHINES/db/postgres"
    if [ -f "$pg_dir/current" ]; then
      postgres_current
      postgres_stop "$pg_bin" "$pg_version" || true
    fi
    ;;
  *) echo "nothing plays $name" >&2; exit 1 ;;
esac
