#!/bin/sh
# Starts systemd in a root folder, with processes, mounts, names, network and control groups of its own.
# Usage: container.sh <root> <cgroup>
set -eu
if [ "${3:-}" != inside ]; then
  mkdir "$2"
  echo $$ >"$2/cgroup.procs"
  exec unshare --mount --uts --ipc --net --pid --cgroup --fork --kill-child "$0" "$1" "$2" inside
fi

mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount --bind proc/sys proc/sys
# Of its own network only: engines of containers turn on forwarding.
mount --bind proc/sys/net proc/sys/net
mount -o remount,bind,ro proc/sys
if [ -e proc/sysrq-trigger ]; then mount --bind /dev/null proc/sysrq-trigger; fi
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
hostname debian
mkdir -p .outside
pivot_root . .outside
umount -l /.outside
# So that it cannot change the kernel or the clock of this machine.
exec setpriv --bounding-set=-sys_module,-sys_time,-sys_rawio,-syslog --inh-caps=-all \
  env -i container=millseal PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init
