package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

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
		eachEntry(x.content, func(e indexEntry) bool {
			one := e.file()
			one.Racy = one.Modified >= x.written
			return e.stage != 0 || e.mode&typeOfFile != modeOfRegular || yield(one)
		})
	}
}

// Sizes and numbers in git's index, whose format is in gitformat-index(5).
const (
	hashSize      = 20
	headSize      = 12
	modeAt        = 24
	flagsAt       = 40 + hashSize
	extended      = 0x4000 // flag: two more bytes of flags follow
	lengthOfName  = 0x0fff // of the flags; if it is that, the name is as long or longer
	typeOfFile    = 0o170000
	modeOfRegular = 0o100000
	modeOfLink    = 0o120000
)

// indexEntry is one entry of an index.
type indexEntry struct {
	fixed []byte // what stands before the flags
	mode  uint32
	stage uint16 // not 0 in a conflict
	name  string
}

func (e indexEntry) file() Indexed {
	number := func(at int) uint32 { return binary.BigEndian.Uint32(e.fixed[at:]) }
	moment := func(at int) int64 { return int64(number(at))*1e9 + int64(number(at+4)) }
	return Indexed{
		Path: e.name, Changed: moment(0), Modified: moment(8), Inode: number(20), Size: number(36),
		Blob: [hashSize]byte(e.fixed[40:]),
	}
}

// eachEntry gives the entries of an index to a function until it returns false, and returns what stands
// behind them. ok is false then, and where something is not as git writes it: git might take that for
// other entries.
func eachEntry(index []byte, want func(indexEntry) bool) (rest []byte, ok bool) {
	if namesOther(index) {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	rest, last := index[headSize:len(index)-hashSize], ""
	for range count {
		if len(rest) < flagsAt+2 {
			return nil, false
		}
		flags, at := binary.BigEndian.Uint16(rest[flagsAt:]), flagsAt+2
		if flags&extended != 0 {
			at += 2
		}
		name, size, ok := nameAt(rest, at, version, last)
		if said := int(flags & lengthOfName); !ok || said < lengthOfName && said != len(name) {
			return nil, false
		}
		if !want(indexEntry{rest[:flagsAt], binary.BigEndian.Uint32(rest[modeAt:]), flags >> 12 & 3, name}) {
			return nil, false
		}
		rest, last = rest[size:], name
	}
	return rest, true
}

// nameAt reads the name of the first entry, which begins at a place, and how long that entry is. Version
// 4 leaves out what a name shares with the one before, and pads no entry.
func nameAt(rest []byte, at int, version uint32, last string) (name string, size int, ok bool) {
	shared := ""
	if version == 4 {
		less, n := 0, 0
		for more := true; more; n++ {
			if at+n >= len(rest) || n > 4 {
				return "", 0, false
			}
			if n > 0 {
				less++
			}
			less, more = less<<7|int(rest[at+n]&0x7f), rest[at+n]&0x80 != 0
		}
		if less > len(last) {
			return "", 0, false
		}
		shared, at = last[:len(last)-less], at+n
	}
	if at >= len(rest) {
		return "", 0, false
	}
	length := bytes.IndexByte(rest[at:], 0)
	if length < 0 {
		return "", 0, false
	}
	if size = at + length + 1; version < 4 {
		size = (size + 7) &^ 7
	}
	return shared + string(rest[at:at+length]), size, size <= len(rest)
}

// BlobID names a blob as git prints it.
func BlobID(blob [hashSize]byte) string { return hex.EncodeToString(blob[:]) }
