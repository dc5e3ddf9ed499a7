package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Options say how a database is opened. The zero value opens it to write.
type Options struct {
	// ReadOnly opens an existing database without changing it, even on read-only
	// media. Every write fails with ErrReadOnly.
	ReadOnly bool
	// Waiting is called about every five seconds, from the writing goroutine, while
	// a write waits for another process, with the time it has waited so far.
	Waiting func(waited time.Duration)

	// For tests; the zero values mean the defaults.
	busy       time.Duration
	maxWait    time.Duration
	migrations fs.FS
	fileSystem func(folder string) (string, error)
	engine     engine
}

// How long a write waits for another process: inside SQLite, and in all.
const (
	defaultBusy    = 5 * time.Second
	defaultMaxWait = 90 * time.Second
)

// readers is how many reads may run at the same time.
const readers = 4

// Store is an open database; Close it when done. Its methods may be called from any
// goroutine: writes run one after the other, reads do not wait. Each honours its
// context at once, except that a write waiting for another process's lock may take
// five seconds to notice.
type Store struct {
	path    string
	options Options

	read  *sql.DB
	write *sql.DB // nil when opened to read
	do    statements
	page  pageCursor

	paging compiled
}

// Open opens the database at path, and creates it and its folder if needed, readable
// by their owner only. A file with an older schema is copied, then brought up to date.
// A file that is damaged, not Pawl's, or newer than this program is left unchanged.
//
// The error is one line that names the file and says what to do; it wraps ErrDamaged,
// ErrNewer, ErrNetwork, ErrReadOnly or fs.ErrNotExist (nothing there to read) if one
// of these is the reason.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, err)
	}
	s := &Store{path: absolute, options: options.withDefaults(), do: statements{}, paging: compiled{known: statements{}}}
	switch err = s.onlyRegular(); {
	case err != nil:
	case options.ReadOnly:
		err = s.openToRead(ctx)
	default:
		err = s.openToWrite(ctx)
	}
	if err != nil {
		_ = s.Close() // the first error tells why
		return nil, s.fault(ctx, "open the database", err)
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	o.busy, o.maxWait = cmp.Or(o.busy, defaultBusy), cmp.Or(o.maxWait, defaultMaxWait)
	if o.migrations == nil {
		o.migrations = embedded
	}
	if o.fileSystem == nil {
		o.fileSystem = NetworkFileSystem
	}
	if o.engine.open == nil {
		o.engine = modernc
	}
	return o
}

// Close closes the database and checkpoints its write-ahead log. It may be called
// more than once.
func (s *Store) Close() error {
	var errs []error
	for _, some := range []statements{s.do, s.paging.known} {
		for _, stmt := range some {
			errs = append(errs, stmt.Close())
		}
	}
	for _, db := range []*sql.DB{s.read, s.write} { // the last one closed checkpoints: it must be able to write
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Path is the absolute path of the database file.
func (s *Store) Path() string { return s.path }

func (s *Store) openToWrite(ctx context.Context) error {
	if err := s.makeFolder(); err != nil {
		return err
	}
	if err := s.makeFile(ctx); err != nil {
		return err
	}
	unclean := s.walSize() > 0 && !s.inUse()
	if err := s.makePrivate(); err != nil {
		return err
	}
	s.read = s.pool(s.readSource(nil), readers)
	if _, err := s.inspect(ctx); err != nil {
		return err
	}
	s.write = s.pool(writeSource(s.path, s.options), 1)
	if err := s.migrate(ctx, s.write, s.copy); err != nil {
		return err
	}
	if unclean && sizeOf(s.path) <= checkedAtOnce {
		if err := s.Check(ctx); err != nil {
			return err
		}
	}
	return s.do.prepare(ctx, s.write)
}

// openToRead opens the file as usual if it can, which sees what other processes
// write. Where SQLite cannot create its side files, as on read-only media, it opens
// the file as immutable.
func (s *Store) openToRead(ctx context.Context) error {
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
		return s.faultf(fs.ErrNotExist, err, "open the database: there is none at %s", s.path)
	} else if err != nil {
		return err
	}
	name, err := s.options.fileSystem(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	version := 0
	if name == "" {
		s.read = s.pool(s.readSource(nil), readers)
		version, err = s.inspect(ctx)
	}
	if name != "" || s.unreadable(err) {
		if s.walSize() > 0 {
			return s.faultf(ErrReadOnly, err, "open the database: %s has a write-ahead log beside it that cannot be read here: copy both to a folder that can be written", s.path)
		}
		if s.read != nil {
			_ = s.read.Close() // nothing was read yet
		}
		s.read = s.pool(s.readSource(url.Values{"immutable": {"1"}}), readers)
		version, err = s.inspect(ctx)
	}
	if err != nil {
		return err
	}
	if newest := newestSchema(s.options.migrations); version < newest {
		return s.faultf(ErrReadOnly, nil, "open the database: %s has the older schema %d (this Pawl needs %d): start pawl once, which updates it", s.path, version, newest)
	}
	return nil
}

// pool returns a pool that opens each connection when it is first needed, with the
// pragmas of its source.
func (s *Store) pool(source string, size int) *sql.DB {
	db, err := s.options.engine.open(source)
	if err != nil { // the driver is registered, and opening parses nothing
		panic("store: " + err.Error())
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db
}

// readSource names the database for connections that cannot write.
func (s *Store) readSource(extra url.Values) string {
	values := pragmas(s.options)
	values.Add("_pragma", "cache_size(-1024)") // kB; the system's cache holds recent pages too
	values.Set("mode", "ro")
	values.Set("_query_only", "1")
	for key, value := range extra {
		values[key] = value
	}
	return source(s.path, values)
}

// writeSource names a database for the one connection that writes.
func writeSource(path string, options Options) string {
	values := pragmas(options)
	values.Set("mode", "rw") // never creates the file: makeFile does
	values.Set("_txlock", "immediate")
	values.Add("_pragma", "cache_size(-8192)") // kB: pages that a transaction changes stay in memory
	values.Add("_pragma", "journal_mode(wal)")
	values.Add("_pragma", "journal_size_limit(16777216)")
	values.Add("_pragma", "secure_delete(fast)") // overwrite deleted content if that writes no further page
	return source(path, values)
}

// pragmas are those of every connection. They are part of its source because SQLite
// keeps them per connection and the pool makes connections as it likes.
func pragmas(options Options) url.Values {
	return url.Values{
		"_busy_timeout": {strconv.FormatInt(options.busy.Milliseconds(), 10)},
		"_defensive":    {"1"},
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_pragma": {
			"synchronous(full)",
			"fullfsync(1)", // macOS: the only flush that reaches the disk
			"checkpoint_fullfsync(1)",
			"foreign_keys(1)",
			"trusted_schema(0)",
			"cell_size_check(1)",
			"temp_store(memory)",
		},
	}
}

func source(path string, values url.Values) string {
	return (&url.URL{Scheme: "file", Path: path, RawQuery: values.Encode()}).String()
}
