package outputs

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"pawl/internal/words"
)

// Bounds of what is kept: of one result, and of a whole session. The first is what
// a verbose test run of a large project writes, many times over. Results that are
// written at the same time may go beyond the second, each by one result.
const (
	maxKept        = 64 << 20
	maxKeptSession = 512 << 20
)

// Store is a folder outside the project in which the whole of what was too long
// for a model is kept, for the one root session whose folder it is: its subagents
// use it too, also from a process of their own. The file tools may read below it
// and never write there. Nil keeps nothing.
//
// The folder is made when there is something to keep. Its methods may be called
// from any goroutine.
type Store struct {
	folder     string
	most, room int64 // bytes of one result, of all

	mu   sync.Mutex
	root *os.Root // once the folder is there
}

// New names the folder, which belongs to Pawl alone. It touches no disk.
// Close it.
func New(folder string) *Store {
	return &Store{folder: folder, most: maxKept, room: maxKeptSession}
}

// Folder is where the outputs are kept. It may not be there yet.
func (s *Store) Folder() string { return s.folder }

// Close gives the folder back; what is kept in it stays.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root == nil {
		return nil
	}
	return s.root.Close()
}

// Keep keeps a text that a tool gave, and says where.
func (s *Store) Keep(tool, text string) Kept {
	if s == nil {
		return Kept{}
	}
	file, err := s.Create(tool)
	if err != nil {
		return Kept{Err: err}
	}
	file.Write([]byte(text))
	file.Close()
	return file.Kept()
}

// KeepPicture keeps a picture that the user has pasted, so that a message can name it: it is theirs
// alone, and goes with the session. ending is that of its kind: png.
func (s *Store) KeepPicture(data []byte, ending string) (path string, err error) {
	root, err := s.open()
	if err != nil {
		return "", plainCause(err)
	}
	if int64(len(data)) > s.room-weight(root) {
		return "", fmt.Errorf("this session keeps %s of output already", words.Size(s.room))
	}
	name := "picture-" + strings.ToLower(rand.Text()[:16]) + "." + fileWord(ending)
	if err := root.WriteFile(name, data, 0o600); err != nil {
		_ = root.Remove(name) // what cannot be written may not be removable either
		return "", plainCause(err)
	}
	return filepath.Join(s.folder, name), nil
}

// Create begins a file for what a tool gives; Close it. Nobody can guess its name. The error says
// why nothing can be kept, and the file takes no more than there is room for now.
func (s *Store) Create(tool string) (*File, error) {
	root, err := s.open()
	if err != nil {
		return nil, plainCause(err)
	}
	room := min(s.most, s.room-weight(root))
	if room <= 0 {
		return nil, fmt.Errorf("this session keeps %s of output already", words.Size(s.room))
	}
	name := fileWord(tool) + "-" + strings.ToLower(rand.Text()[:16]) + ".txt"
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, plainCause(err)
	}
	return &File{
		file: file, path: words.Path(filepath.Join(s.folder, name)), room: room,
		drop: func() { _ = root.Remove(name) }, // what cannot be written may not be removable either
	}, nil
}

// fileWord makes a part of a file's name of a tool's, which may be a server's.
func fileWord(tool string) string {
	word := strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, tool)
	return words.First(word, 60)
}

// open makes the folder and opens it, once.
func (s *Store) open() (*os.Root, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root != nil {
		return s.root, nil
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.folder)
	if err != nil {
		return nil, err
	}
	s.root = root
	return root, nil
}

func weight(root *os.Root) int64 {
	var sum int64
	entries, _ := fs.ReadDir(root.FS(), ".") // what cannot be listed cannot be counted
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
	}
	return sum
}

// Remove removes what was kept for a session, if anything was.
func Remove(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the kept outputs in %s: %w", folder, plainCause(err))
	}
	return nil
}
