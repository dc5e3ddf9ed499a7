package tools

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"pawl/internal/words"
)

// Kept says where the whole of a text is that was too long for a model.
type Kept struct {
	Path string // empty: nowhere
	Size int64  // bytes of it that are there, from its start on
	Err  error  // why it is nowhere
}

// gap is the line that stands in the place of what is left out of a text of so
// many bytes.
func (k Kept) gap(cut, total int64) string {
	where := ""
	switch {
	case k.Path != "" && k.Size < total:
		where = fmt.Sprintf("; its first %s are in %s, for read and grep", words.Size(k.Size), k.Path)
	case k.Path != "":
		where = fmt.Sprintf("; all of it is in %s, for read and grep", k.Path)
	case k.Err != nil:
		where = fmt.Sprintf("; the whole of it could not be kept: %v", k.Err)
	}
	return fmt.Sprintf("[… %d of %d bytes of output are left out here%s …]", cut, total, where)
}

// keptFile is a file that takes the whole of a text, as it comes. It may be asked
// about while it is written; one goroutine writes it.
type keptFile struct {
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
func (k *keptFile) Write(p []byte) {
	k.mu.Lock()
	room, over := k.room, k.full || k.err != nil
	k.mu.Unlock()
	if over {
		return
	}
	fit := p[:min(int64(len(p)), room)]
	full := len(fit) < len(p)
	_, err := k.file.Write(fit)
	if err == nil && full {
		_, err = fmt.Fprintf(k.file, "\n[Pawl stopped keeping this output here: it is longer than the %s that are kept]\n", words.Size(k.size+room))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.err = plainCause(err)
		k.drop()
		return
	}
	k.room, k.size, k.full = room-int64(len(fit)), k.size+int64(len(fit)), full
}

func (k *keptFile) kept() Kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return Kept{Err: k.err}
	}
	return Kept{Path: k.path, Size: k.size}
}

// close ends the writing. A disk may say only now that it is full.
func (k *keptFile) close() {
	err := k.file.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil && k.err == nil {
		k.err = plainCause(err)
		k.drop()
	}
}

// plainCause is what the system said, without the name of a file that nobody will
// find.
func plainCause(err error) error {
	if about := (*os.PathError)(nil); errors.As(err, &about) {
		return about.Err
	}
	return err
}
