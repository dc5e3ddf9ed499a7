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

// No function of this file opens a database by its final name: when a process
// closes any descriptor of a file, the kernel drops all of its locks on that file,
// SQLite's too.

// makeFolder makes the folder. It refuses one on a network file system, where
// SQLite is not safe, and one that cannot be written.
func (s *Store) makeFolder() error {
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
			return s.faultf(ErrReadOnly, err, "open the database: the folder %s cannot be made (%v): choose another with PAWL_HOME", folder, reason(err))
		}
		return err
	}
	name, err := s.options.fileSystem(folder)
	if err != nil {
		return err
	}
	if name != "" {
		return s.faultf(ErrNetwork, nil, "open the database: %s is on a network file system (%s), which cannot keep it safe: set PAWL_HOME to a folder on a local disk", folder, name)
	}
	const writable = 2
	for _, path := range []string{folder, s.path} {
		err := access(path, writable)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return s.faultf(ErrReadOnly, err, "open the database: %s cannot be written (%v): %s", path, err, toRead)
		}
	}
	return nil
}

// makeFile makes the database if there is none. It is completed under another name
// first, so an incomplete file under the final name is damaged and never one that is
// still being made.
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
	// auto_vacuum lets Remove give space back. It must be set before the first page;
	// on a file that has pages it would take the write lock at every start.
	db := s.pool(writeSource(name, s.options)+"&_auto_vacuum=incremental", 1)
	err = s.migrate(ctx, db, nil)
	if err == nil {
		err = checkpoint(ctx, db)
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

// checkpoint moves the write-ahead log into the file and flushes it. Closing the last
// connection does so too but does not report a failure, and then the file alone,
// under its new name, would be half a database.
func checkpoint(ctx context.Context, db *sql.DB) error {
	var busy, pages, moved int
	err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(truncate)").Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = errors.New("somebody else has the new database open")
	}
	return err
}

// syncFolder flushes a folder, so that a new name in it survives a power cut.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) {
		err = nil // the file system cannot, or the folder is not ours
	}
	return errors.Join(err, f.Close())
}

// onlyRegular refuses database files that are not regular, such as a pipe, on which
// SQLite would block.
func (s *Store) onlyRegular() error {
	for _, name := range []string{s.path, s.path + "-wal", s.path + "-shm", s.path + "-journal"} {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return regular.Is(name, info)
		}
	}
	return nil
}

// makePrivate removes the permissions of group and others from the files.
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

// walSize is the size of the write-ahead log, in bytes. It is above 0 if another
// process has the database open, or ended without closing it.
func (s *Store) walSize() int64 { return sizeOf(s.path + "-wal") }

// sizeOf is the size of a file, in bytes; 0 if it cannot be told.
func sizeOf(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// reason strips the path from an error whose message names the path already.
func reason(err error) error {
	if path, is := errors.AsType[*fs.PathError](err); is {
		return path.Err
	}
	return err
}
