package stories

import (
	"bufio"
	"bytes"
	"encoding/json"
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

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// smallDisk is a disk of 2 MB for Pawl's folder, in a mount namespace of its own,
// which a test can fill and make read-only. Pawl enters the namespace to use it.
type smallDisk struct {
	t    testing.TB
	path string
	pid  int
	in   io.Writer
	out  *bufio.Scanner
}

// mountDisk makes one, or skips the test where the system does not allow it.
func mountDisk(t testing.TB) *smallDisk {
	if _, err := exec.LookPath("nsenter"); err != nil {
		t.Skip("no small disk to fill: there is no nsenter here")
	}
	d := &smallDisk{t: t, path: t.TempDir()}
	shell := exec.Command("sh", "-c", `mount -t tmpfs -o size=2m pawl "$0" && echo ok && while read -r line; do eval "$line" && echo ok || echo no; done`, d.path)
	shell.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	in, err := shell.StdinPipe()
	require.NoError(t, err)
	out, err := shell.StdoutPipe()
	require.NoError(t, err)
	if err := shell.Start(); err != nil {
		t.Skipf("no small disk to fill: %v", err)
	}
	t.Cleanup(func() {
		_ = in.Close() // it ends with its input
		_ = shell.Wait()
	})
	d.pid, d.in, d.out = shell.Process.Pid, in, bufio.NewScanner(out)
	if !d.out.Scan() || d.out.Text() != "ok" {
		t.Skip("no small disk to fill: this system does not let one be mounted")
	}
	return d
}

// Do runs one line of shell beside the disk.
func (d *smallDisk) do(format string, args ...any) {
	d.t.Helper()
	_, err := fmt.Fprintf(d.in, format+"\n", args...)
	require.NoError(d.t, err)
	require.True(d.t, d.out.Scan())
	require.Equal(d.t, "ok", d.out.Text(), format)
}

// fill leaves no byte of it.
func (d *smallDisk) fill() { d.do("! cat /dev/zero > %s/ballast 2>/dev/null", d.path) }

func (d *smallDisk) free() { d.do("rm %s/ballast", d.path) }

// Command is one of Pawl's that uses the disk.
func (d *smallDisk) command(s *harness.Stage, args ...string) *exec.Cmd {
	path, err := harness.Binary()
	require.NoError(d.t, err)
	enter := []string{"-t", strconv.Itoa(d.pid), "-U", "-m", "--preserve-credentials", "--", "sh", "-c", `cd "$0" && exec "$@"`, s.Dir, path}
	cmd := exec.Command("nsenter", append(enter, args...)...)
	cmd.Env = append(s.Env, "PAWL_HOME="+filepath.Join(d.path, "home"))
	return cmd
}

func (d *smallDisk) open(s *harness.Stage, args ...string) *harness.Terminal {
	x := harness.StartCommand(d.t, 120, 40, d.command(s, s.Flags(args...)...))
	x.Ready()
	return x
}

// wordy is more than what the pages of a new database hold: with it, a full disk
// takes no further record.
var wordy = strings.Repeat("Many words. ", 4000) + "\n\n" // what follows begins a line

func TestAFullDiskStopsTheRunAndNothingAcknowledgedIsLost(t *testing.T) {
	d := mountDisk(t)
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("third"):
			return modeltest.Say("Third answer.")
		case h.Asked("second"):
			return modeltest.Say("I was about ", "to ").Until(release)
		}
		return modeltest.Say(wordy, "First answer.")
	})
	x := d.open(s)
	x.Prompt("first")
	x.See("First answer.")
	x.Rest()
	d.fill()
	x.Prompt("second")
	x.See("✗ not saved: append to the log: the disk is full", "› second") // in the composer, to be sent again
	require.Len(t, s.Server.All(modeltest.FromParent), 1, "a message that was not saved is not answered")
	d.free()
	x.Type(harness.KeyEnter)
	x.See("I was about to")
	x.SeeNot("not saved")
	d.fill()
	close(release)
	x.See("✗ not saved", "is not saved: the next start will show it as interrupted")
	d.free()
	x.Prompt("third")
	x.See("Third answer.")
	x.SeeNot("✗ not saved")
	x.Rest()
	x.Crash()

	x = d.open(s, "--continue")
	x.See("› second", "interrupted", "› third", "Third answer.")
	require.Equal(t, 0, x.Quit())
	document, errs, code := outcome(t, d.command(s, "export", d.session(s), "--format", "json", "-o", "-"))
	require.Equal(t, 0, code, errs)
	for _, words := range []string{"First answer.", "Third answer.", `"interrupted"`} {
		require.Contains(t, document, words)
	}
}

