package stories

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// database is the stage's.
func (s *stage) database() string { return filepath.Join(s.home, "data", "pawl.db") }

// direct opens the stage's database past Pawl, with the driver that it is linked
// with.
func (s *stage) direct(t testing.TB) *sql.DB {
	t.Helper()
	source := url.URL{Scheme: "file", Path: s.database(), RawQuery: "_txlock=immediate"}
	db, err := sql.Open("sqlite", source.String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestADatabaseOfANewerPawlIsRefusedInOneLineByEveryCommand(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("An answer.") })
	r, errs, code := s.prompted(t, "-p", "a question")
	require.Equal(t, 0, code, errs)
	db := s.direct(t)
	_, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	before, err := os.ReadFile(s.database())
	require.NoError(t, err)
	for _, args := range [][]string{s.flags("-p", "more"), s.flags("--continue", "-p", "more"), {"sessions"}, {"show", r.Session}, {"export", r.Session}, {"rm", r.Session}} {
		out, errs, code := run(t, s.dir, s.env, args...)
		require.Equal(t, 1, code, "%q", args)
		require.Empty(t, out)
		requireOneLine(t, errs)
		require.Contains(t, errs, s.database()+" was written by a newer Pawl (schema 99")
		require.Contains(t, errs, "update Pawl")
	}
	x := start(t, s.dir, s.env, s.flags()...)
	require.Equal(t, 1, x.wait())
	require.Contains(t, x.raw(), "was written by a newer Pawl")
	require.False(t, x.opened(), "there is no screen to show")
	after, err := os.ReadFile(s.database())
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestASessionInUseCanBeReadMeanwhile(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.asked("dig") {
			return say("I have just begun").until(make(chan struct{}))
		}
		return say("An answer.")
	})
	r, errs, code := s.prompted(t, "-p", "a question")
	require.Equal(t, 0, code, errs)
	x := s.open(t, "--continue")
	x.prompt("dig")
	x.see("I have just begun")

	want := "has session " + r.Session + " open: read it with pawl show " + r.Session
	_, errs, code = run(t, s.dir, s.env, s.flags("--continue", "-p", "more")...)
	require.Equal(t, 1, code)
	requireOneLine(t, errs)
	require.Contains(t, errs, want)
	second := start(t, s.dir, s.env, s.flags("--session", r.Session)...)
	require.Equal(t, 1, second.wait())
	require.Contains(t, second.raw(), "open: read it with pawl show")
	_, errs, code = run(t, s.dir, s.env, "rm", r.Session)
	require.Equal(t, 1, code)
	require.Contains(t, errs, want)

	for _, args := range [][]string{{"sessions"}, {"show", r.Session}, {"export", r.Session, "-o", "-"}, {"export", r.Session, "--format", "json", "-o", "-"}} {
		out, errs, code := run(t, s.dir, s.env, args...)
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, "a question")
		if args[0] != "sessions" {
			require.Contains(t, out, "dig", "what is under way too")
		}
	}
	x.type_(keyEsc)
	x.see("stopped")
	require.Equal(t, 0, x.quit())
}

func TestAWaitForAnotherProcessIsShown(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("An answer.") })
	x := s.open(t)
	busy, err := s.direct(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	x.prompt("a question")
	x.see("✗ not saved: waiting for 5s: another process keeps the database busy")
	require.Empty(t, s.server.all(fromParent))
	require.NoError(t, busy.Rollback())
	x.see("An answer.")
	x.seeNot("✗ not saved")
	x.rest()

	busy, err = s.direct(t).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	cmd := s.command(t, "-p", "another")
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line := make([]byte, 200)
	n, err := said.Read(line)
	require.NoError(t, err)
	require.Regexp(t, `^pawl: not saved: waiting for [5-9]s: another process keeps the database busy \(`+regexp.QuoteMeta(s.database())+`\)\n$`, string(line[:n]))
	require.NoError(t, busy.Rollback())
	waitEnd(t, cmd)
	require.Zero(t, cmd.ProcessState.ExitCode())
	require.Equal(t, 0, x.quit())
}
