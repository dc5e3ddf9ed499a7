package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
)

// Pack opens all that the store of a folder has kept until now, for Take; nil if nothing was kept.
func Pack(folder string) (*os.File, error) {
	file, err := regular.OpenWith(os.OpenFile, filepath.Join(folder, packName), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, plainCause(err)
}

// Take keeps what a pack of another store holds, which may come from another machine: contents go by
// their own hashes. What is damaged ends it with an error that wraps ErrDamaged; what came before is
// kept. The pack stays open.
func (s *Store) Take(pack *os.File) error {
	other := New("")
	other.file = pack
	if err := other.catchUp(); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, plainCause(err))
	}
	hashes := make([]string, len(other.all))
	for at := range other.all {
		e := &other.all[at]
		if e.depth > other.deepest+maxHunks {
			return ErrDamaged
		}
		content, err := other.whole(at)
		if err != nil {
			return err
		}
		hash, like := Hash(content), ""
		if n, err := nameOf(hash); err != nil || n.key() != e.name.key() {
			return ErrDamaged
		}
		if hashes[at] = hash; e.form.is(part) {
			like = hashes[at-e.back]
		}
		if _, err := s.Keep(content, like); err != nil {
			return err
		}
	}
	return nil
}
