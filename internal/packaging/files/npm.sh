#!/bin/sh
# Becomes the program for this system, which is a package of its own beside this one.
self=$0
while [ -L "$self" ]; do
	to=$(readlink "$self")
	case $to in
	/*) self=$to ;;
	*) self=$(dirname "$self")/$to ;;
	esac
done
package=$(cd "$(dirname "$self")/.." && pwd -P)
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
FreeBSD) system=freebsd ;;
*) system=$(uname -s) ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=x64 ;;
aarch64 | arm64) arch=arm64 ;;
*) arch=$(uname -m) ;;
esac
name=@NPM@-$system-$arch
folder=$package
while [ -n "$folder" ]; do
	program=$folder/node_modules/$name/bin/pawl
	if [ -x "$program" ]; then
		exec "$program" "$@"
	fi
	folder=${folder%/*}
done
echo "pawl: the package $name is not installed: install @NPM@ anew, with its optional dependencies" >&2
exit 1
