package filestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"pawl/internal/regular"
)

// packName is the file in the folder; magic is how it begins, and oldMagic how it did when its records
// were of version 1. Such a pack is of version 2 once a record is added.
const (
	packName = "pack"
	magic    = "pawl files 2\n"
	oldMagic = "pawl files 1\n"
)

// open opens the pack, for writing if that is wanted: then it is made where there is none.
func (s *Store) open(writing bool) error {
	if s.file != nil && (s.writes || !writing) {
		return nil
	}
	name, flag := filepath.Join(s.folder, packName), os.O_RDONLY
	if writing {
		if err := os.MkdirAll(s.folder, 0o700); err != nil {
			return err
		}
		flag = os.O_RDWR | os.O_CREATE
	}
	file, err := regular.OpenWith(os.OpenFile, name, flag, 0o600)
	if err != nil {
		return err
	}
	if s.file != nil { // open for reading until now
		if !sameFile(s.file, file) {
			return errors.Join(errors.New("the file store was replaced by another program"), file.Close())
		}
		_ = s.file.Close() // it was only read
	}
	s.file, s.writes = file, writing
	return nil
}

func sameFile(a, b *os.File) bool {
	one, err := a.Stat()
	if err != nil {
		return false
	}
	other, err := b.Stat()
	return err == nil && os.SameFile(one, other)
}

// locked calls act while no other process writes, with all records read. What was not written to its
// end is cut off first.
func (s *Store) locked(act func() error) (err error) {
	if err := lock(s.file); err != nil {
		return fmt.Errorf("lock the file store: %w", err)
	}
	defer func() { err = errors.Join(err, unlock(s.file)) }()
	if err := s.catchUp(); err != nil {
		return err
	}
	if err := s.cutTail(); err != nil {
		return err
	}
	return act()
}

// cutTail removes what is behind the last whole record, and begins a pack that is empty.
func (s *Store) cutTail() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > s.end {
		if err := s.file.Truncate(s.end); err != nil {
			return err
		}
	}
	if s.end > 0 && !s.old {
		return nil
	}
	if _, err := s.file.WriteAt([]byte(magic), 0); err != nil {
		return err
	}
	if s.old = false; s.end == 0 {
		s.end, s.made = int64(len(magic)), true
	}
	return nil
}

// append writes a record at the end, in one call; base is what it is like. On an error there is no
// such record. The caller holds the lock.
func (s *Store) append(e entry, stored []byte, base resembled) error {
	if e.form.is(part) {
		e.back = len(s.all) - base.at
	}
	record := append(e.header(), stored...)
	if s.end+int64(len(record)) > s.room {
		return ErrFull
	}
	if _, err := s.file.WriteAt(record, s.end); err != nil {
		_ = s.file.Truncate(s.end) // what is left of it is no record, and the next writer cuts it off
		return err
	}
	e.known = true
	s.add(e, int64(len(record))-e.stored)
	return nil
}

// add takes a record in that begins at the end of those that are known.
func (s *Store) add(e entry, header int64) {
	e.at = s.end + header
	if e.form.is(part) {
		e.depth = s.all[len(s.all)-e.back].depth + len(e.hunks)
	}
	s.end = e.at + e.stored
	s.all = append(s.all, e)
	s.index[e.name.key()] = len(s.all) - 1
}

// window is how much is read at once while headers are looked for.
const window = 16 << 10

// catchUp reads the headers of the records that were added since the last time, up to the first that
// is not whole.
func (s *Store) catchUp() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if s.end == 0 {
		if size < int64(len(magic)) {
			return nil // begun, and not written to the end of its first line
		}
		first := make([]byte, len(magic))
		if _, err := s.file.ReadAt(first, 0); err != nil {
			return err
		}
		if s.old = string(first) == oldMagic; !s.old && string(first) != magic {
			return errors.New("the file store is of another version of Pawl, or damaged")
		}
		s.end = int64(len(magic))
	}
	var at int64 // of buffer
	var buffer []byte
	for s.end < size {
		if at+int64(len(buffer)) < min(s.end+maxHeader, size) || s.end < at {
			at = s.end
			buffer = make([]byte, min(window, size-at))
			if _, err := s.file.ReadAt(buffer, at); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		e, length, err := readHeader(buffer[s.end-at:])
		if err != nil || !s.fits(&e, int64(length), size) {
			return nil
		}
		s.add(e, int64(length))
	}
	return nil
}

// fits reports whether a record can stand at the end of those that are known, in a file of that size,
// and completes it by the one that it is like.
func (s *Store) fits(e *entry, header, size int64) bool {
	if s.end+header+e.stored > size {
		return false
	}
	if !e.form.is(part) {
		return e.size <= s.most
	}
	if e.back < 1 || e.back > len(s.all) {
		return false
	}
	base := s.all[len(s.all)-e.back]
	if e.old {
		e.hunks[0].drop = base.size - e.size + e.hunks[0].put
	}
	var used int64 // of the one that it is like
	for _, h := range e.hunks {
		if used += h.same + h.drop; h.drop < 0 {
			return false
		}
	}
	fromBase := base.size
	for _, h := range e.hunks {
		fromBase -= h.drop
	}
	e.size = fromBase + e.put()
	return used <= base.size && e.size <= s.most
}

// Sync returns when all that Keep has told of would survive a power cut. Its error says in a few words
// why it may not.
func (s *Store) Sync() error {
	s.mu.Lock()
	file, kept, made := s.file, s.kept, s.made
	done := file == nil || kept <= s.synced
	all := len(s.all)
	s.mu.Unlock()
	if done {
		return nil
	}
	err := file.Sync()
	if err == nil && made {
		above := filepath.Dir(s.folder)
		err = errors.Join(syncFolder(s.folder), syncFolder(above), syncFolder(filepath.Dir(above)))
	}
	if err != nil {
		return plainCause(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.synced, s.made = max(s.synced, all), false
	return nil
}

// Synced reports whether a content is kept and would survive a power cut, as far as this Store knows.
func (s *Store) Synced(hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.find(hash)
	return err == nil && at < s.synced
}

// syncFolder makes the names in a folder survive a power cut, where the file system can.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
