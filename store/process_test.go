package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
	lc "pawl/lifecycle"
)

// play is another process: this test binary again, in the role that the
// environment names. It says "ready" and then what it did, line by line.
func play(role string) int {
	path := os.Getenv("PAWL_STORE_TEST_PATH")
	var err error
	switch role {
	case "lock":
		err = playLock(path)
	case "write":
		err = playWrite(path)
	case "read":
		err = playRead(path)
	case "hold":
		err = playHold(path)
	case "crowd":
		err = playCrowd(path)
	}
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

func playLock(path string) error {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	if _, err := s.Lock("root"); err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin) // until the test lets go, or kills it
	return err
}

// playWrite appends to the session "root" for ever and says each number that it
// was told is on disk.
func playWrite(path string) error {
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	last, err := s.Load(context.Background(), "root")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for seq := last.Seq + 1; ; seq++ {
		rec := lc.Record{Seq: seq, Time: epoch, Root: "root", Session: "root", Run: "root/run/p1", Event: lc.StepStarted{Step: int(seq)}}
		if err := s.Append(context.Background(), []lc.Change{{Records: []lc.Record{rec}}}); err != nil {
			return err
		}
		fmt.Println(seq)
	}
}

// playRead reads as somebody who may not write there.
func playRead(path string) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	if _, err := Open(context.Background(), path, Options{}); !errors.Is(err, ErrReadOnly) {
		return fmt.Errorf("opened to write: %v", err)
	}
	s, err := Open(context.Background(), path, Options{ReadOnly: true})
	if err != nil {
		return err
	}
	infos, err := s.Sessions(context.Background(), Filter{RootsOnly: true})
	if err != nil {
		return err
	}
	for _, info := range infos {
		records, err := s.Records(context.Background(), info.ID, 0, 0)
		if err != nil {
			return err
		}
		fmt.Println(info.ID, len(records))
	}
	return s.Close()
}

// actor is such a process under way.
type actor struct {
	*exec.Cmd
	in  io.Closer
	out *bufio.Scanner
}

