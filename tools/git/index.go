package git

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"pawl/internal/regular"
)

// Indexed is a file as git's index has it: its content, and what the file was like when it held
// that. Times are in nanoseconds since 1970.
type Indexed struct {
	Path              string // relative to the top of the checkout, with slashes
	Blob              [hashSize]byte
	Inode, Size       uint32 // the lower 32 bits
	Modified, Changed int64
	// Racy: the index was written in the very moment of the change, so that the file may hold something
	// else although nothing tells.
	Racy bool
}

// Index is the index of a checkout at one moment.
type Index struct {
	// Stamp is another one if the file was written since.
	Stamp   string
	content []byte
	written int64
}

var errOtherIndex = errors.New("git's index has a form that is not read here")

// IndexStamp says in which state the index is, without reading it; empty: there is none.
func (c Checkout) IndexStamp() string {
	if c.Top == "" {
		return ""
	}
	return stampOf(c.indexPath())
}

// stampOf is another one if a file was written since; empty: there is none.
func stampOf(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), info.Mode())
}

func (c Checkout) indexPath() string {
	return filepath.Join(gitFolder(filepath.Join(c.Top, ".git")), "index")
}

// Index reads the index. Without a checkout, or before the first git add, it is empty. One that is
// split over several files, or whose hashes are not SHA-1, is an error.
func (c Checkout) Index() (Index, error) {
	stamp := c.IndexStamp()
	if stamp == "" {
		return Index{}, nil
	}
	info, err := os.Lstat(c.indexPath())
	if err != nil {
		return Index{}, err
	}
	content, err := regular.Read(c.indexPath(), longestIndex)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Index{}, nil
	case err != nil:
		return Index{}, err
	case c.otherHash || namesOther(content):
		return Index{}, errOtherIndex
	}
	return Index{Stamp: stamp, content: content, written: info.ModTime().UnixNano()}, nil
}

// namesOther reports that an index cannot be read to its end.
func namesOther(index []byte) bool {
	if len(index) < headSize+hashSize || string(index[:4]) != "DIRC" {
		return true
	}
	version := binary.BigEndian.Uint32(index[4:])
	return version < 2 || version > 4
}

// Files are the regular files of the index. What is in a conflict is left out.
func (x Index) Files() iter.Seq[Indexed] {
	return func(yield func(Indexed) bool) {
		if len(x.content) == 0 {
			return
		}
		version, count := binary.BigEndian.Uint32(x.content[4:]), binary.BigEndian.Uint32(x.content[8:])
		rest, name := x.content[headSize:len(x.content)-hashSize], ""
		for range count {
			if len(rest) < flagsAt+2 {
				return
			}
			flags, at := binary.BigEndian.Uint16(rest[flagsAt:]), flagsAt+2
			if flags&extended != 0 {
				at += 2
			}
			size, ok := entrySize(rest, at, version)
			if !ok {
				return
			}
			if name, ok = nameOf(rest[at:size], version, name); !ok {
				return
			}
			one := indexed(rest, name)
			one.Racy = one.Modified >= x.written
			regularFile := binary.BigEndian.Uint32(rest[modeAt:])&0o170000 == 0o100000
			if staged := flags >> 12 & 3; staged == 0 && regularFile && !yield(one) {
				return
			}
			rest = rest[size:]
		}
	}
}

func indexed(entry []byte, name string) Indexed {
	number := func(at int) uint32 { return binary.BigEndian.Uint32(entry[at:]) }
	moment := func(at int) int64 { return int64(number(at))*1e9 + int64(number(at+4)) }
	return Indexed{
		Path: name, Changed: moment(0), Modified: moment(8), Inode: number(20), Size: number(36),
		Blob: [hashSize]byte(entry[40:]),
	}
}

// nameOf reads the name of an entry, of which version 4 leaves out what it shares with the one
// before.
func nameOf(field []byte, version uint32, last string) (string, bool) {
	shared := ""
	if version == 4 {
		less, n := 0, 0
		for more := true; more; n++ {
			if n == len(field) || n > 4 {
				return "", false
			}
			if n > 0 {
				less++
			}
			less, more = less<<7|int(field[n]&0x7f), field[n]&0x80 != 0
		}
		if less > len(last) {
			return "", false
		}
		shared, field = last[:len(last)-less], field[n:]
	}
	own, _, _ := strings.Cut(string(field), "\x00")
	return shared + own, true
}

// BlobID names a blob as git prints it.
func BlobID(blob [hashSize]byte) string { return hex.EncodeToString(blob[:]) }
