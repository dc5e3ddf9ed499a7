//go:build unix

package folderwatch

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// supported: the system tells inodes and the times at which files were changed.
const supported = true

// openDir is a folder that is open: what is in it is reached without a link on the way.
type openDir struct{ fd int }

func openTop(path string) (openDir, error) { return openDir{unix.AT_FDCWD}.open(path) }

// open opens a folder in this one. Whatever else stands there is an error, and nothing is waited for.
func (d openDir) open(name string) (openDir, error) {
	for {
		fd, err := unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if !errors.Is(err, unix.EINTR) {
			return openDir{fd}, err
		}
	}
}

// below opens a folder below this one, part by part.
func (d openDir) below(dir string) (openDir, error) {
	at, err := d.open(".")
	for part := range strings.SplitSeq(dir, "/") {
		if err != nil || part == "" || part == "." {
			continue
		}
		next, failed := at.open(part)
		at.close()
		at, err = next, failed
	}
	return at, err
}

func (d openDir) close() { _ = unix.Close(d.fd) } // it was only read

func (d openDir) stamp() (stamp, error) {
	var stat unix.Stat_t
	err := unix.Fstat(d.fd, &stat)
	return stampOf(&stat), err
}

// stat says what stands at a name; an absent file is no error.
func (d openDir) stat(name string) (stamp, error) {
	var stat unix.Stat_t
	switch err := unix.Fstatat(d.fd, name, &stat, unix.AT_SYMLINK_NOFOLLOW); {
	case errors.Is(err, fs.ErrNotExist):
		return stamp{}, nil
	case err != nil:
		return stamp{}, err
	}
	return stampOf(&stat), nil
}

// names lists the folder, whose whole path is full.
func (d openDir) names(full string) ([]fs.DirEntry, error) {
	again, err := d.open(".")
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(again.fd), full)
	defer f.Close()
	return f.ReadDir(-1)
}

func (d openDir) readlink(name string) (string, error) {
	target := make([]byte, 4<<10)
	n, err := unix.Readlinkat(d.fd, name, target)
	if err != nil {
		return "", err
	}
	return string(target[:n]), nil
}

// read reads a regular file, and says what it was when all was read. More than most bytes are
// an error.
func (d openDir) read(name string, most int64) ([]byte, stamp, error) {
	fd, err := unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, stamp{}, err
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return nil, stamp{}, err
	}
	if now := stampOf(&stat); now.kind != regularFile {
		return nil, stamp{}, errNotRegular
	}
	content := make([]byte, 0, stat.Size+1)
	content, err = readInto(f, content, most)
	if err != nil {
		return nil, stamp{}, err
	}
	err = unix.Fstat(fd, &stat)
	return content, stampOf(&stat), err
}

func readInto(f io.Reader, content []byte, most int64) ([]byte, error) {
	for {
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		switch {
		case int64(len(content)) > most:
			return nil, errTooLarge
		case errors.Is(err, io.EOF):
			return content, nil
		case err != nil:
			return nil, err
		}
	}
}

func stampOf(stat *unix.Stat_t) stamp {
	s := stamp{
		perm:     uint32(stat.Mode) & 0o7777, //nolint:unconvert,nolintlint // of another width on each system
		inode:    uint64(stat.Ino),           //nolint:unconvert,nolintlint
		size:     stat.Size,
		modified: stat.Mtim.Nano(),
		changed:  stat.Ctim.Nano(),
	}
	s.linked = stat.Nlink > 1 && stat.Mode&unix.S_IFMT != unix.S_IFDIR
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.kind = regularFile
	case unix.S_IFDIR:
		s.kind = directory
	case unix.S_IFLNK:
		s.kind = link
	default:
		s.kind = special
	}
	return s
}
