//go:build linux

package hosts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// play is one random program of acts, and what must be true of the world meanwhile.
type play struct {
	*harness.Stage
	t       *testing.T
	random  *rand.Rand
	model   *model
	program string // the path of the program that is started, which may be replaced
	detach  bool   // what a closed terminal means

	sessions []*session
	screens  []*screen
	clients  []*client
	stopped  map[int]string // processes, and what they are
	numbered int            // of what is said
	done     []string       // the acts so far
	began    time.Time
}

// session is one that was begun here.
type session struct {
	id     string
	runs   []string // that must go on: nobody has ended them, or what they depend on
	killed int      // its host, if that was
}

// screen is a terminal with a front.
type screen struct {
	*harness.Terminal
	session  *session // nil: not known which
	wandered bool     // its keys may mean a subagent
	closed   bool     // its terminal is
	killed   bool     // its front was
	lost     bool     // nobody is left who could put its terminal right
}

func newPlay(t *testing.T, seed uint64) *play {
	t.Helper()
	p := &play{t: t, random: rand.New(rand.NewPCG(seed, 13)), model: &model{held: map[string]chan struct{}{}}, stopped: map[int]string{}, began: time.Now()}
	p.detach = p.random.IntN(3) > 0
	soaktest.Again(t, seed)
	t.Cleanup(p.report)
	p.Stage = harness.NewStageIn(t, t.TempDir(), modeltest.Chat(), p.model.answer).VerifiedBy(harness.Binary)
	p.With("EDITOR=true").Configured(t, "[permissions]\nallow = [\"shell(sleep *)\"]\n[tools]\ncontainment = \""+p.containment()+"\"\n")
	if p.detach {
		p.With("PAWL_ON_HANGUP=detach")
	}
	p.program = filepath.Join(t.TempDir(), "pawl")
	p.install()
	t.Cleanup(p.goOn) // before anything is waited for
	return p
}

func (p *play) containment() string { return []string{"auto", "group"}[p.random.IntN(2)] }

// report says what was done in a play that has failed.
func (p *play) report() {
	if p.t.Failed() || testing.Verbose() {
		p.t.Logf("detach %v, acts:\n%s", p.detach, strings.Join(p.done, "\n"))
	}
}

// install puts the program in its place, or another file of it instead of the one that is there.
func (p *play) install() {
	p.t.Helper()
	path, err := programs[p.random.IntN(len(programs))]()
	require.NoError(p.t, err)
	require.NoError(p.t, os.Link(path, p.program+".new"))
	require.NoError(p.t, os.Rename(p.program+".new", p.program))
	_ = os.Remove(p.program + ".new") // a rename to the same file leaves it
}

// start puts the program on a new terminal.
func (p *play) start(s *session, args ...string) *screen {
	p.t.Helper()
	cmd := exec.Command(p.program, args...)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	x := &screen{Terminal: harness.StartCommand(p.t, 80+p.random.IntN(60), 20+p.random.IntN(25), cmd), session: s}
	p.screens = append(p.screens, x)
	return x
}

// String says what became of a screen, for a failing test.
func (x *screen) String() string {
	return fmt.Sprintf("%q, killed %v, %v", x.Cmd.Args, x.killed, x.Cmd.ProcessState)
}

// shown says that a screen shows something, or has ended.
func (x *screen) shown() bool {
	return x.ended() || x.Opened() && strings.TrimSpace(x.Screen()) != ""
}

func (x *screen) ended() bool {
	select {
	case <-x.Done():
		return true
	default:
		return false
	}
}

// settleLimit is how long something is waited for that need not come.
const settleLimit = time.Second

// await waits for what must happen unless some process is stopped.
func (p *play) await(what string, cond func() bool) bool {
	p.t.Helper()
	if len(p.stopped) > 0 {
		return within(settleLimit, cond)
	}
	require.True(p.t, within(modeltest.Patience, cond), "it never came: %s", what)
	return true
}

// within says whether something becomes true in time.
func within(limit time.Duration, cond func() bool) bool {
	ticks := time.NewTicker(5 * time.Millisecond)
	defer ticks.Stop()
	for end := time.Now().Add(limit); ; <-ticks.C {
		if cond() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// settle looks at what must be true between any two acts.
func (p *play) settle() {
	p.t.Helper()
	p.screens = slices.DeleteFunc(p.screens, func(x *screen) bool {
		return x.ended() && p.right(x)
	})
	for _, s := range p.sessions {
		if len(s.runs) > 0 {
			require.NotZero(p.t, p.host(s), "session %s has no host, and nobody ended %q", s.id, s.runs)
		}
	}
}

// right says that the terminal of a front that has ended is right, and fails if it will never be.
func (p *play) right(x *screen) bool {
	p.t.Helper()
	if x.closed || x.lost {
		return true
	}
	var wrong error
	right := func() bool {
		// A Ctrl+\ that comes when the settings are the shell's again is echoed, and the kernel
		// discards with it what the terminal has not read yet: the modes cannot be judged then. A
		// line with what goes on may follow.
		raw := x.Raw()
		if wrong = x.WrongSettings(); wrong == nil && !strings.Contains(raw[max(0, len(raw)-200):], `^\`) {
			wrong = harness.Restored(raw)
		}
		return wrong == nil
	}
	if len(p.stopped) > 0 && x.killed { // the host does it, once it can
		return right()
	}
	require.True(p.t, within(modeltest.Patience, right), "a terminal was left wrong: %v (%s)\n%q", wrong, x, x.Raw()[max(0, len(x.Raw())-2000):])
	return true
}

// host is the process that drives a session, 0 if none does.
func (p *play) host(s *session) int {
	text, _ := os.ReadFile(filepath.Join(p.Home, "data", "locks", s.id+".lock")) // it may be gone
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // of what has that number now
	if !strings.Contains(string(environ), "PAWL_HOME="+p.Home+"\x00") {
		return 0
	}
	return pid
}

// guard is the guard of the host of a session, 0 if there is none: an orphan's parent is nobody's.
func (p *play) guard(s *session) int {
	pid := parentOf(p.host(s))
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // it may be gone
	if strings.TrimSpace(string(name)) != "pawl-guard" {
		return 0
	}
	return pid
}

// hosted are the sessions that a process drives.
func (p *play) hosted() (all []*session) {
	for _, s := range p.sessions {
		if p.host(s) != 0 {
			all = append(all, s)
		}
	}
	return all
}

// live are the screens that a person could type on.
func (p *play) live() (all []*screen) {
	for _, x := range p.screens {
		if !x.closed && !x.ended() && x.Opened() {
			all = append(all, x)
		}
	}
	return all
}

// mayEnd notes that runs of a session need not go on from here; nil: of any.
func (p *play) mayEnd(s *session) {
	for _, one := range p.sessions {
		if s == nil || s == one {
			one.runs = nil
		}
	}
}

// signal sends one, if the process is still there.
func (p *play) signal(pid int, signal syscall.Signal) { _ = syscall.Kill(pid, signal) }

// goOn continues what was stopped.
func (p *play) goOn() {
	for pid := range p.stopped {
		p.signal(pid, syscall.SIGCONT)
	}
	clear(p.stopped)
}

// word is a text that was not said before.
func (p *play) word(kind string) string {
	p.numbered++
	return fmt.Sprintf("%s-%d", kind, p.numbered)
}

// parentOf is a process's parent.
func parentOf(pid int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // it may be gone
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// one is any of a list; false if it is empty.
func one[T any](p *play, list []T) (chosen T, ok bool) {
	if len(list) == 0 {
		return chosen, false
	}
	return list[p.random.IntN(len(list))], true
}
