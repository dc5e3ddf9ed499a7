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
//	form  size  stored  key  [back  same  changed]  checksum of the header  what is stored
//
// What is stored is the whole content or, of one that is like another, what stands between their
// common start and end.

// form says what is stored of a content.
type form byte

const (
	whole form = iota + 1
	wholePacked
	part // back records before this one is one that it is like
	partPacked
)

func (f form) part() bool   { return f == part || f == partPacked }
func (f form) packed() bool { return f == wholePacked || f == partPacked }

// keySize is how many bytes of a hash stand in the pack. A content is compared with its whole hash
// when it is read, and with what is stored already before it is not stored again: so these need only
// find it.
const keySize = 16

type key [keySize]byte

// entry is a record of the pack without what is stored.
type entry struct {
	form    form
	key     key
	size    int64 // of the content
	stored  int64 // bytes in the pack
	back    int   // how many records before this one the one is that it is like
	same    int64 // bytes that both have at their start
	changed int64 // bytes between their common start and end

	at    int64 // where in the pack what is stored begins
	shift int64 // from a place in the common end to that of the one that it is like
	depth int   // how many records have to be read before this one
	known bool  // it was written or read here without a fault
}

// maxHeader is the longest that a header can be.
const maxHeader = 1 + keySize + 5*binary.MaxVarintLen64 + crc32.Size

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (e entry) header() []byte {
	b := []byte{byte(e.form)}
	b = binary.AppendUvarint(b, uint64(e.size))
	b = binary.AppendUvarint(b, uint64(e.stored))
	b = append(b, e.key[:]...)
	if e.form.part() {
		b = binary.AppendUvarint(b, uint64(e.back))
		b = binary.AppendUvarint(b, uint64(e.same))
		b = binary.AppendUvarint(b, uint64(e.changed))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// errNoRecord says that no whole record begins here.
var errNoRecord = errors.New("no record")

// readHeader reads a header and says how long it is. b may go on behind it.
func readHeader(b []byte) (entry, int, error) {
	h := header{left: b}
	e := entry{form: form(h.byte())}
	e.size, e.stored = h.number(), h.number()
	copy(e.key[:], h.bytes(keySize))
	if e.form.part() {
		e.back, e.same, e.changed = int(h.number()), h.number(), h.number()
	} else {
		e.changed = e.size
	}
	length := len(b) - len(h.left)
	sum := h.bytes(crc32.Size)
	if h.short || e.form < whole || e.form > partPacked || binary.LittleEndian.Uint32(sum) != crc32.Checksum(b[:length], castagnoli) {
		return entry{}, 0, errNoRecord
	}
	return e, length + crc32.Size, nil
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
