package stories

import (
	"bufio"
	"bytes"
	"database/sql"
	"net/url"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// openDatabase opens the stage's database past Pawl, with the driver that it is linked
// with.
func openDatabase(t testing.TB, s *harness.Stage) *sql.DB {
	t.Helper()
	source := url.URL{Scheme: "file", Path: s.Database(), RawQuery: "_txlock=immediate"}
	db, err := sql.Open("sqlite", source.String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestADatabaseOfANewerPawlIsRefusedInOneLineByEveryCommand(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("An answer.") })
	r, errs, code := s.Prompted(t, "-p", "a question")
	require.Equal(t, 0, code, errs)
	db := openDatabase(t, s)
	_, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	before, err := os.ReadFile(s.Database())
	require.NoError(t, err)
	for _, args := range [][]string{s.Flags("-p", "more"), s.Flags("--continue", "-p", "more"), {"sessions"}, {"show", r.Session}, {"export", r.Session}, {"rm", r.Session}} {
		out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
		require.Equal(t, 1, code, "%q", args)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, s.Database()+" was written by a newer Pawl (schema 99")
		require.Contains(t, errs, "update Pawl")
	}
	x := harness.Start(t, s.Dir, s.Env, s.Flags()...)
	require.Equal(t, 1, x.Wait())
	require.Contains(t, x.Raw(), "was written by a newer Pawl")
	require.False(t, x.Opened(), "there is no screen to show")
	after, err := os.ReadFile(s.Database())
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// A mistyped session is a mistake of words, exit code 2; a database that cannot be read is none, exit
// code 1: whichever command finds it, and whether it finds it at the beginning or in the middle.
func TestAMistypedSessionExits2AndADamagedDatabase1WithEveryCommand(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("An answer.") })
	r, errs, code := s.Prompted(t, "-p", "a question")
	require.Equal(t, 0, code, errs)
	everyCommandEnds := func(want int, session, says string) {
		t.Helper()
		for _, args := range [][]string{
			{"show", session}, {"export", session}, {"import", session, "--format", "md"}, {"verify", session}, {"changes", session},
			{"fork", session}, {"fork", session, "--list"}, {"rm", session}, {"land", session}, {"rewind", session},
			{"wait", session}, {"watch", session}, {"send", session, "hi"}, {"stop", session}, {"answer", session},
			s.Flags("--session", session, "-p", "more"), s.Flags("--session", session, "-p", "--detach", "more"),
		} {
			out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
			require.Equal(t, want, code, "%q: %s", args, errs)
			require.Empty(t, out, "%q", args)
			harness.RequireOneLine(t, errs)
			require.Contains(t, errs, says, "%q", args)
		}
		for _, args := range [][]string{s.Flags("--session", session), {"attach", session}, {"fleet", session}, {"replay", session}} {
			x := harness.Start(t, s.Dir, s.Env, args...)
			require.Equal(t, want, x.Wait(), "%q: %s", args, x.Raw())
			require.Contains(t, x.Raw(), says, "%q", args)
		}
	}
	everyCommandEnds(2, "0000-0000", `no session "0000-0000"`)

	db := openDatabase(t, s)
	var page, size int64
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_schema WHERE name = 'sessions'").Scan(&page))
	require.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&size))
	require.NoError(t, db.Close())
	for _, at := range []int64{(page - 1) * size, 0} { // that of the sessions, which is read late, then the header
		file, err := os.OpenFile(s.Database(), os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = file.WriteAt(bytes.Repeat([]byte{0xff}, 100), at)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		everyCommandEnds(1, r.Session, s.Database()+" is damaged or not a Pawl database")
	}
}

func TestASessionInUseCanBeReadMeanwhile(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("dig") {
			return modeltest.Say("I have just begun").Until(make(chan struct{}))
		}
		return modeltest.Say("An answer.")
	})
	r, errs, code := s.Prompted(t, "-p", "a question")
	require.Equal(t, 0, code, errs)
	x := s.Open(t, "--continue")
	x.Prompt("dig")
	x.See("I have just begun")

	second := s.Open(t, "--session", r.Session)
	second.See("I have just begun")
	second.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, second.Wait())
	require.Contains(t, second.Raw(), "the main agent goes on: pawl attach ")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 1, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "session "+r.Session+" is open, and not deleted: pawl stop "+r.Session[len(r.Session)-8:]+" --all stops what runs in it")

	for _, args := range [][]string{{"sessions"}, {"show", r.Session}, {"export", r.Session, "-o", "-"}, {"export", r.Session, "--format", "json", "-o", "-"}} {
		out, errs, code := harness.Run(t, s.Dir, s.Env, args...)
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, "a question")
		if args[0] != "sessions" {
			require.Contains(t, out, "dig", "what is under way too")
		}
	}
	x.Type(harness.KeyEsc)
	x.See("stopped")
	require.Equal(t, 0, x.Quit())
}

func TestAWaitForAnotherProcessIsShown(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("An answer.") })
	x := s.Open(t)
	busy, err := openDatabase(t, s).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	x.Prompt("a question")
	x.SeeMatch(`✗ not saved: waiting for \d+s: another process keeps the database busy`)
	require.Empty(t, s.Server.All(modeltest.FromParent))
	require.NoError(t, busy.Rollback())
	x.See("An answer.")
	x.SeeNot("✗ not saved")
	x.Rest()

	busy, err = openDatabase(t, s).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	cmd := s.Command(t, "-p", "another")
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	require.Regexp(t, `^pawl: not saved: waiting for \d+s: another process keeps the database busy \(`+regexp.QuoteMeta(s.Database())+`\)\n$`, line)
	require.NoError(t, busy.Rollback())
	harness.WaitEnd(t, cmd)
	require.Zero(t, cmd.ProcessState.ExitCode())
	require.Equal(t, 0, x.Quit())
}
