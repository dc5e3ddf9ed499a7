#!/bin/sh
# Installs Pawl @VERSION@ from a release: the program, its manual page and the completions of the
# shells.
#
#	sh install.sh                          # fetches the newest release for this system
#	sh install.sh --prefix /opt/pawl       # elsewhere than /usr/local (root) or ~/.local
#	sh install.sh --with-server            # pawl-server too, for pawl worker --serve
#	sh install.sh pawl_1.0.0_linux_amd64.tar.gz   # from an archive; checksums.txt beside it is held against it
set -eu

address=${PAWL_RELEASE_ADDRESS:-@ADDRESS@}
key='@KEY@'
prefix=
archive=
server=

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

while [ $# -gt 0 ]; do
	case $1 in
	--prefix)
		[ $# -gt 1 ] || fail "--prefix needs a folder"
		prefix=$2
		shift
		;;
	--prefix=*) prefix=${1#--prefix=} ;;
	--with-server) server=yes ;;
	-*) fail "there is no $1: sh install.sh [--prefix FOLDER] [--with-server] [ARCHIVE]" ;;
	*) archive=$1 ;;
	esac
	shift
done
if [ -z "$prefix" ]; then
	if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
fi

fetch() { # URL FILE
	if command -v curl >/dev/null; then
		curl -fsSL -o "$2" "$1" || fail "$1 was not fetched"
	elif command -v wget >/dev/null; then
		wget -q -O "$2" "$1" || fail "$1 was not fetched"
	else
		fail "neither curl nor wget is here: fetch $1 by other means, and give its archive to install.sh"
	fi
}

hash_of() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif command -v shasum >/dev/null; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	else
		sha256 -q "$1"
	fi
}

check() { # FOLDER ARCHIVE: the archive against the list, and the list against its signature
	name=$(basename "$2")
	want=$(awk -v name="$name" '$2 == name { print $1 }' "$1/checksums.txt")
	[ -n "$want" ] || fail "checksums.txt does not name $name"
	[ "$(hash_of "$2")" = "$want" ] || fail "$name is not what checksums.txt says: fetch it again"
	if [ -n "$key" ] && [ -e "$1/checksums.txt.minisig" ]; then
		if command -v minisign >/dev/null; then
			minisign -Vqm "$1/checksums.txt" -P "$key" >/dev/null || fail "checksums.txt is not signed with the key of Pawl's releases"
		else
			echo "install.sh: minisign is not installed, so the signature of the release is not checked" >&2
		fi
	fi
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

given() { # ARCHIVE: it is there, and what the list beside it says
	[ -f "$1" ] || fail "there is no file $1"
	if [ -f "$(dirname "$1")/checksums.txt" ]; then check "$(dirname "$1")" "$1"; fi
}

fetched() { # ARCHIVE of the release, into the working folder
	fetch "$address/$1" "$work/$1"
	check "$work" "$work/$1"
}

with_server() { # ARCHIVE: the one of pawl-server beside it
	echo "$(dirname "$1")/pawl-server_$(basename "$1" | cut -d _ -f 2-)"
}

put() { # PROGRAM: one that runs goes on with its own file
	cp "$work/files/$1" "$prefix/bin/.$1.new"
	chmod 755 "$prefix/bin/.$1.new"
	mv -f "$prefix/bin/.$1.new" "$prefix/bin/$1"
}

if [ -n "$archive" ]; then
	given "$archive"
	[ -z "$server" ] || given "$(with_server "$archive")"
else
	[ -n "$address" ] || fail "this release has no address: give it an archive, sh install.sh ARCHIVE"
	case $(uname -s) in
	Linux | Darwin | FreeBSD) system=$(uname -s | tr '[:upper:]' '[:lower:]') ;;
	*) fail "Pawl has no release for $(uname -s); on Windows install it in WSL" ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	riscv64) arch=riscv64 ;;
	*) fail "Pawl has no release for $(uname -m)" ;;
	esac
	fetch "$address/checksums.txt" "$work/checksums.txt"
	if [ -n "$key" ]; then fetch "$address/checksums.txt.minisig" "$work/checksums.txt.minisig"; fi
	name=$(awk '{ print $2 }' "$work/checksums.txt" | grep "^pawl_[^_]*_${system}_${arch}[.]tar[.]gz\$" || true)
	[ -n "$name" ] || fail "the release at $address has nothing for $system/$arch"
	archive=$work/$name
	fetched "$name"
	[ -z "$server" ] || fetched "$(basename "$(with_server "$name")")"
fi

mkdir "$work/files"
for one in "$archive" ${server:+"$(with_server "$archive")"}; do
	tar -xzf "$one" -C "$work/files" || fail "$one is not unpacked"
done
bash_completions=$prefix/share/bash-completion/completions
zsh_completions=$prefix/share/zsh/site-functions
fish_completions=$prefix/share/fish/vendor_completions.d
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$bash_completions" "$zsh_completions" "$fish_completions"
put pawl
[ -z "$server" ] || put pawl-server
cp "$work/files/man/pawl.1" "$prefix/share/man/man1/pawl.1"
cp "$work/files/completions/pawl.bash" "$bash_completions/pawl"
cp "$work/files/completions/_pawl" "$zsh_completions/_pawl"
cp "$work/files/completions/pawl.fish" "$fish_completions/pawl.fish"
"$prefix/bin/pawl" version || fail "$prefix/bin/pawl does not run here"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not in PATH: add it, or start $prefix/bin/pawl" ;;
esac
