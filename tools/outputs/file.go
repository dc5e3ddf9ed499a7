package outputs

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"pawl/internal/words"
)

// File is a file that takes the whole of a text, as it comes. It may be asked
// about while it is written; one goroutine writes it.
type File struct {
	file *os.File
	path string
	drop func() // removes the file

	mu   sync.Mutex
	room int64 // bytes that it may still take
	size int64
	full bool  // there was more, and it says so
	err  error // nothing is written any more
}

// Write takes what there is room for. What a disk refuses is no error of the
// text's: then there is no file, and Kept says why.
func (f *File) Write(p []byte) {
	f.mu.Lock()
	room, over := f.room, f.full || f.err != nil
	f.mu.Unlock()
	if over {
		return
	}
	fit := p[:min(int64(len(p)), room)]
	full := len(fit) < len(p)
	_, err := f.file.Write(fit)
	if err == nil && full {
		_, err = fmt.Fprintf(f.file, "\n[Pawl stopped keeping this output here: it is longer than the %s that are kept]\n", words.Size(f.size+room))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.err = plainCause(err)
		f.drop()
		return
	}
	f.room, f.size, f.full = room-int64(len(fit)), f.size+int64(len(fit)), full
}

// Kept says where the text is, as far as it has come.
func (f *File) Kept() Kept {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return Kept{Err: f.err}
	}
	return Kept{Path: f.path, Size: f.size}
}

// Close ends the writing. A disk may say only now that it is full: ask Kept again.
func (f *File) Close() {
	err := f.file.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && f.err == nil {
		f.err = plainCause(err)
		f.drop()
	}
}

// plainCause is what the system said, without the name of a file that nobody will
// find.
func plainCause(err error) error {
	if about, is := errors.AsType[*os.PathError](err); is {
		return about.Err
	}
	return err
}
