package stories

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// newPartner is another program that talks to Pawl.
type partner struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan streamLine
	seen  []streamLine
	quiet time.Duration // how long no line may come
}

func newPartner(t *testing.T, s *harness.Stage, args ...string) *partner {
	t.Helper()
	return startPartner(t, s.Command(t, append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json"}, args...)...))
}

// startPartner starts a command that writes lines of JSON.
func startPartner(t *testing.T, cmd *exec.Cmd) *partner {
	t.Helper()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	p := &partner{t: t, cmd: cmd, in: in, lines: make(chan streamLine, 1000), quiet: modeltest.Patience}
	go func() {
		defer close(p.lines)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			line := streamLine{raw: scan.Text()}
			if json.Unmarshal(scan.Bytes(), &line) == nil {
				p.lines <- line
			}
		}
	}()
	return p
}

func (p *partner) say(line modeltest.Object) {
	p.t.Helper()
	text, err := json.Marshal(line)
	require.NoError(p.t, err)
	_, err = p.in.Write(append(text, '\n'))
	require.NoError(p.t, err)
}

// until reads on to the first line that matches, as long as lines come.
func (p *partner) until(what string, match func(streamLine) bool) streamLine {
	p.t.Helper()
	for {
		select {
		case line, more := <-p.lines:
			require.True(p.t, more, "the stream ended before %s:\n%v", what, p.seen)
			p.seen = append(p.seen, line)
			if match(line) {
				return line
			}
		case <-time.After(p.quiet):
			require.FailNow(p.t, "no "+what, "%v", p.seen)
		}
	}
}

func (p *partner) idle() {
	p.t.Helper()
	p.until("idle", func(l streamLine) bool { return l.Type == "idle" })
}

// replied reads on to the reply to a line with this id, and holds it to be a yes.
func (p *partner) replied(id string) {
	p.t.Helper()
	line := p.until("reply to "+id, func(l streamLine) bool { return l.Type == "reply" && l.ID == id })
	require.True(p.t, line.OK, line.raw)
}

// hangsUp ends the conversation and gives the result and the exit code.
func (p *partner) hangsUp() (harness.Report, int) {
	p.t.Helper()
	require.NoError(p.t, p.in.Close())
	line := p.until("result", func(l streamLine) bool { return l.Type == "result" })
	var r harness.Report
	require.NoError(p.t, json.Unmarshal([]byte(line.raw), &r))
	harness.WaitEnd(p.t, p.cmd)
	require.Equal(p.t, r.ExitCode, p.cmd.ProcessState.ExitCode())
	return r, r.ExitCode
}
