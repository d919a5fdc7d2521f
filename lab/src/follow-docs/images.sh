#!/bin/sh
# Makes the images that the compose files and the Containerfile name from packages of Debian, and versitygw from its sources, for
# machines that reach no registry of images. They keep what ours rely on: paths, environment, ports, users and the scripts with
# which they start.
# Usage: images.sh <docker or podman> <folder with node and npm in node_modules>
set -eu
engine=$1 runtime=$2
# Not /tmp, which allows no devices.
work=$(mktemp -d -p /var/tmp)

# root <name> <release> [<packages>]: a Debian with these packages.
root() {
  debootstrap --variant=minbase ${3:+"--include=$3"} "$2" "$work/$1" >"$work/$1.log" || { tail "$work/$1.log"; exit 1; }
  (cd "$work/$1" && rm -rf var/cache/apt/archives var/lib/apt/lists usr/share/doc usr/share/man usr/share/locale)
}
# image <root> <name> [<instruction>…]
image() {
  from=$work/$1 name=docker.io/$2
  shift 2
  for instruction; do set -- "$@" --change "$instruction"; shift; done
  tar -C "$from" -c . | "$engine" import "$@" - "$name" >/dev/null
  echo "made a stand-in for $name"
}

root debian trixie
image debian library/debian:trixie-slim 'CMD ["bash"]'
cp -r "$runtime/node_modules/npm" "$work/debian/usr/local/lib/npm"
cp "$runtime"/node_modules/node-linux-*/bin/node "$work/debian/usr/local/bin/node"
ln -s ../lib/npm/bin/npm-cli.js "$work/debian/usr/local/bin/npm"
# What this machine trusts, to reach the registry of npm.
mkdir -p "$work/debian/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$work/debian/etc/ssl/certs/"
if [ -f /root/.npmrc ]; then cp /root/.npmrc "$work/debian/root/.npmrc"; fi
image debian library/node:24-trixie-slim 'CMD ["node"]'

root database forky postgresql-18
cat >"$work/database/usr/local/bin/docker-entrypoint.sh" <<'END'
#!/bin/sh
set -eu
if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres /var/run/postgresql
  chown -R postgres:postgres /var/lib/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 "$PGDATA"
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -w start -o "-c listen_addresses=''"
  createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -m fast -w stop
fi
exec "$@" -c listen_addresses='*'
END
chmod 755 "$work/database/usr/local/bin/docker-entrypoint.sh"
image database library/postgres:18 'ENV PATH=/usr/local/bin:/usr/lib/postgresql/18/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
  'ENV LANG=C.UTF-8' 'ENV PGDATA=/var/lib/postgresql/18/docker' 'VOLUME /var/lib/postgresql' 'EXPOSE 5432' 'STOPSIGNAL SIGINT' \
  'ENTRYPOINT ["docker-entrypoint.sh"]' 'CMD ["postgres"]'

root broker bookworm rabbitmq-server
cat >"$work/broker/usr/local/bin/docker-entrypoint.sh" <<'END'
#!/bin/sh
set -eu
chown -R rabbitmq /var/lib/rabbitmq
exec setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups "$@"
END
chmod 755 "$work/broker/usr/local/bin/docker-entrypoint.sh"
image broker library/rabbitmq:3.10 'ENV HOME=/var/lib/rabbitmq' 'ENV RABBITMQ_LOGS=-' 'VOLUME /var/lib/rabbitmq' \
  'ENV PATH=/usr/local/bin:/usr/lib/rabbitmq/bin:/usr/sbin:/usr/bin:/sbin:/bin' 'ENTRYPOINT ["docker-entrypoint.sh"]' 'CMD ["rabbitmq-server"]'

root proxy forky nginx,curl
rm "$work/proxy/etc/nginx/sites-enabled/default"
image proxy library/nginx:1.28 'EXPOSE 80' 'STOPSIGNAL SIGQUIT' 'CMD ["nginx", "-g", "daemon off;"]'

root compiler forky golang-go,ca-certificates
cp /etc/ssl/certs/ca-certificates.crt "$work/compiler/etc/ssl/certs/"
# Without /proc, it does not find itself.
chroot "$work/compiler" env HOME=/root GOROOT=/usr/lib/go GOBIN=/built GOTOOLCHAIN=local GOTELEMETRY=off CGO_ENABLED=0 \
  go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
root store trixie busybox
cp "$work/compiler/built/versitygw" "$work/store/usr/local/bin/"
# As in Alpine, of which the image is made.
ln -s busybox "$work/store/usr/bin/wget"
image store versity/versitygw:v1.8.0 'ENTRYPOINT ["/usr/local/bin/versitygw"]'

rm -rf --one-file-system "$work"
