package filestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// What keeps a content from being kept or read.
var (
	// ErrTooLarge: a content is larger than 64 MB.
	ErrTooLarge = errors.New("larger than the 64 MB that are kept of a file")
	// ErrFull: the session has kept 1 GB already.
	ErrFull = errors.New("this session has kept 1 GB of files already")
	// ErrNotKept: there is no such content.
	ErrNotKept = errors.New("not kept")
	// ErrDamaged: what is stored is not what was kept.
	ErrDamaged = errors.New("the kept bytes are damaged")
)

// Bounds of one content, of all that a session keeps, as stored, both in bytes, and of how many
// records are read for one content, in some milliseconds.
const (
	maxContent = 64 << 20
	maxSession = 1 << 30
	maxDepth   = 2048
)

// Store keeps the contents of files for one root session, in a folder outside the project. Several
// stores of one folder, in one process or several, see what each other kept. The folder is made when
// there is something to keep. Its methods may be called from any goroutine.
type Store struct {
	folder     string
	most, room int64 // bytes of one content, of all
	deepest    int   // records read before that of a content, at most

	mu     sync.Mutex
	file   *os.File // the pack, once it is open
	writes bool     // it is open for writing
	end    int64    // of the last record read
	all    []entry  // the records up to there
	index  map[key]int
	synced int  // so many of them are on disk
	kept   int  // so many have to be: those that Keep has told of
	made   bool // the pack is new here: its folder has to be synced too
	old    bool // the pack is of version 1
	recent recent
}

// New names the folder, which belongs to Pawl alone. It touches no disk. Close it.
func New(folder string) *Store {
	return &Store{folder: folder, most: maxContent, room: maxSession, deepest: maxDepth, index: map[key]int{}}
}

// Folder is where the contents are kept. It may not be there yet.
func (s *Store) Folder() string { return s.folder }

// Close gives the pack back; what is kept stays. It does not sync.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	file := s.file
	// It is read anew if there is a next time: it may be gone by then.
	s.file, s.writes, s.end, s.all, s.synced, s.kept, s.old, s.recent = nil, false, 0, nil, 0, 0, false, nil
	clear(s.index)
	return file.Close()
}

// Hash is the name of a content: its SHA-256 in hexadecimal.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Keep keeps a content, and returns its hash. like is the hash of a content that it resembles, empty
// for none: of one that is kept, only what differs from it is stored. What was kept survives the end
// of the process at once, and a power cut once Sync has returned. An error says in a
// few words why nothing was kept; the hash is right all the same.
func (s *Store) Keep(content []byte, like string) (string, error) {
	hash := Hash(content)
	if int64(len(content)) > s.most {
		return hash, ErrTooLarge
	}
	return hash, plainCause(s.keep(content, hash, like))
}

// keep compares and compresses without the lock: others need not wait for a large content.
func (s *Store) keep(content []byte, hash, like string) error {
	n, err := nameOf(hash)
	if err != nil {
		return err
	}
	base, there, err := s.begin(n, hash, content, like)
	if there || err != nil {
		return err
	}
	e, stored := plan(n, content, base)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(true); err != nil {
		return err
	}
	return s.locked(func() error {
		if s.told(n, hash, content) { // by another that was quicker
			return nil
		}
		if e.form.is(part) && !s.stands(base) {
			e, stored = plan(n, content, resembled{})
		}
		if err := s.append(e, stored, base); err != nil {
			return err
		}
		s.told(n, hash, content)
		return nil
	})
}

// begin finds out what a content has in common with what is kept: it is there, or what it is like is.
func (s *Store) begin(n name, hash string, content []byte, like string) (base resembled, there bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(true); err != nil {
		return resembled{}, false, err
	}
	if s.told(n, hash, content) {
		return resembled{}, true, nil
	}
	return s.base(like), false, nil
}

// told reports whether a content is kept, and notes that Keep says so.
func (s *Store) told(n name, hash string, content []byte) bool {
	at, there := s.index[n.key()]
	if !there || !s.holds(at, n, hash, content) {
		return false
	}
	s.kept = max(s.kept, at+1)
	s.recent.add(hash, content)
	return true
}

// holds reports whether a record has that very content. What a power cut has left of one that was
// not synced may be anything.
func (s *Store) holds(at int, n name, hash string, content []byte) bool {
	if s.all[at].known {
		return s.all[at].name == n
	}
	stored, err := s.content(at, hash)
	return err == nil && bytes.Equal(stored, content)
}

// Has reports whether a content is kept.
func (s *Store) Has(hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.find(hash)
	return err == nil
}

// Read returns a kept content, whose hash was verified. The error wraps ErrNotKept for one that is
// not kept, ErrDamaged for one whose bytes are not what they were.
func (s *Store) Read(hash string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.find(hash)
	var content []byte
	if err == nil {
		content, err = s.content(at, hash)
	}
	if err != nil {
		return nil, fmt.Errorf("read the kept file %.8s: %w", hash, plainCause(err))
	}
	return content, nil
}

// find looks a hash up, also among what other processes have kept since.
func (s *Store) find(hash string) (int, error) {
	n, err := nameOf(hash)
	if err != nil {
		return 0, err
	}
	k := n.key()
	if err := s.open(false); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, ErrNotKept
		}
		return 0, err
	}
	if at, there := s.index[k]; there {
		return at, nil
	}
	if err := s.catchUp(); err != nil {
		return 0, err
	}
	if at, there := s.index[k]; there {
		return at, nil
	}
	return 0, ErrNotKept
}

func nameOf(hash string) (name, error) {
	sum, err := hex.DecodeString(hash)
	if err != nil || len(sum) != sha256.Size {
		return name{}, ErrNotKept
	}
	return name(sum[:len(name{})]), nil
}

// Remove removes what was kept for a session, if anything was.
func Remove(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the kept files in %s: %w", folder, plainCause(err))
	}
	return nil
}

// plainCause is what the system said, without the name of a file that nobody will find.
func plainCause(err error) error {
	if about, is := errors.AsType[*fs.PathError](err); is {
		return about.Err
	}
	return err
}
