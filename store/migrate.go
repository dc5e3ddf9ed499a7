package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed migration/*.sql
var embedded embed.FS

// application marks a file as Pawl's in its header: "Pawl" in ASCII.
const application = 0x5061776c

// checkedAtOnce is the largest file, in bytes, that is checked in full at opening
// if the last process did not close it: that takes about a tenth of a second. Where
// another process drives a session nobody has left it so.
const checkedAtOnce = 32 << 20

// migration is one numbered step of the schema.
type migration struct {
	version int // user_version after this step
	name    string
}

// migrations lists the steps in order. A gap, or a name without a number, is a
// programming error and panics.
func migrations(files fs.FS) []migration {
	names, err := fs.Glob(files, "migration/*.sql")
	if err != nil {
		panic("store: " + err.Error())
	}
	slices.Sort(names)
	steps := make([]migration, len(names))
	for i, name := range names {
		number, _, _ := strings.Cut(path.Base(name), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			panic("store: migration " + name + " is out of order")
		}
		steps[i] = migration{version: version, name: name}
	}
	return steps
}

// Schema is the schema version that this program reads and writes.
func Schema() int { return newestSchema(embedded) }

func newestSchema(files fs.FS) int { return len(migrations(files)) }

// inspect returns the schema version of the file without changing it, and refuses
// a file that is not Pawl's.
func (s *Store) inspect(ctx context.Context) (version int, err error) {
	var mark, tables int
	err = s.read.QueryRowContext(ctx,
		`SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
		 FROM pragma_application_id a, pragma_user_version v`).Scan(&mark, &version, &tables)
	switch {
	case err != nil:
		return 0, err
	case tables == 0 || mark != application:
		return 0, s.damaged("open the database", errors.New("its header is not Pawl's"))
	}
	return version, s.checkSchema(version)
}

// checkSchema refuses a schema made by a newer program.
func (s *Store) checkSchema(version int) error {
	if newest := newestSchema(s.options.migrations); version > newest {
		return s.faultf(ErrNewer, nil,
			"%s was written by a newer Pawl (schema %d, this one knows %d): update Pawl, or set PAWL_HOME to another folder", s.path, version, newest)
	}
	return nil
}

// migrate brings a database up to date, step by step, each in one transaction, after
// keep has copied the file once; a nil keep copies nothing. Several processes may migrate
// at the same time: they take turns.
func (s *Store) migrate(ctx context.Context, db *sql.DB, keep func(context.Context, *sql.DB, int) (string, error)) error {
	version, err := schemaOf(ctx, db)
	if err != nil {
		return err
	}
	for _, step := range migrations(s.options.migrations) {
		if version >= step.version {
			continue
		}
		if err := s.takeStep(ctx, db, step, keep); err != nil {
			return err
		}
		keep = nil // the copy is from before all of them
	}
	return nil
}

// takeStep copies the file and applies one step, unless another process has applied it
// meanwhile.
func (s *Store) takeStep(ctx context.Context, db *sql.DB, step migration, keep func(context.Context, *sql.DB, int) (string, error)) error {
	version, err := schemaOf(ctx, db)
	if err != nil || version >= step.version {
		return err
	}
	var copied string
	if keep != nil {
		if copied, err = keep(ctx, db, version); err != nil {
			return fmt.Errorf("copy it before a change of its schema: %w", err)
		}
	}
	if err := s.applyStep(ctx, db, step); err != nil {
		if copied != "" {
			err = fmt.Errorf("%w (a copy from before is in %s)", err, copied)
		}
		return fmt.Errorf("change its schema to %d: %w", step.version, err)
	}
	return nil
}

// applyStep applies one step, unless another process has applied it meanwhile.
func (s *Store) applyStep(ctx context.Context, db *sql.DB, step migration) error {
	text, err := fs.ReadFile(s.options.migrations, step.name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it has nothing to do
	version, err := schemaOf(ctx, tx)
	if err != nil || version >= step.version {
		return err
	}
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", application, step.version)
	if _, err := tx.ExecContext(ctx, string(text)+mark); err != nil {
		return err
	}
	return tx.Commit()
}

func schemaOf(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
},
) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}

// copy writes the whole database to a new file beside it and returns the file's name.
func (s *Store) copy(ctx context.Context, db *sql.DB, version int) (string, error) {
	name := fmt.Sprintf("%s.schema-%d.%s", s.path, version, time.Now().UTC().Format("20060102T150405.000000000Z"))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would ask the umask
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	if _, err = db.ExecContext(ctx, "VACUUM INTO ?", name); err == nil {
		err = syncCopy(name) // SQLite does not
	}
	if err != nil {
		_ = os.Remove(name) // half a copy is useless
		return "", err
	}
	return name, nil
}

func syncCopy(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close(), syncFolder(filepath.Dir(name)))
}

// Check reads the whole file and returns ErrDamaged if it is inconsistent. It takes
// about a second for 300 MB.
func (s *Store) Check(ctx context.Context) error {
	const act = "check the database"
	for _, pragma := range []string{"PRAGMA quick_check(1)", "SELECT 'a row of ' || \"table\" || ' belongs to nothing' FROM pragma_foreign_key_check LIMIT 1"} {
		var found string
		err := s.read.QueryRowContext(ctx, pragma).Scan(&found)
		switch {
		case errors.Is(err, sql.ErrNoRows), err == nil && found == "ok":
		case err != nil:
			return s.fault(ctx, act, err)
		default:
			return s.damaged(act, errors.New(strings.ReplaceAll(found, "\n", " ")))
		}
	}
	return nil
}
