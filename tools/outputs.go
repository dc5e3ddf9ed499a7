package tools

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

// Outputs is a folder outside the project in which the whole of what was too long
// for a model is kept, for the one root session whose folder it is: its subagents
// use it too, also from a process of their own. The file tools may read below it
// and never write there. Nil keeps nothing.
//
// The folder is made when there is something to keep. Its methods may be called
// from any goroutine.
type Outputs struct {
	folder     string
	most, room int64 // bytes of one result, of all

	mu   sync.Mutex
	root *os.Root // once the folder is there
}

// NewOutputs names the folder, which belongs to Pawl alone. It touches no disk.
// Close it.
func NewOutputs(folder string) *Outputs {
	return &Outputs{folder: folder, most: maxKept, room: maxKeptSession}
}

// Folder is where the outputs are kept. It may not be there yet.
func (o *Outputs) Folder() string { return o.folder }

// Close gives the folder back; what is kept in it stays.
func (o *Outputs) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.root == nil {
		return nil
	}
	return o.root.Close()
}

// keep keeps a text that a tool gave.
func (o *Outputs) keep(tool, text string) Kept {
	if o == nil {
		return Kept{}
	}
	file, err := o.create(tool)
	if err != nil {
		return Kept{Err: err}
	}
	file.Write([]byte(text))
	file.close()
	return file.kept()
}

// create begins a file for what a tool gives. Nobody can guess its name.
func (o *Outputs) create(tool string) (*keptFile, error) {
	root, err := o.open()
	if err != nil {
		return nil, plainCause(err)
	}
	room := min(o.most, o.room-weight(root))
	if room <= 0 {
		return nil, fmt.Errorf("this session keeps %s of output already", words.Size(o.room))
	}
	name := fileWord(tool) + "-" + strings.ToLower(rand.Text()[:16]) + ".txt"
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, plainCause(err)
	}
	return &keptFile{
		file: file, path: words.Path(filepath.Join(o.folder, name)), room: room,
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
func (o *Outputs) open() (*os.Root, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.root != nil {
		return o.root, nil
	}
	if err := os.MkdirAll(o.folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.folder)
	if err != nil {
		return nil, err
	}
	o.root = root
	return root, nil
}

// weight is how many bytes the files of a folder have.
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

// RemoveOutputs removes what was kept for a session, if anything was.
func RemoveOutputs(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return fmt.Errorf("remove the kept outputs in %s: %w", folder, plainCause(err))
	}
	return nil
}