func start(t *testing.T, role, path string) *actor {
	cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // itself
	cmd.Env = append(os.Environ(), "PAWL_STORE_TEST_ROLE="+role, "PAWL_STORE_TEST_PATH="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	a := &actor{Cmd: cmd, in: in, out: bufio.NewScanner(out)}
	require.Equal(t, "ready", a.line())
	return a
}

func (a *actor) line() string {
	a.out.Scan()
	return a.out.Text()
}

// rest reads what it says until its end.
func (a *actor) rest() (lines []string) {
	for a.out.Scan() {
		lines = append(lines, a.out.Text())
	}
	return lines
}

func TestASecondProcessIsKeptFromASession(t *testing.T) {
	path := file(t)
	s := open(t, path)
	newJournal(t, "root").parent().into(s)
	holder := start(t, "lock", path)
	_, err := s.Lock("root")
	require.ErrorIs(t, err, ErrLocked)
	require.EqualError(t, err, fmt.Sprintf("another Pawl (process %d) has session root open: read it with pawl show root", holder.Process.Pid))
	require.ErrorIs(t, s.Remove(t.Context(), "root"), ErrLocked)

	other, err := s.Lock("other")
	require.NoError(t, err, "it is a lock of one session")
	other()
	infos, err := s.Sessions(t.Context(), Filter{})
	require.NoError(t, err, "and keeps nobody from reading")
	require.Len(t, infos, 1)

	require.NoError(t, holder.Process.Kill())
	require.Error(t, holder.Wait())
	release, err := s.Lock("root")
	require.NoError(t, err, "the kernel let go")
	release()
}

func TestALockIsHeldOnceInAProcess(t *testing.T) {
	s := open(t, file(t))
	release, err := s.Lock("root")
	require.NoError(t, err)
	_, err = s.Lock("root")
	require.ErrorIs(t, err, ErrLocked)
	release()
	release()
	for range 3 {
		again, err := s.Lock("root")
		require.NoError(t, err)
		again()
	}
	left, err := os.ReadDir(filepath.Join(filepath.Dir(s.path), "locks"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestALockOfAnOddNameStaysInItsFolder(t *testing.T) {
	s := open(t, file(t))
	release, err := s.Lock("../../etc/passwd")
	require.NoError(t, err)
	defer release()
	left, err := os.ReadDir(filepath.Join(filepath.Dir(s.path), "locks"))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestWhatWasAcknowledgedSurvivesKill(t *testing.T) {
	path := file(t)
	s := open(t, path)
	newJournal(t, "root").parent().into(s)
	require.NoError(t, s.Close())
	written := 0
	rounds := soaktest.Count(t, 5, 200)
	for round := range rounds {
		writer := start(t, "write", path)
		acknowledged := 0
		for range 20 + round%5*30 {
			var err error
			acknowledged, err = strconv.Atoi(writer.line())
			require.NoError(t, err)
		}
		require.NoError(t, writer.Process.Kill())
		for _, line := range writer.rest() { // what it still said before it died
			if seq, err := strconv.Atoi(line); err == nil {
				acknowledged = seq
			}
		}
		require.Error(t, writer.Wait())

		s, err := Open(t.Context(), path, Options{})
		require.NoError(t, err)
		require.NoError(t, s.Check(t.Context()))
		records, err := s.Records(t.Context(), "root", 0, 0)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(records), acknowledged)
		written = len(records)
		for i, rec := range records {
			require.Equal(t, lc.Seq(i+1), rec.Seq, "no gap")
		}
		require.NoError(t, s.Close())
	}
	soaktest.Tried(t, rounds, "kills of a process that writes records")
	soaktest.Tried(t, written, "records that were there after them, without a gap")
}

func TestAFolderThatCannotBeWrittenCanBeRead(t *testing.T) {
	for _, left := range []string{"closed", "killed"} {
		t.Run(left, func(t *testing.T) {
			path := file(t)
			s := open(t, path)
			newJournal(t, "root").parent().into(s)
			require.NoError(t, s.Close())
			if left == "killed" { // with records in the log alone
				writer := start(t, "write", path)
				for range 10 {
					require.NotEmpty(t, writer.line())
				}
				require.NoError(t, writer.Process.Kill())
				writer.rest()
				require.Error(t, writer.Wait())
				require.Positive(t, s.walSize())
			}
			seal(t, path)
			reader := start(t, "read", path)
			lines := reader.rest()
			require.NoError(t, reader.Wait(), "%v", lines)
			require.Len(t, lines, 1)
			count, err := strconv.Atoi(strings.TrimPrefix(lines[0], "root "))
			require.NoError(t, err, lines[0])
			if left == "closed" {
				require.Equal(t, 2, count)
			} else {
				require.GreaterOrEqual(t, count, 12)
			}
		})
	}
}

// What a log holds alone must not be left out in silence.
func TestALogThatCannotBeReadIsNotLeftOut(t *testing.T) {
	path := file(t)
	s := open(t, path)
	newJournal(t, "root").parent().into(s)
	require.NoError(t, s.Close())
	writer := start(t, "write", path)
	require.NotEmpty(t, writer.line())
	require.NoError(t, writer.Process.Kill())
	writer.rest()
	require.Error(t, writer.Wait())
	require.NoError(t, os.Remove(path+"-shm"))
	seal(t, path)
	reader := start(t, "read", path)
	lines := reader.rest()
	require.Error(t, reader.Wait())
	require.Len(t, lines, 1)
	require.Contains(t, lines[0], "copy both to a folder that can be written")
}

// seal takes the right to write from everybody, and lets everybody in to read:
// root, who may do all, reads as nobody.
func seal(t *testing.T, path string) {
	folder := filepath.Dir(path)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, entry := range entries {
		require.NoError(t, os.Chmod(filepath.Join(folder, entry.Name()), 0o444))
	}
	require.NoError(t, os.Chmod(folder, 0o555))
	require.NoError(t, os.Chmod(filepath.Dir(filepath.Dir(folder)), 0o755)) // the test's own
	t.Cleanup(func() { require.NoError(t, os.Chmod(folder, 0o700)) })
}
