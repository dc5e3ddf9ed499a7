package ui

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The terminal's reader hands on what it has read without looking whether the program still runs: a
// key or an answer of the terminal that comes as a screen is left blocks it for ever (ultraviolet
// v0.0.0-20260811164956, TerminalReader.sendEvents). Nothing outside of the library can release it.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).sendEvents"))
}

// route is a Route that keeps what it was asked to do.
type route struct {
	mu       sync.Mutex
	commands []lifecycle.Command
	reply    lifecycle.Reply
	err      error
}

func (r *route) Do(_ context.Context, c lifecycle.Command) (lifecycle.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commands = append(r.commands, c)
	return r.reply, r.err
}

func (r *route) Watch(ctx context.Context, _ lifecycle.SessionID, _ lifecycle.Seq, _ func(lifecycle.Updates)) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func (r *route) taken() []lifecycle.Command {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.commands
	r.commands = nil
	return taken
}

const root = lifecycle.SessionID("root")

var epoch = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// screen is a model under test, with a clock of its own and a log to feed it.
type screen struct {
	*model
	t     testing.TB
	route *route
	now   time.Time
	seq   lifecycle.Seq
	quit  bool
}

func newScreen(t testing.TB, width, height int, change ...func(*Options, *terminal.Features)) *screen {
	s := &screen{t: t, route: &route{}, now: epoch}
	options := Options{
		Route: s.route, Snapshot: lifecycle.Snapshot{Root: root},
		Model: "anthropic/claude", Folder: "~/src/shop", Branch: "main", Version: "0.1", Mode: "default",
		Width: width, Height: height,
	}
	term := terminal.Features{}
	for _, f := range change {
		f(&options, &term)
	}
	s.seq = options.Snapshot.Seq
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // what waits for time does not: the test is the clock
	s.model = newModel(ctx, options, term, func() time.Time { return s.now })
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	return s
}

// send gives the model a message and carries its commands out, the clock's apart.
func (s *screen) send(msg tea.Msg) {
	_, cmd := s.Update(msg)
	s.carryOut(cmd)
}

func (s *screen) carryOut(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			s.carryOut(one)
		}
	case tea.QuitMsg:
		s.quit = true
	default:
		s.send(msg)
	}
}

// pass lets time go by, with the beats of the clock.
func (s *screen) pass(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.now = s.now.Add(terminal.Beat)
		s.Update(terminal.Tick(s.now))
	}
}

// keys presses keys by name, each by itself: a letter has nothing typed soon behind it.
func (s *screen) keys(names ...string) {
	for _, name := range names {
		s.send(key(name))
		s.send(heldDue{s.holds})
	}
}

// read makes the question in front one that has stood there for long enough to be answered, without the
// seconds that the pictures count.
func (s *screen) read() {
	s.asking.came = s.now.Add(-noticed)
	s.picture.ready = false
}

// typed types a text as people do: the letters come soon after one another.
func (s *screen) typed(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func key(name string) tea.KeyPressMsg {
	k := tea.KeyPressMsg{}
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || mod == "" { // the key + itself
			break
		}
		k.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[mod]
		name = rest
	}
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "tab": tea.KeyTab, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "end": tea.KeyEnd,
		"home": tea.KeyHome, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
		"space": tea.KeySpace,
	}
	if code, special := codes[name]; special {
		k.Code = code
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}

// log feeds records of one run.
func (s *screen) log(session lifecycle.SessionID, run lifecycle.RunID, events ...lifecycle.Event) {
	s.send(lifecycle.Updates{Records: s.records(session, run, events...)})
	require.Empty(s.t, s.broken)
}

func (s *screen) records(session lifecycle.SessionID, run lifecycle.RunID, events ...lifecycle.Event) []lifecycle.Record {
	var records []lifecycle.Record
	for _, event := range events {
		s.seq++
		records = append(records, lifecycle.Record{Seq: s.seq, Time: s.now, Root: root, Session: session, Run: run, Event: event})
	}
	return records
}

// ask starts a run of the root with a prompt.
func (s *screen) ask(prompt string) {
	s.log(root, "r1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: prompt, From: lifecycle.FromUser}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

// delegate starts a subagent.
func (s *screen) delegate(name string, background bool) {
	s.log(root, "r1", lifecycle.ToolStarted{Call: lifecycle.CallID("call " + name), Tool: "agent", Label: name})
	s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Spawned{Spec: lifecycle.Spec{
		Root: root, Parent: root, ParentRun: "r1", Call: lifecycle.CallID("call " + name), Trigger: lifecycle.TriggerAgent,
		Type: "general", Description: name, Prompt: "Please " + name + ".", From: lifecycle.FromAgent, Background: background,
	}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

// ownShell begins a command of the user's own in the root session.
func (s *screen) ownShell(command string) {
	s.log(lifecycle.SessionID(command), lifecycle.RunID("own "+command), lifecycle.Spawned{Spec: lifecycle.Spec{
		Kind: lifecycle.KindShell, Type: "shell", Root: root, Parent: root, Trigger: lifecycle.TriggerUser, From: lifecycle.FromUser,
		Command: command, Description: command, Background: true,
	}}, lifecycle.Started{})
}

func (s *screen) end(session lifecycle.SessionID, run lifecycle.RunID, end lifecycle.Ended) {
	s.log(session, run, end)
}

// text is the screen as a terminal shows it.
func (s *screen) text() string {
	return show(s.t, s.View().Content, s.width, s.height)
}

// inside is the screen without the border of what floats on it.
func (s *screen) inside() string {
	lines := strings.Split(s.text(), "\n")
	for i, line := range lines {
		if inner, ok := strings.CutPrefix(line, "│ "); ok {
			lines[i] = strings.TrimRight(strings.TrimSuffix(inner, "│"), " ")
		}
	}
	return strings.Join(lines, "\n")
}

func show(_ testing.TB, content string, width, height int) string {
	return picturetest.Draw(content, width, height).Text()
}

// goldenPath is testdata/<test>.golden.
func goldenPath(t *testing.T) string {
	return filepath.Join("testdata", strings.ReplaceAll(t.Name(), "/", string(filepath.Separator))+".golden")
}

// golden compares with testdata/<test>.golden.
func golden(t *testing.T, got string) {
	t.Helper()
	path := goldenPath(t)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update")
	require.Equal(t, string(want), got)
}
