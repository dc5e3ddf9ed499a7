//go:build unix

package project

import (
	"slices"

	"golang.org/x/sys/unix"
)

// looker looks at files below a folder that it holds open, which spares the kernel the way there.
type looker struct{ fd int }

// lookFrom makes a looker. The caller closes it.
func lookFrom(root string) looker {
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		fd = -1
	}
	return looker{fd}
}

func (l looker) close() {
	if l.fd >= 0 {
		_ = unix.Close(l.fd) // nothing was written
	}
}

// stamp looks at a file, and not at what a link leads to.
func (l looker) stamp(c child, links int) stamp {
	if l.fd < 0 || links > 0 {
		return stampOf(c.full)
	}
	var stat unix.Stat_t
	if unix.Fstatat(l.fd, c.name, &stat, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return stamp{}
	}
	return stampIn(&stat)
}

// open opens a file that no link leads to. It waits for nothing.
func (l looker) open(name string, flags int) (int, bool) {
	if l.fd < 0 {
		return 0, false
	}
	fd, err := unix.Openat(l.fd, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags, 0)
	return fd, err == nil
}

// sum digests a regular file.
func (l looker) sum(f treeFile, buffer []byte) string {
	fd, ok := 0, false
	if f.direct {
		fd, ok = l.open(f.name, 0)
	}
	if !ok {
		return sumOf(f.full, buffer)
	}
	defer unix.Close(fd) //nolint:errcheck // it was only read
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return unreadable
	}
	return digestOf(buffer, func(b []byte) (int, error) {
		for {
			if n, err := unix.Read(fd, b); err != unix.EINTR { //nolint:errorlint // it is never wrapped
				return n, err
			}
		}
	})
}

// names names what is in a folder, sorted.
func (l looker) names(c child, real string) []string {
	fd, ok := l.open(c.name, unix.O_DIRECTORY)
	if !ok {
		return namesIn(real) // a link leads there
	}
	defer unix.Close(fd) //nolint:errcheck // it was only read
	var names []string
	buffer := make([]byte, 8<<10)
	for {
		n, err := unix.ReadDirent(fd, buffer)
		switch {
		case err == unix.EINTR: //nolint:errorlint // it is never wrapped
			continue
		case err != nil || n <= 0:
			slices.Sort(names)
			return names
		}
		_, _, names = unix.ParseDirent(buffer[:n], -1, names)
	}
}

// stampOf looks at a file, and not at what a link leads to.
func stampOf(full string) stamp {
	var stat unix.Stat_t
	if unix.Lstat(full, &stat) != nil {
		return stamp{}
	}
	return stampIn(&stat)
}

func stampIn(stat *unix.Stat_t) stamp {
	s := stamp{
		device: uint64(stat.Dev), inode: uint64(stat.Ino), //nolint:unconvert,gosec,nolintlint // of another width on each system
		runs: stat.Mode&0o111 != 0, size: stat.Size, modified: stat.Mtim.Nano(), changed: stat.Ctim.Nano(),
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.kind = regularFile
	case unix.S_IFDIR:
		s.kind = folder
	case unix.S_IFLNK:
		s.kind = link
	default:
		s.kind = special
	}
	return s
}
