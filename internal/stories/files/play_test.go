//go:build linux

package files

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// folder is what a folder's files hold; a name that is missing does not exist.
type folder map[string]string

// point is a prompt, and what stood in the folder before it.
type point struct {
	act int
	was folder
}

// play is one folder and one session, with what must be true of them.
type play struct {
	*harness.Stage
	t       *testing.T
	random  *rand.Rand
	program string
	id      string // of the session
	files   folder // as they must be now
	base    folder // as they are committed
	apart   folder // in the subagent's worktree, while it has one
	points  []point
	mine    map[string]int // the act in which a person last changed a file
	pawl    map[string][]change
	acts    int
	killed  int
	done    []string
}

// change is what Pawl made of a file in an act, and what it held before.
type change struct {
	act int
	was *string
}

var names = []string{"a.txt", "b.txt", "dir/c.txt", "new/d.txt"}

func newPlay(t *testing.T, seed uint64) *play {
	t.Helper()
	dir := gittest.Checkout(t)
	p := &play{t: t, random: rand.New(rand.NewPCG(seed, 77)), files: folder{}, base: folder{}, mine: map[string]int{}, pawl: map[string][]change{}}
	soaktest.Again(t, seed)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("acts:\n%s", strings.Join(p.done, "\n"))
		}
	})
	for _, name := range names[:3] {
		p.base[name] = p.lines("begun", 9)
		p.put(dir, name, p.base[name])
		p.files[name] = p.base[name]
	}
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-qm", "files")
	p.Stage = harness.NewStageIn(t, dir, modeltest.Chat(), obey).VerifiedBy(harness.Binary)
	var err error
	p.program, err = harness.Binary()
	require.NoError(t, err)
	return p
}

// lines are so many lines that stand nowhere else.
func (p *play) lines(who string, n int) string {
	var text strings.Builder
	for range n {
		fmt.Fprintf(&text, "%s %x\n", who, p.random.Uint64())
	}
	return text.String()
}

func (p *play) put(dir, name, text string) {
	p.t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o600))
}

// edited has lines of somebody's put into a text.
func (p *play) edited(text, who string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(slices.Insert(lines, p.random.IntN(len(lines)), p.lines(who, 1)), "")
}

func (p *play) any() string { return names[p.random.IntN(len(names))] }

// stands reads the folder, and finds nothing else in it.
func (p *play) stands() folder {
	p.t.Helper()
	found := folder{}
	for _, name := range names {
		if text, err := os.ReadFile(filepath.Join(p.Dir, name)); err == nil {
			found[name] = string(text)
		}
	}
	return found
}

// pawls takes in what Pawl has made of the folder in this act.
func (p *play) pawls(now folder) {
	for _, name := range names {
		was, there := p.files[name]
		text, stands := now[name]
		if there == stands && was == text {
			continue
		}
		c := change{act: p.acts}
		if there {
			c.was = &was
		}
		p.pawl[name] = append(p.pawl[name], c)
	}
	p.files = now
}

// command is a Pawl that has not been started.
func (p *play) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.program, args...)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	return cmd
}

// run runs Pawl to its end.
func (p *play) run(args ...string) (out string, code int) {
	p.t.Helper()
	cmd := p.command(args...)
	var errs strings.Builder
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if code = cmd.ProcessState.ExitCode(); err != nil && code < 0 {
		require.NoError(p.t, err)
	}
	return string(text) + errs.String(), code
}

// prompted are the arguments of a prompt that has the model make these steps.
func (p *play) prompted(all ...step) []string {
	args := p.Flags("--permission-mode", "bypass", "--trust", "-p")
	if p.id != "" {
		args = append(args, "--session", p.id)
	}
	return append(args, fmt.Sprintf("act-%d %s%s", p.acts, steps, p.spelt(all)))
}

func (p *play) spelt(all []step) string {
	text, err := json.Marshal(append([]step{}, all...))
	require.NoError(p.t, err)
	return string(text)
}

// begin has the first prompt begin the session.
func (p *play) begin() {
	p.t.Helper()
	out, code := p.run(p.prompted()...)
	require.Zero(p.t, code, out)
	list, _ := p.run("sessions")
	p.id = strings.Fields(list)[0]
}

// killedAt runs Pawl and kills it, with all that it has started, some moments later. It reports whether
// it was killed before its end.
func (p *play) killedAt(after time.Duration, args ...string) bool {
	p.t.Helper()
	cmd := p.command(args...)
	require.NoError(p.t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended is seen by what it did
		close(ended)
	}()
	select {
	case <-ended:
		return false
	case <-time.After(after):
	}
	for pids := p.processes(); len(pids) > 0; pids = p.processes() {
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
	<-ended
	p.killed++
	return true
}

// processes are all that work for this play.
func (p *play) processes() (pids []int) {
	entries, err := os.ReadDir("/proc")
	require.NoError(p.t, err)
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environ, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ")) // it may have ended
		if strings.Contains(string(environ), "PAWL_HOME="+p.Home+"\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// numbered finds the numbers of prompts in the list of points.
var numbered = regexp.MustCompile(`(?m)^(\d+) .*\bact-(\d+) `)

// numbers are the points of the session, by the act that each prompt was.
func (p *play) numbers() map[int]string {
	p.t.Helper()
	out, code := p.run("rewind", p.id)
	require.Zero(p.t, code, out)
	all := map[int]string{}
	for _, found := range numbered.FindAllStringSubmatch(out, -1) {
		act, err := strconv.Atoi(found[2])
		require.NoError(p.t, err)
		all[act] = found[1]
	}
	return all
}