func TestAPromptOnAFullDiskFailsAsNotSaved(t *testing.T) {
	d := mountDisk(t)
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("second") {
			d.fill()
			return modeltest.Say("Second answer.")
		}
		return modeltest.Say(wordy)
	})
	_, errs, code := outcome(t, d.command(s, s.Flags("-p", "first")...))
	require.Equal(t, 0, code, errs)

	out, errs, code := outcome(t, d.command(s, s.Flags("--continue", "--output-format", "json", "-p", "second")...))
	require.Equal(t, 1, code, errs)
	var r harness.Report
	require.NoError(t, json.Unmarshal([]byte(out), &r), out)
	require.Equal(t, "failed", r.Status)
	require.Equal(t, "journal", r.Error.Kind, "%+v", r)
	require.Contains(t, r.Error.Message, "the disk is full")
	harness.RequireOneLine(t, errs)

	out, errs, code = outcome(t, d.command(s, s.Flags("--continue", "-p", "third")...))
	require.Equal(t, 1, code)
	require.Empty(t, out)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "the disk is full: free some space")

	d.free()
	list, errs, code := outcome(t, d.command(s, "show", d.session(s)))
	require.Equal(t, 0, code, errs)
	require.Contains(t, list, "first")
}

func TestAReadOnlyFolderCanBeReadAndExported(t *testing.T) {
	d := mountDisk(t)
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("An answer.") })
	_, errs, code := outcome(t, d.command(s, s.Flags("-p", "a question")...))
	require.Equal(t, 0, code, errs)
	session := d.session(s)
	d.do("mount -o remount,ro %s", d.path)
	for _, args := range [][]string{{"sessions"}, {"show", session}, {"export", session, "-o", "-"}, {"export", session, "--format", "json", "-o", "-"}} {
		out, errs, code := outcome(t, d.command(s, args...))
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, "a question")
		require.Empty(t, errs)
	}
	for _, args := range [][]string{s.Flags("-p", "more"), s.Flags("--continue", "-p", "more"), {"rm", session}} {
		out, errs, code := outcome(t, d.command(s, args...))
		require.Equal(t, 1, code)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, d.path)
		require.Contains(t, errs, "pawl show ID")
	}
	x := harness.StartCommand(t, 120, 40, d.command(s, s.Flags()...))
	require.Equal(t, 1, x.Wait())
	require.Contains(t, x.Raw(), "pawl show ID")
}

// session is the id of the newest session on the disk.
func (d *smallDisk) session(s *harness.Stage) string {
	d.t.Helper()
	list, errs, code := outcome(d.t, d.command(s, "sessions"))
	require.Equal(d.t, 0, code, errs)
	return strings.Fields(list)[0]
}

// outcome runs a command and gives what it wrote and its exit code.
func outcome(t testing.TB, cmd *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	require.NotContains(t, errs.String(), "DATA RACE")
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestAnExportToAFullDiskLeavesNothing(t *testing.T) {
	t.Parallel()
	d := mountDisk(t)
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say(wordy) })
	r, errs, code := s.Prompted(t, "-p", "many words, please")
	require.Equal(t, 0, code, errs)
	d.fill()
	path := filepath.Join(d.path, "run.json")
	export := d.command(s, "export", r.Session, "-o", path)
	export.Env = s.Env
	out, errs, code := outcome(t, export)
	require.Equal(t, 1, code)
	require.Empty(t, out)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "no space left on device; -o FILE puts it elsewhere")
	d.do(`test "$(ls -A %s)" = ballast`, d.path)
}
