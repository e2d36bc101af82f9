#!/bin/sh
# What the tests of -Pfaults want from the system, on Debian 12 or later, as root. Tests whose tools
# are missing are skipped. Nothing of it is left running: tests start what they need by themselves.
set -eu

# Without this the packages would start a PostgreSQL, an etcd and a pgbouncer of their own.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  printf '#!/bin/sh\nexit 101\n' > $policy
  chmod +x $policy
  trap 'rm -f $policy' EXIT
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends \
  patroni etcd-server python3-etcd postgresql pgbouncer gcc libc6-dev

if [ -d /run/systemd/system ]; then
  systemctl disable patroni etcd pgbouncer postgresql
fi
