//go:build unix

package permission

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"

	"pawl/internal/soaktest"
)

// preamble makes every program of the grammar a function that writes down its name and
// its words, so that one shell tries thousands of lines. Where a line sends everything
// away, 9 is still open.
const preamble = `PATH=/nowhere
E=$(printf '\035')
for n in ls cat echo rm; do eval "$n() { printf '%s\\036' $n \"\$@\" \"\$E\" >&9; }"; done
command_not_found_handle() { printf '%s\036' other "$@" "$E" >&9; }
`

// between lines and calls stand bytes that no line holds.
const (
	lineMark = "\x1c"
	callEnd  = "\x1e\x1d\x1e"
)

// trial is a shell that tries lines in one process, in a folder where nothing is.
type trial struct{ shell, folder string }

func newTrial(t testing.TB, shell string) trial {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("there is no %s here", shell)
	}
	return trial{path, t.TempDir()}
}

// try gives the calls of each line, sorted; nil for one that was not tried, because the
// shell ended before.
func (s trial) try(ctx context.Context, lines []string, apart bool) ([][]string, error) {
	var script strings.Builder
	script.WriteString(strings.ReplaceAll(preamble, "printf", "printf"))
	for i, line := range lines {
		fmt.Fprintf(&script, "printf '%s%d\\036' >&9\n", `\034`, i)
		if apart {
			fmt.Fprintf(&script, "( eval %s\nwait ) </dev/null\n", singleQuoted(line))
		} else {
			fmt.Fprintf(&script, "eval %s </dev/null\n", singleQuoted(line))
		}
	}
	file, record := filepath.Join(s.folder, "script"), filepath.Join(s.folder, "record")
	if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
		return nil, err
	}
	defer s.clear()
	log, err := os.OpenFile(record, os.O_CREATE|os.O_WRONLY|os.O_APPEND|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, s.shell, file)
	cmd.Dir, cmd.Env = s.folder, []string{"HOME=" + s.folder, "LC_ALL=C.UTF-8"}
	cmd.ExtraFiles = []*os.File{3: nil, 4: nil, 5: nil, 6: log} // 9 in the shell
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	defer func() { // a line can leave a loop behind in the background
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}()
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return nil, err
	}
	written, err := os.ReadFile(record)
	return callsOf(string(written), len(lines)), err
}

func (s trial) clear() {
	entries, _ := os.ReadDir(s.folder)
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(s.folder, e.Name()))
	}
}

func singleQuoted(line string) string { return "'" + strings.ReplaceAll(line, "'", `'\''`) + "'" }

func callsOf(written string, lines int) [][]string {
	all := make([][]string, lines)
	for _, part := range strings.Split(written, lineMark)[1:] {
		number, calls, _ := strings.Cut(part, "\x1e")
		var at int
		if _, err := fmt.Sscan(number, &at); err != nil || at >= lines {
			continue
		}
		all[at] = []string{}
		for _, call := range strings.Split(strings.TrimSuffix(calls, callEnd), callEnd) {
			if call != "" {
				all[at] = append(all[at], call)
			}
		}
		slices.Sort(all[at])
	}
	return all
}

// expected is what a line calls where every program ends well, as the parser reads it.
func expected(line string) (calls []string) {
	file, _ := parseLine(line)
	for _, stmt := range file.Stmts {
		expectedOf(stmt, &calls)
	}
	slices.Sort(calls)
	return calls
}

func expectedOf(stmt *syntax.Stmt, calls *[]string) (good bool) {
	good = true
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		*calls = append(*calls, commandOf(cmd).recorded())
	case *syntax.BinaryCmd:
		good = expectedOf(cmd.X, calls)
		if cmd.Op == syntax.Pipe || good == (cmd.Op == syntax.AndStmt) {
			good = expectedOf(cmd.Y, calls)
		}
	case *syntax.Subshell:
		for _, inner := range cmd.Stmts {
			good = expectedOf(inner, calls)
		}
	case *syntax.Block:
		for _, inner := range cmd.Stmts {
			good = expectedOf(inner, calls)
		}
	}
	return good != stmt.Negated
}

// difference is one programme: how many lines, and which of them are tried.
type difference struct {
	shells  []trial
	allowed func(line string) bool
	apart   bool // each in a process of its own
	wrong   func(line string, calls []string) bool

	mu             sync.Mutex
	written, tried int
	found          []string // lines that a shell reads otherwise
}

const linesAtOnce = 2000

// play writes lines and tries those that are allowed until there were as many.
func (d *difference) play(t *testing.T, seed uint64, lines int) {
	n := nasty{rand.New(rand.NewPCG(seed, 17))}
	var batch []string
	for i := range lines {
		if line := n.line(); d.allowed(line) {
			batch = append(batch, line)
		}
		if len(batch) == linesAtOnce || i == lines-1 {
			d.compare(t, batch)
			batch = nil
		}
	}
	d.written += lines
}

