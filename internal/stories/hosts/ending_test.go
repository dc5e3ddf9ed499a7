//go:build linux

package hosts

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// locks are the ids of sessions that a process drives or did.
func (p *play) locks() (ids []string) {
	files, err := filepath.Glob(filepath.Join(p.Home, "data", "locks", "*.lock"))
	require.NoError(p.t, err)
	for _, file := range files {
		ids = append(ids, strings.TrimSuffix(filepath.Base(file), ".lock"))
	}
	return ids
}

// end ends all in order, and holds what must be true then.
func (p *play) end() {
	p.t.Helper()
	step := func(name string) {
		p.done = append(p.done, fmt.Sprintf("%.1fs end: %s", time.Since(p.began).Seconds(), name))
	}
	p.goOn()
	for _, x := range p.screens {
		require.True(p.t, within(modeltest.Patience, x.shown), "a screen shows nothing and does not end:\n%s", x.Raw())
	}
	p.settle()
	step("settled")
	for _, s := range p.hosted() {
		p.reachable(s)
	}
	step("reachable")
	for _, c := range p.clients {
		_ = c.Close()
	}
	p.EndHosts(p.t)
	for _, x := range p.screens {
		x.AwaitEnd()
		p.right(x)
	}
	p.EndHosts(p.t) // a screen may just have opened a session again
	step("ended")
	var left []string
	require.True(p.t, within(modeltest.Patience, func() bool {
		left = p.survivors()
		return len(left) == 0
	}), "left behind: %q", left)
	step("nothing left")
	p.answers()
	for _, id := range p.saved() {
		p.opensAgain(id)
		step("opened again")
	}
}

// reachable says that a screen and a program reach a session that is hosted, unless its host leaves.
func (p *play) reachable(s *session) {
	p.t.Helper()
	require.True(p.t, within(modeltest.Patience, func() bool {
		_, ok := p.status(s.id, modeltest.Patience)
		return ok || p.host(s) == 0
	}), "the host of %s does not answer: %s", s.id, p.asFound(s))
	x := p.start(s, "attach", s.id)
	require.True(p.t, within(modeltest.Patience, x.shown), "no screen on session %s", s.id)
	if x.ended() { // nothing was said in it, and it has just ended
		require.Contains(p.t, x.Raw(), "no session")
	}
}

// asFound says how the host of a session was found, for a failing test.
func (p *play) asFound(s *session) string {
	pid := p.host(s)
	process, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // it may be gone
	sockets, _ := filepath.Glob(filepath.Join(p.Home, "state", "run", "*"))
	c, first := p.dial(s.id), "no connection"
	if c != nil {
		c.order(modeltest.Object{"type": "status"})
		first = fmt.Sprintf("closed: %v", c.lines.Err())
		if _ = c.SetReadDeadline(time.Now().Add(settleLimit)); c.lines.Scan() {
			first = c.lines.Text()
		}
		_ = c.Close()
	}
	return fmt.Sprintf("process %d, parent %d, %.60q, sockets %q, first line %s", pid, parentOf(pid), process, sockets, first)
}

// survivors are the processes of this stage that are still there.
func (p *play) survivors() (left []string) {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	require.NoError(p.t, err)
	for _, link := range links {
		process := filepath.Dir(link)
		at, _ := os.Readlink(link)
		environ, _ := os.ReadFile(process + "/environ") // it may be gone
		if at == p.Dir || strings.Contains(string(environ), "PAWL_HOME="+p.Home+"\x00") {
			line, _ := os.ReadFile(process + "/cmdline")
			left = append(left, filepath.Base(process)+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}

// answers says that nothing that was allowed once has run twice.
func (p *play) answers() {
	p.t.Helper()
	text, _ := os.ReadFile(filepath.Join(p.Dir, "asked.txt")) // if something was
	lines := strings.Fields(string(text))
	slices.Sort(lines)
	require.Equal(p.t, slices.Compact(slices.Clone(lines)), lines, "a command has run twice")
}

// run is the program without a terminal.
func (p *play) run(args ...string) string {
	p.t.Helper()
	out, errs, code := harness.RunBy(p.t, p.program, "", p.Dir, p.Env, args...)
	require.Zero(p.t, code, "pawl %q: %s", args, errs)
	return out
}

// saved are the sessions that there are.
func (p *play) saved() (ids []string) {
	list := p.run("sessions", "--all")
	if strings.HasPrefix(list, "No sessions") {
		return nil
	}
	for line := range strings.Lines(list) {
		ids = append(ids, strings.Fields(line)[0])
	}
	return ids
}

// opensAgain opens a session, goes on with it, and holds its log against what its model heard.
func (p *play) opensAgain(id string) {
	p.t.Helper()
	cmd := exec.Command(p.program, "attach", id)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	x := harness.StartCommand(p.t, 120, 60, cmd)
	x.Ready()
	x.SeeMatch(`send-|hello-|think-|ask-|dig|Gone on|Very well|on their way|heard of it`)
	words := "what now? " + id
	x.Type(harness.KeyCtrlU)
	x.Prompt(words)
	x.See("Gone on.")
	require.Equal(p.t, 0, x.Quit())
	var doc document
	require.NoError(p.t, json.Unmarshal([]byte(p.run("export", id, "--format", "json", "-o", "-")), &doc))
	heard := p.Server.All(modeltest.ParentAsked(words))
	require.Len(p.t, heard, 1)
	require.Empty(p.t, strings.Join(doc.problems(heard[0].Notices()), "\n"), "session %s", id)
}

// document is a JSON export, as far as these tests read it.
type document struct {
	Runs []struct {
		Run, Parent, Description, State string
		Background                      bool
		Notification                    *struct {
			InRun       string `json:"in_run"`
			WithdrawnBy string `json:"withdrawn_by"`
		}
		Consumed *struct{ By string }
	}
	Records []struct{ Run, Event string }
}

var noticeRun = regexp.MustCompile(`<run-id>(.*)</run-id>`)

// problems are notifications that were lost or doubled, in the log or on the way to the model, which
// was told these last.
func (d document) problems(told []string) (all []string) {
	count := map[string]int{}
	for _, rec := range d.Records {
		count[rec.Event+" "+rec.Run]++
	}
	for _, notice := range told {
		count["told "+noticeRun.FindStringSubmatch(notice)[1]]++
	}
	for _, r := range d.Runs {
		queued, delivered, withdrawn := count["notification_queued "+r.Run], count["notification_delivered "+r.Run], count["notification_withdrawn "+r.Run]
		switch {
		case r.State == "queued" || r.State == "running":
			all = append(all, fmt.Sprintf("run %s (%s) is %s", r.Run, r.Description, r.State))
		case queued > 1 || delivered+withdrawn != queued:
			all = append(all, fmt.Sprintf("run %s (%s): %d notifications, %d delivered, %d withdrawn", r.Run, r.Description, queued, delivered, withdrawn))
		case count["told "+r.Run] != delivered:
			all = append(all, fmt.Sprintf("run %s (%s): told %d times, delivered %d", r.Run, r.Description, count["told "+r.Run], delivered))
		case r.Parent != "" && r.Consumed == nil:
			all = append(all, fmt.Sprintf("run %s (%s, %s) ended, and its parent was not told", r.Run, r.Description, r.State))
		}
	}
	return all
}
