package store

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// tape is all that was written to a disk, in order, so that a power cut can be
// played at each of its operations without doing them again.
type tape struct {
	mu   sync.Mutex
	acts []act
}

type act struct {
	op    operation
	inode uint64
	path  string // of an open and a delete
	at    int64  // of a write; the size of a truncate
	data  []byte
}

func (p *tape) add(a act) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts = append(p.acts, a)
}

// opened notes under which name a file is known. A name is given by an open or,
// to a new database, by a link whose folder was flushed before it is opened.
func (p *tape) opened(path string) uint64 {
	if p == nil {
		return 0
	}
	file := inode(path)
	p.add(act{op: opOpen, inode: file, path: path})
	return file
}

// length is how many operations there are so far.
func (p *tape) length() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.acts)
}

// damage says what of a write that was not flushed the power cut leaves.
type damage func(random *rand.Rand) fate

type fate int

const (
	kept fate = iota
	dropped
	torn // some of its sectors
)

var damages = map[string]damage{
	"all kept":    func(*rand.Rand) fate { return kept },
	"all dropped": func(*rand.Rand) fate { return dropped },
	"at random":   func(random *rand.Rand) fate { return fate(random.IntN(3)) },
}

// platter is one file: what was flushed, and what was written since.
type platter struct {
	content []byte
	flushed bool
	pending []act
}

// cut writes, to a new folder, the database as a power cut at operation n leaves
// it: those before n were done, n itself was under way. It gives its path, also
// where there is no such file.
func (p *tape) cut(t testing.TB, folder, path string, n int, hurt damage, random *rand.Rand) string {
	files, names, gone := map[uint64]*platter{}, map[string]*platter{}, map[string]*platter{}
	for i, a := range p.acts[:n] {
		f := files[a.inode]
		switch {
		case a.op == opOpen:
			if f == nil {
				f = &platter{}
				files[a.inode] = f
			}
			names[a.path] = f
		case a.op == opDelete:
			gone[a.path] = names[a.path]
			delete(names, a.path)
			maps.DeleteFunc(files, func(_ uint64, f *platter) bool { return f == gone[a.path] }) // its number is free
		case a.op == opSync && i < n-1:
			for _, pending := range f.pending {
				f.content = pending.onto(f.content, kept, nil)
			}
			f.pending, f.flushed = nil, true
		case a.op != opSync:
			f.pending = append(f.pending, a)
		}
	}
	out := filepath.Join(folder, filepath.Base(path))
	for _, rest := range []string{"", "-wal", "-shm"} {
		require.NoError(t, os.RemoveAll(out+rest))
	}
	for _, rest := range []string{"", "-wal"} {
		f := names[path+rest]
		if f == nil && hurt(random) != kept {
			f = gone[path+rest] // the name was not yet taken away
		}
		if f == nil || !f.flushed && hurt(random) == dropped {
			continue
		}
		content := append([]byte(nil), f.content...)
		for _, pending := range f.pending {
			content = pending.onto(content, hurt(random), random)
		}
		require.NoError(t, os.WriteFile(out+rest, content, 0o600))
	}
	return out
}

// onto puts a write, or what is left of it, on a file.
func (a act) onto(content []byte, f fate, random *rand.Rand) []byte {
	const sector = 512
	if f == dropped {
		return content
	}
	if a.op == opTruncate {
		if int(a.at) <= len(content) {
			return content[:a.at]
		}
		return append(content, make([]byte, int(a.at)-len(content))...)
	}
	for from := 0; from < len(a.data); from += sector {
		if f == torn && random.IntN(2) == 0 {
			continue
		}
		piece := a.data[from:min(from+sector, len(a.data))]
		at := int(a.at) + from
		if grow := at + len(piece) - len(content); grow > 0 {
			content = append(content, make([]byte, grow)...)
		}
		copy(content[at:], piece)
	}
	return content
}
