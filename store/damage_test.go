package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
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
	const inSchema = "CREATE TABLE runs (\n    id      TEXT    NOT NULL" // SQLite's error repeats it, line ends too
	require.Equal(t, 1, bytes.Count(whole, []byte(inSchema)))
	contents["a schema that is no SQL"] = bytes.Replace(whole, []byte(inSchema), []byte(strings.Replace(inSchema, "NOT", "'OT", 1)), 1)
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
// a list that came out short must come with an error, and a file that is refused,
// or only read, stays as it is.
func TestDamagedPagesAreReportedNotHidden(t *testing.T) {
	t.Parallel()
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
	path := filepath.Join(quick(t), "pawl.db")
	refused, found, hurt := 0, 0, 0
	flips := soaktest.Count(t, 100, 20_000)
	for n := range flips {
		broken := bytes.Clone(whole)
		broken[random.IntN(len(broken))] ^= byte(1 + random.IntN(255))
		require.NoError(t, os.WriteFile(path, broken, 0o600))
		s, err := Open(t.Context(), path, Options{ReadOnly: n%2 == 0})
		if err != nil {
			refused++
			requireLine(t, err, path)
			require.Equal(t, string(broken), readFile(t, path), "it is left as it is")
			continue
		}
		err = s.Check(t.Context())
		if err != nil {
			found++
			requireLine(t, err, path)
		}
		infos, listed := s.Sessions(t.Context(), Filter{RootsOnly: true})
		require.True(t, err != nil || listed != nil || len(infos) == len(journals), "a list came out short in silence")
		if readAll(t, s, journals) > 0 {
			hurt++
		}
		require.NoError(t, s.Close())
		if n%2 == 0 {
			require.Equal(t, string(broken), readFile(t, path), "a reader leaves it as it is")
		}
	}
	t.Logf("%d files with one byte turned: %d refused, %d damaged as the check finds, %d with a read that says so", flips, refused, found, hurt)
	soaktest.Tried(t, flips, "database files with a damaged byte")
	require.NotZero(t, refused)
	require.NotZero(t, found)
}

func requireLine(t *testing.T, err error, path string) {
	t.Helper()
	require.NotContains(t, err.Error(), "\n")
	require.Contains(t, err.Error(), path)
}

// A write-ahead log that is garbage, or damaged, takes with it what it alone
// held, from the damage on: what is left is whole transactions, and what was
// folded stays.
func TestADamagedLogLeavesWholeTransactions(t *testing.T) {
	t.Parallel()
	d := newDisk(t, mode{}, 0)
	d.tape = &tape{}
	folder := quick(t)
	dr := newFullStory(t, folder, d.engine())
	for _, sc := range dr.scenes[:9] { // up to before its close: all that matters is in the log
		require.NoError(t, sc.act(dr), sc.name)
	}
	path := dr.killed()
	require.NoError(t, dr.s.Close())
	base, err := os.ReadFile(path)
	require.NoError(t, err)
	log, err := os.ReadFile(path + "-wal")
	require.NoError(t, err)

	random := rand.New(rand.NewPCG(3, 4))
	garbage := make([]byte, 100_000)
	for i := range garbage {
		garbage[i] = byte(random.Uint32())
	}
	logs := [][]byte{{}, garbage, append(bytes.Clone(log[:32]), garbage...), append(bytes.Clone(log), garbage...), []byte("not a log")}
	for cut := 32; cut < len(log); cut += 4096 + 24 {
		logs = append(logs, log[:cut], log[:cut+random.IntN(4096)])
	}
	for range soaktest.Count(t, 100, 20_000) / 4 {
		broken := bytes.Clone(log)
		broken[random.IntN(len(broken))] ^= byte(1 + random.IntN(255))
		logs = append(logs, broken)
	}
	for _, content := range logs {
		require.NoError(t, os.WriteFile(path, base, 0o600))
		require.NoError(t, os.WriteFile(path+"-wal", content, 0o600))
		found, ok := look(t, path)
		require.True(t, ok)
		require.True(t, slices.ContainsFunc(dr.images[:10], func(i image) bool { return assert.ObjectsAreEqual(i, found) }), "half a transaction")
	}
	t.Logf("%d damaged logs", len(logs))
}

// readAll reads whatever there is, and counts what came with an error.
func readAll(t *testing.T, s *Store, journals []*journal) (failed int) {
	for _, j := range journals {
		_, load := s.Load(t.Context(), j.root)
		_, records := s.Records(t.Context(), j.root, 0, 0)
		_, entries := s.Entries(t.Context(), j.root)
		for _, err := range []error{load, records, entries} {
			if err != nil {
				failed++
				require.NotContains(t, err.Error(), "\n")
			}
		}
	}
	return failed
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
	steps := fstest.MapFS{}
	for _, known := range migrations(embedded) {
		text, err := embedded.ReadFile(known.name)
		if err != nil {
			panic(err)
		}
		steps[known.name] = &fstest.MapFile{Data: text}
	}
	steps[fmt.Sprintf("migration/%04d_next.sql", newestSchema(embedded)+1)] = &fstest.MapFile{Data: []byte(statement)}
	return Options{migrations: steps}
}

// before names the copies that a migration makes of a file with today's schema.
func before(path string) string { return fmt.Sprintf("%s.schema-%d.", path, newestSchema(embedded)) }

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

	copies, err := filepath.Glob(before(path) + "*")
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
	require.ErrorContains(t, err, "a copy from before is in "+before(path))

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
	require.ErrorContains(t, err, "start pawl once, which updates it")
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}
