package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"pawl/internal/regular"
)

// Rules of this file: no database file is ever opened here by its final name.
// The kernel drops all of a process's locks on a file when the process closes
// any descriptor of it, SQLite's too.

// makeFolder makes the folder, and refuses one that SQLite cannot be trusted in
// or that cannot be written.
func (s *Store) makeFolder() error {
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
			return s.say(ErrReadOnly, err, "open the database: the folder %s cannot be made (%v): choose another with PAWL_HOME", folder, reason(err))
		}
		return err
	}
	name, err := s.options.fileSystem(folder)
	if err != nil {
		return err
	}
	if name != "" {
		return s.say(ErrNetwork, nil, "open the database: %s is on a network file system (%s), which cannot keep it safe: set PAWL_HOME to a folder on a local disk", folder, name)
	}
	const writable = 2
	for _, path := range []string{folder, s.path} {
		err := access(path, writable)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.say(ErrReadOnly, err, "open the database: %s cannot be written (%v): %s", path, err, toRead)
		}
	}
	return nil
}

// makeFile makes the database where there is none. It is made whole under
// another name first, so that a file that is there but not whole is never one of
// ours on its way: it is damaged.
func (s *Store) makeFile(ctx context.Context) error {
	_, err := os.Stat(s.path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	folder, base := filepath.Split(s.path)
	made, err := os.CreateTemp(folder, base+".new-*") // 0600
	if err != nil {
		return err
	}
	name := made.Name()
	defer func() {
		for _, rest := range []string{"", "-wal", "-shm", "-journal"} {
			_ = os.Remove(name + rest) // left behind only where nothing can be removed
		}
	}()
	if err := made.Close(); err != nil {
		return err
	}
	// So that Remove can give space back. It must come before the first page, and
	// on a file that has pages it would take the write lock at every start.
	db := s.pool(writeSource(name, s.options)+"&_auto_vacuum=incremental", 1)
	err = s.migrate(ctx, db, nil)
	if err == nil {
		err = fold(ctx, db)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Link(name, s.path); err != nil && !errors.Is(err, fs.ErrExist) { // another process was first
		if err := os.Rename(name, s.path); err != nil { // a file system without links
			return err
		}
	}
	return errors.Join(syncFolder(folder), syncFolder(filepath.Dir(filepath.Clean(folder))))
}

// fold moves the write-ahead log into the file, flushed. The close of the last
// connection does so too, but is silent where it cannot: then the file alone,
// under its new name, would be half a database.
func fold(ctx context.Context, db *sql.DB) error {
	var busy, pages, moved int
	err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(truncate)").Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = errors.New("somebody else has the new database open")
	}
	return err
}

// syncFolder makes a new name in a folder last.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) {
		err = nil // a file system, or a folder above ours, that has no such thing
	}
	return errors.Join(err, f.Close())
}

// onlyRegular refuses what SQLite would wait for, or read as something else.
func (s *Store) onlyRegular() error {
	for _, name := range []string{s.path, s.path + "-wal", s.path + "-shm", s.path + "-journal"} {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return regular.Is(name, info)
		}
	}
	return nil
}

// makePrivate takes back what others may do with the files.
func (s *Store) makePrivate() error {
	for _, name := range []string{s.path, s.path + "-wal", s.path + "-shm"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(name, info.Mode().Perm()&^0o077); err != nil {
			return err
		}
	}
	return nil
}

// unfolded is the size of a write-ahead log that was not folded into the file:
// another process has it open, or ended without closing it.
func (s *Store) unfolded() int64 {
	info, err := os.Stat(s.path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

func (s *Store) size() int64 {
	info, err := os.Stat(s.path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// reason is an error without the path that the line around it names already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
