#!/bin/sh
# Installs the package of `make deb` in a fresh Debian 12 in a folder, runs the demo there with what
# was installed, and builds the example in C++ against it. Needs root and the network.
#   usage: package_test.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
tools=$(cd "$(dirname "$0")" && pwd)
package=$(ls -t "$build"/lemmata_*.deb | head -n 1)
root=$(mktemp -d -t lemmata-debian-XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT
trap 'exit 1' INT TERM HUP

debootstrap --variant=minbase bookworm "$root" > "$build/debootstrap.log" ||
  { tail "$build/debootstrap.log"; exit 1; }
cp /etc/resolv.conf "$root/etc/"
cp "$package" "$root/tmp/lemmata.deb"
cp "$tools/demo.py" "$root/tmp/"
cat > "$root/tmp/test.sh" << 'END'
set -eu
export DEBIAN_FRONTEND=noninteractive
quietly() { "$@" > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }; }
quietly apt-get update
quietly apt-get install -y /tmp/lemmata.deb
# Not of the package: the script of the demo is in Python, and users of the library have a compiler.
quietly apt-get install -y --no-install-recommends python3 g++ pkgconf
lemmata --version
examples=/usr/share/doc/lemmata/examples
python3 /tmp/demo.py /usr/bin $examples /tmp/demo
g++ -std=c++20 $examples/api/check_files.cpp $(pkg-config --cflags --libs lemmata) -o /tmp/check_files
cd /tmp && ./check_files 60 $examples/c/lock_safe.c $examples/st/tank_unsafe.scl
apt-get purge -y lemmata > /tmp/log 2>&1
test -z "$(find /usr -name '*lemmata*' ! -path '/usr/share/doc/*')"
END
# Its own processes and mounts, which end with it.
unshare --mount --pid --fork --kill-child --root="$root" --mount-proc sh /tmp/test.sh
echo "package_test: $(basename "$package") works"
