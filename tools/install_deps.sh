#!/bin/sh
# Installs the Debian packages that are missing, and says which. Does nothing, and needs no
# network, when all are there.   usage: install_deps.sh build|format|lint|bench|fuzz|cluster|browser|package|chroot
set -eu

case "${1:-build}" in
  build) wanted="g++ cmake ninja-build python3 libcadical-dev libz3-dev libcvc5-dev libgmp-dev libgtest-dev libcli11-dev libfmt-dev nlohmann-json3-dev libyaml-cpp-dev libpugixml-dev libssl-dev llvm-14-dev clang-14 zlib1g-dev libncurses-dev graphviz libseccomp-dev bubblewrap pkgconf yosys iverilog gtkwave libsqlite3-dev" ;;
  format) wanted="clang-format" ;;
  lint) wanted="clang-tidy" ;;
  fuzz) wanted="clang-14 libclang-rt-14-dev csmith libcsmith-dev" ;;
  bench) wanted="berkeley-abc valgrind z3 cvc5" ;;
  cluster) wanted="slurm-wlm munge" ;;
  browser) wanted="chromium nodejs npm" ;;
  package) wanted="file dpkg-dev" ;;
  chroot) wanted="debootstrap" ;;
  *) echo "usage: install_deps.sh build|format|lint|bench|fuzz|cluster|browser|package|chroot" >&2; exit 64 ;;
esac

if ! command -v dpkg-query > /dev/null; then
  echo "install_deps: not a Debian system; needed are: $wanted" >&2
  exit 0
fi

missing=""
for package in $wanted; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true)
  case "$status" in
    "install ok installed") continue ;;
  esac
  # A compiler, cmake, ninja or python from elsewhere will do.
  case "$package" in
    nodejs) command -v node > /dev/null && continue ;;
    pkgconf) command -v pkg-config > /dev/null && continue ;;
    ninja-build) command -v ninja > /dev/null && continue ;;
    g++ | cmake | python3 | clang-format | clang-tidy | berkeley-abc | valgrind | z3 | cvc5 | yosys | iverilog | chromium | npm) command -v "$package" > /dev/null && continue ;;
  esac
  missing="$missing $package"
done
[ -z "$missing" ] && exit 0

echo "install_deps: installing$missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "install_deps: not root and no sudo; as root run: apt-get install$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086  # one word for each package
$as_root apt-get install -y -q --no-install-recommends $missing
