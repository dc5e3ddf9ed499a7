package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// refusedAsItIs opens a file that must be refused in one line that names it, and
// left as it is.
func refusedAsItIs(t *testing.T, path string, kind error) {
	t.Helper()
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, options := range []Options{{}, {ReadOnly: true}} {
		_, err := Open(t.Context(), path, options)
		require.ErrorIs(t, err, kind)
		require.ErrorContains(t, err, path)
		require.NotContains(t, err.Error(), "\n")
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after), "the file has changed")
}

func TestANewerSchemaIsRefusedAndUntouched(t *testing.T) {
	path := file(t)
	s := open(t, path)
	story(t, s)
	_, err := s.write.ExecContext(t.Context(), `PRAGMA user_version = 99`)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	refusedAsItIs(t, path, ErrNewer)
}

func TestANewerSchemaInTheLogAloneIsRefused(t *testing.T) {
	path := file(t)
	newer := open(t, path)
	_, err := newer.write.ExecContext(t.Context(), `PRAGMA user_version = 99`) // not folded yet
	require.NoError(t, err)
	_, err = Open(t.Context(), path, Options{})
	require.ErrorIs(t, err, ErrNewer)
}

func TestAWriteIsRefusedAfterANewerPawlChangedTheSchema(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := newJournal(t, "root").parent().into(s)
	newer := open(t, path)
	_, err := newer.write.ExecContext(t.Context(), `PRAGMA user_version = 99`)
	require.NoError(t, err)
	err = s.Append(t.Context(), []lc.Change{j.child("a").take()})
	require.ErrorIs(t, err, ErrNewer)
}

func TestADamagedFileIsRefused(t *testing.T) {
	sound := file(t)
	s := open(t, sound)
	for range 10 {
		story(t, s)
	}
	require.NoError(t, s.Close())
	whole, err := os.ReadFile(sound)
	require.NoError(t, err)
	require.Greater(t, len(whole), 20*4096)

	foreign := file(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(foreign), 0o700))
	db, err := sql.Open("sqlite", foreign)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `CREATE TABLE precious (a)`)
	require.NoError(t, errors.Join(err, db.Close()))
	other, err := os.ReadFile(foreign)
	require.NoError(t, err)

	contents := map[string][]byte{
		"text": []byte(strings.Repeat("not a database\n", 1000)), "empty": {}, "short": whole[:50], "another program's": other,
		"zeros": make([]byte, 8192), "no header": append(make([]byte, 100), whole[100:]...),
	}
	for cut := 4096; cut < len(whole); cut += 4096 {
		contents["cut at "+strconv.Itoa(cut)] = whole[:cut]
	}
	for name, content := range contents {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pawl.db")
			require.NoError(t, os.WriteFile(path, content, 0o600))
			refusedAsItIs(t, path, ErrDamaged)
		})
	}
}

// A byte that turned in the middle of a text is a text; but nothing may panic,
// and a list that came out short must come with an error.
func TestDamagedPagesAreReportedNotHidden(t *testing.T) {
	sound := file(t)
	s := open(t, sound)
	var journals []*journal
	for range 10 {
		journals = append(journals, story(t, s))
	}
	require.NoError(t, s.Close())
	whole, err := os.ReadFile(sound)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "pawl.db")
	reported := 0
	for range 40 {
		broken := bytes.Clone(whole)
		broken[random.IntN(len(broken))] ^= byte(1 + random.IntN(255))
		require.NoError(t, os.WriteFile(path, broken, 0o600))
		s, err := Open(t.Context(), path, Options{ReadOnly: true})
		if err != nil {
			reported++
			continue
		}
		if s.Check(t.Context()) != nil {
			reported++
		} else {
			infos, err := s.Sessions(t.Context(), Filter{RootsOnly: true})
			require.True(t, err != nil || len(infos) == len(journals), "a list came out short in silence")
			readAll(t.Context(), s, journals)
		}
		require.NoError(t, s.Close())
	}
	require.NotZero(t, reported)
}

func readAll(ctx context.Context, s *Store, journals []*journal) {
	for _, j := range journals {
		_, _ = s.Load(ctx, j.root) // an error or not: it returns
		_, _ = s.Records(ctx, j.root, 0, 0)
		_, _ = s.Entries(ctx, j.root)
	}
}

func TestCheckFindsARowThatBelongsToNothing(t *testing.T) {
	s := open(t, file(t))
	require.NoError(t, s.Check(t.Context()))
	_, err := s.write.ExecContext(t.Context(), `PRAGMA foreign_keys = off`)
	require.NoError(t, err)
	_, err = s.write.ExecContext(t.Context(), `INSERT INTO grants VALUES ('nobody', 'shell', '', 'run', 1)`)
	require.NoError(t, err)
	require.ErrorIs(t, s.Check(t.Context()), ErrDamaged)
}

// later is the schema of a Pawl that is yet to come.
func later(statement string) Options {
	first, err := embedded.ReadFile("migration/0001_init.sql")
	if err != nil {
		panic(err)
	}
	return Options{migrations: fstest.MapFS{
		"migration/0001_init.sql": {Data: first},
		"migration/0002_next.sql": {Data: []byte(statement)},
	}}
}

func TestAMigrationCopiesTheFileFirst(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := story(t, s)
	require.NoError(t, s.Close())

	s = open(t, path, later(`ALTER TABLE facts ADD COLUMN since INTEGER;`))
	_, err := s.read.ExecContext(t.Context(), `SELECT since FROM facts`)
	require.NoError(t, err)
	records, err := s.Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)

	copies, err := filepath.Glob(path + ".schema-1.*")
	require.NoError(t, err)
	require.Len(t, copies, 1)
	info, err := os.Stat(copies[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	records, err = open(t, copies[0]).Records(t.Context(), j.root, 0, 0) // this program knows that schema
	require.NoError(t, err)
	require.Equal(t, j.records, records)

	_, err = Open(t.Context(), path, Options{})
	require.ErrorIs(t, err, ErrNewer)
}

func TestAFailedMigrationChangesNothing(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := story(t, s)
	require.NoError(t, s.Close())
	_, err := Open(t.Context(), path, later(`ALTER TABLE facts ADD COLUMN since INTEGER; INSERT INTO nowhere VALUES (1);`))
	require.ErrorContains(t, err, "a copy from before stands in "+path+".schema-1.")

	records, err := open(t, path).Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
}

func TestANewDatabaseIsNotCopied(t *testing.T) {
	path := file(t)
	require.NoError(t, open(t, path, later(`ALTER TABLE facts ADD COLUMN since INTEGER;`)).Close())
	copies, err := filepath.Glob(path + "*.schema-*")
	require.NoError(t, err)
	require.Empty(t, copies)
}

func TestAnOlderSchemaIsNotReadWhereItCannotBeChanged(t *testing.T) {
	path := file(t)
	require.NoError(t, open(t, path).Close())
	options := later(`ALTER TABLE facts ADD COLUMN since INTEGER;`)
	options.ReadOnly = true
	_, err := Open(t.Context(), path, options)
	require.ErrorIs(t, err, ErrReadOnly)
	require.ErrorContains(t, err, "open it once where it can be written")
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}
