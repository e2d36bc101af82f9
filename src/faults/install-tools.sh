#!/bin/sh
# Installs the tools that the tests of -Pfaults need, on Debian 12 or later, as root. Tests whose
# tools are missing are skipped. No service is left running, because the tests start the services
# that they need.
set -eu

# Prevents the packages from starting their own PostgreSQL, etcd and pgbouncer.
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
