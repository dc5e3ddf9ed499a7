package filestore

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

// A record is its header, which holds all numbers as uvarints, and what is stored:
//
//	form  key  [back  hunks]  [stored]  checksum of the header  what is stored
//
// What is stored is the whole content or, of one that is like another, what its hunks put between what
// both have in common: stored says how many bytes that is where it is packed, and of a whole content.
// Version 1 had other headers, for one hunk: see readOld.

// form says what is stored of a content, and of how many hunks.
type form byte

const (
	packed    form = 1 << iota // it is compressed
	part                       // it is like another one
	_                          // version 1 had numbers up to here
	version2                   // always
	hunkCount                  // the bits from here on: how many hunks; with all of them set, their number follows

	hunkBits  = 4
	manyHunks = 1<<hunkBits - 1
)

func (f form) is(what form) bool { return f&what != 0 }

// keySize is how many bytes of a hash stand in the pack. A content is compared with its whole hash
// when it is read, and with what is stored already before it is not stored again: so these need only
// find it.
const keySize = 8

type key [keySize]byte

// name is so much of a hash that no two contents have the same.
type name [16]byte

func (n name) key() key { return key(n[:keySize]) }

// hunk is a place in which a content differs from the one that it is like.
type hunk struct {
	same int64 // bytes that both have before it
	drop int64 // bytes of the other that are not in this one
	put  int64 // bytes in their place, which are stored
}

// maxHunks bounds those of one record.
const maxHunks = 64

// entry is a record of the pack without what is stored.
type entry struct {
	form   form
	name   name   // only its key, unless the entry is known
	size   int64  // of the content
	stored int64  // bytes in the pack
	back   int    // how many records before this one the one is that it is like
	hunks  []hunk // in the order of both
	old    bool   // of version 1: how much its hunk drops follows from the sizes

	at    int64 // where in the pack what is stored begins
	depth int   // how many hunks have to be gone through before this record
	known bool  // it was written or read here without a fault
}

// hunk is the i-th of a record, the first of which begins at a place. A whole content is one, and so is what
// is the same behind the last.
func (e *entry) hunk(i int, at int64) hunk {
	switch {
	case !e.form.is(part):
		return hunk{put: e.size}
	case i < len(e.hunks):
		return e.hunks[i]
	}
	return hunk{same: e.size - at}
}

// put counts the bytes that are stored, before they are packed.
func (e *entry) put() (all int64) {
	if !e.form.is(part) {
		return e.size
	}
	for _, h := range e.hunks {
		all += h.put
	}
	return all
}

// maxHeader is the longest that a header can be.
const maxHeader = 1 + keySize + (3+3*maxHunks)*binary.MaxVarintLen64 + crc32.Size

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

func (e *entry) header() []byte {
	count := min(len(e.hunks), manyHunks)
	k := e.name.key()
	b := append([]byte{byte(e.form|version2) | byte(count)*byte(hunkCount)}, k[:]...)
	if e.form.is(part) {
		b = binary.AppendUvarint(b, uint64(e.back))
		if count == manyHunks {
			b = binary.AppendUvarint(b, uint64(len(e.hunks)))
		}
		for _, h := range e.hunks {
			b = binary.AppendUvarint(b, uint64(h.same))
			b = binary.AppendUvarint(b, uint64(h.drop))
			b = binary.AppendUvarint(b, uint64(h.put))
		}
	} else {
		b = binary.AppendUvarint(b, uint64(e.size))
	}
	if e.form.is(packed) {
		b = binary.AppendUvarint(b, uint64(e.stored))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
}

// errNoRecord says that no whole record begins here.
var errNoRecord = errors.New("no record")

// readHeader reads a header and says how long it is. b may go on behind it. The size of a content that
// is like another is not known yet, nor how much a hunk of version 1 drops.
func readHeader(b []byte) (e entry, length int, err error) {
	h := header{left: b}
	e.form = form(h.byte())
	if e.form.is(version2) {
		h.read(&e)
	} else {
		h.readOld(&e)
	}
	length = len(b) - len(h.left)
	sum := h.bytes(crc32.Size)
	if h.short || binary.LittleEndian.Uint32(sum) != crc32.Checksum(b[:length], castagnoli()) {
		return entry{}, 0, errNoRecord
	}
	return e, length + crc32.Size, nil
}

func (h *header) read(e *entry) {
	count := int64(e.form / hunkCount)
	e.form &= packed | part
	copy(e.name[:], h.bytes(keySize))
	if e.form.is(part) {
		e.back = int(h.number())
		if count == manyHunks {
			count = h.number()
		}
		if h.short = h.short || count > maxHunks; h.short {
			return
		}
		for range count {
			e.hunks = append(e.hunks, hunk{same: h.number(), drop: h.number(), put: h.number()})
		}
	} else {
		e.size = h.number()
	}
	if e.stored = e.put(); e.form.is(packed) {
		e.stored = h.number()
	}
}

// readOld reads a header of version 1:
//
//	form  size  stored  16 bytes of the hash  [back  same  put]
func (h *header) readOld(e *entry) {
	if e.form < 1 || e.form > 4 {
		h.short = true
	}
	e.form, e.old = e.form-1, true
	e.size, e.stored = h.number(), h.number()
	copy(e.name[:keySize], h.bytes(len(e.name)))
	if e.form.is(part) {
		e.back = int(h.number())
		e.hunks = []hunk{{same: h.number(), put: h.number()}}
	}
}

// header takes the fields of one off its start.
type header struct {
	left  []byte
	short bool
}

func (h *header) bytes(n int) []byte {
	if h.short = h.short || len(h.left) < n; h.short {
		return make([]byte, n)
	}
	took := h.left[:n]
	h.left = h.left[n:]
	return took
}

func (h *header) byte() byte { return h.bytes(1)[0] }

func (h *header) number() int64 {
	n, length := binary.Uvarint(h.left)
	if length <= 0 || n > maxNumber {
		h.short = true
		return 0
	}
	h.bytes(length)
	return int64(n)
}

// maxNumber is far above any number of a header, and far below where sums of some overflow.
const maxNumber = 1 << 40

// worthPacking is the least that is compressed: less saves next to nothing.
const worthPacking = 256

// packers are used again: each has tables of more than a megabyte.
var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic("filestore: " + err.Error()) // there is such a level
	}
	return w
}}

// pack compresses what is to be stored, where that makes it shorter.
func pack(data []byte) ([]byte, bool) {
	if len(data) < worthPacking {
		return data, false
	}
	var b bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	if _, err := w.Write(data); err != nil || w.Close() != nil || b.Len() >= len(data) {
		return data, false
	}
	return b.Bytes(), true
}

// unpack is the way back, for a text of that size.
func unpack(stored []byte, size int64) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(stored))
	defer r.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return data, nil
}
