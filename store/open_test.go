package store

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

func TestEveryConnectionHasThePragmas(t *testing.T) {
	s := open(t, file(t))
	for name, pool := range map[string]struct {
		db   *sql.DB
		size int
	}{"write": {s.write, 1}, "read": {s.read, readers}} {
		var held []*sql.Conn
		for range pool.size { // held at once, so each is another one
			conn, err := pool.db.Conn(t.Context())
			require.NoError(t, err)
			held = append(held, conn)
			for pragma, want := range map[string]any{
				"journal_mode": "wal", "synchronous": int64(2), "busy_timeout": int64(5000), "foreign_keys": int64(1),
				"fullfsync": int64(1), "trusted_schema": int64(0), "cell_size_check": int64(1),
			} {
				var got any
				require.NoError(t, conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got))
				require.Equal(t, want, got, "%s of a connection to %s", pragma, name)
			}
		}
		require.Equal(t, pool.size, pool.db.Stats().OpenConnections)
		for _, conn := range held {
			require.NoError(t, conn.Close())
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	s := open(t, file(t))
	_, err := s.read.ExecContext(t.Context(), `INSERT INTO facts (name, value) VALUES ('a', 'b')`)
	require.Equal(t, codeReadOnly, s.code(err))
}

func TestFilesAreTheirOwnersAlone(t *testing.T) {
	path := file(t)
	s := open(t, path)
	story(t, s)
	release, err := s.Lock("root")
	require.NoError(t, err)
	defer release()
	require.Equal(t, map[string]fs.FileMode{
		".": 0o700 | fs.ModeDir, "pawl.db": 0o600, "pawl.db-wal": 0o600, "pawl.db-shm": 0o600,
		"locks": 0o700 | fs.ModeDir, "locks/root.lock": 0o600,
	}, modes(t, filepath.Dir(path)))
	release()
	require.NoError(t, s.Close())

	require.NoError(t, os.Chmod(path, 0o644))
	open(t, path)
	require.Equal(t, fs.FileMode(0o600), modes(t, filepath.Dir(path))["pawl.db"], "what others were let in to is taken back")
}

func modes(t *testing.T, folder string) map[string]fs.FileMode {
	found := map[string]fs.FileMode{}
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		found[name] = info.Mode()
		return err
	}))
	return found
}

func TestCloseLeavesOneFile(t *testing.T) {
	path := file(t)
	s := open(t, path)
	story(t, s)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "twice is the same as once")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestADatabaseIsMadeOnceByAllWhoOpenIt(t *testing.T) {
	path := file(t)
	var all sync.WaitGroup
	stores := make([]*Store, 8)
	errs := make([]error, 8)
	for i := range stores {
		all.Go(func() { stores[i], errs[i] = Open(t.Context(), path, Options{}) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	for _, s := range stores {
		require.NoError(t, s.SetFact(t.Context(), "a", "b"))
	}
	for _, s := range stores {
		require.NoError(t, s.Close())
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "%v", entries)
}

func TestOddNamesOfFoldersAreNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?mode=memory&x=%41#é", "pawl.db")
	s := open(t, path)
	require.NoError(t, s.SetFact(t.Context(), "a", "b"))
	require.NoError(t, s.Close())
	require.FileExists(t, path)
}

func TestANetworkFileSystemIsRefused(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := story(t, s)
	require.NoError(t, s.Close())

	nfs := Options{fileSystem: func(string) (string, error) { return "nfs", nil }}
	_, err := Open(t.Context(), path, nfs)
	require.ErrorIs(t, err, ErrNetwork)
	require.ErrorContains(t, err, filepath.Dir(path)+" is on a network file system (nfs)")

	nfs.ReadOnly = true
	records, err := open(t, path, nfs).Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records, "reading is safe: nobody can write there")
}

func TestOpenToReadNeverWrites(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := story(t, s)
	require.NoError(t, s.Close())
	before, err := os.ReadFile(path)
	require.NoError(t, err)

	s = open(t, path, Options{ReadOnly: true})
	records, err := s.Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
	require.ErrorIs(t, s.SetFact(t.Context(), "a", "b"), ErrReadOnly)
	require.ErrorIs(t, s.Remove(t.Context(), j.root), ErrReadOnly)
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{newJournal(t, "x").parent().take()}), ErrReadOnly)
	_, err = s.Lock(j.root)
	require.ErrorIs(t, err, ErrReadOnly)
	require.NoError(t, s.Close())

	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestOpenToReadSeesWhatAnotherWrites(t *testing.T) {
	path := file(t)
	writer := open(t, path)
	reader := open(t, path, Options{ReadOnly: true})
	j := story(t, writer)
	records, err := reader.Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
}

func TestOpenToReadDoesNotMakeADatabase(t *testing.T) {
	path := file(t)
	_, err := Open(t.Context(), path, Options{ReadOnly: true})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, path)
	require.NoFileExists(t, path)
}

func TestMigrationsAreInOrder(t *testing.T) {
	require.NotEmpty(t, migrations(embedded))
}