func (d *difference) compare(t *testing.T, lines []string) {
	d.tried += len(lines)
	for _, s := range d.shells {
		limit := time.Minute
		if len(lines) == 1 {
			limit = 2 * time.Second // it may be a loop
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		calls, err := s.try(ctx, lines, d.apart)
		cancel()
		if err != nil && ctx.Err() == nil {
			t.Error(err)
			return
		}
		for i, line := range lines {
			if len(calls) <= i || calls[i] == nil || d.wrong(line, calls[i]) { // none at all where the limit was over at once
				d.again(t, s, line)
			}
		}
	}
}

// again tries one line by itself, as Pawl would.
func (d *difference) again(t *testing.T, s trial, line string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	calls, err := s.try(ctx, []string{line}, true)
	if err != nil || calls[0] == nil || d.wrong(line, calls[0]) {
		d.found = append(d.found, fmt.Sprintf("%s reads %q otherwise: %q (%v)", filepath.Base(s.shell), line, calls, err))
	}
}

func (d *difference) add(part *difference) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written += part.written
	d.tried += part.tried
	d.found = append(d.found, part.found...)
}

// linesEach is how many lines a seed has.
const linesEach = 2500

var bashAndSh = []string{"bash", "sh"}

// playAll spreads so few lines over the processors, or in the soak ten million.
func (d *difference) playAll(t *testing.T, shells []string, few int) {
	started := time.Now()
	seeds := make(chan uint64)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		part := &difference{allowed: d.allowed, apart: d.apart, wrong: d.wrong}
		for _, shell := range shells {
			part.shells = append(part.shells, newTrial(t, shell))
		}
		all.Go(func() {
			for seed := range seeds {
				before := len(part.found)
				if before < 20 && !t.Failed() {
					part.play(t, seed, linesEach)
				}
				if len(part.found) > before {
					soaktest.Again(t, seed)
				}
			}
			d.add(part)
		})
	}
	for _, seed := range soaktest.Seeds(t, few/linesEach, 10_000_000/linesEach) {
		seeds <- seed
	}
	close(seeds)
	all.Wait()
	if slices.Equal(shells, bashAndSh) {
		soaktest.Tried(t, d.written, "command lines made at random")
		soaktest.Tried(t, d.tried, "of those went ahead and were run in bash and in sh")
	}
	t.Logf("%d lines, %d of them tried, in %v", d.written, d.tried, time.Since(started).Round(time.Second))
	require.Greater(t, d.tried, d.written/200, "the grammar is too nasty to say anything")
}

// What is allowed calls in bash and in sh exactly what was read, word for word.
func TestWhatIsAllowedIsReadAsBashAndShReadIt(t *testing.T) {
	r := ruled(t, nil, nil, []string{"shell(ls *)", "shell(cat *)", "shell(echo *)"})
	d := &difference{
		allowed: func(line string) bool { got, _ := r.Decide(Default, shellEffect(line)); return got == Allow },
		wrong:   func(line string, calls []string) bool { return !slices.Equal(calls, expected(line)) },
	}
	d.playAll(t, bashAndSh, 10_000)
	require.Empty(t, d.found)
}

// The programme finds what the parser alone misses.
func TestTheParserAloneReadsOtherwiseThanBash(t *testing.T) {
	pattern := ruled(t, []string{"shell(rm *)"}, nil, nil).Deny[0].match.(commandPattern)
	d := &difference{apart: true, wrong: ran("rm"), allowed: func(line string) bool {
		file, ok := parseLine(line)
		return ok && !strings.ContainsFunc(line, ambiguous) && !slices.ContainsFunc(allCommands(file), func(c command) bool { return pattern.mayRun(c, maxDepth) != no })
	}}
	d.playAll(t, []string{"bash"}, linesEach)
	t.Logf("%d, such as %.300s", len(d.found), d.found)
	require.NotEmpty(t, d.found)
}

// ran says whether a program was called.
func ran(program string) func(string, []string) bool {
	return func(_ string, calls []string) bool {
		return slices.ContainsFunc(calls, func(call string) bool { return call == program || strings.HasPrefix(call, program+"\x1e") })
	}
}

// What a deny rule names does not run, in whatever line that goes ahead.
func TestWhatIsDeniedRunsInNoLineThatGoesAhead(t *testing.T) {
	r := ruled(t, []string{"shell(rm *)"}, nil, nil)
	d := &difference{
		apart: true, wrong: ran("rm"),
		allowed: func(line string) bool {
			got, _ := r.Decide(Bypass, shellEffect(line))
			return got == Allow && strings.Contains(line, "rm")
		},
	}
	d.playAll(t, bashAndSh, 5_000)
	require.Empty(t, d.found)
}
