package fleet

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

var (
	update   = flag.Bool("update", false, "write the golden files anew")
	pictures = flag.String("pictures", "", "with -update: show what changes of the screens as pictures in this folder, which is emptied")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var epoch = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// screen is a model under test with a clock of its own.
type screen struct {
	*model
	now  time.Time
	quit bool
}

func newScreen(width, height int, change ...func(*Options, *terminal.Features)) *screen {
	s := &screen{now: epoch}
	options := Options{
		Peek: func(_ context.Context, id lifecycle.SessionID) ([]lifecycle.Record, error) {
			return conversation(id), nil
		},
		Answer: func(context.Context, lifecycle.SessionID, lifecycle.QuestionID, bool) error {
			return nil
		},
		Stop:   func(context.Context, lifecycle.SessionID) error { return nil },
		Send:   func(context.Context, lifecycle.SessionID, string) error { return errors.New("the host is busy") },
		Folder: "/home/ada/src", Width: width, Height: height,
	}
	term := terminal.Features{}
	for _, f := range change {
		f(&options, &term)
	}
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

// pass lets time go by, with the timer.
func (s *screen) pass(d time.Duration) {
	for end := s.now.Add(d); ; {
		if s.due.IsZero() || s.due.After(end) {
			s.now = end
			return
		}
		s.now = s.due
		s.send(wake(s.due))
	}
}

// keys presses keys by name, each by itself: a letter has nothing typed soon behind it.
func (s *screen) keys(names ...string) {
	for _, name := range names {
		s.send(key(name))
		s.send(heldDue{s.holds})
	}
}

// typed types a text as people do: the letters come soon after one another.
func (s *screen) typed(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func key(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "end": tea.KeyEnd, "home": tea.KeyHome, "backspace": tea.KeyBackspace,
	}
	if letter, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if code, special := codes[name]; special {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func (s *screen) drawn() picturetest.Screen {
	return picturetest.Draw(s.View().Content, s.width, s.height)
}

func (s *screen) text() string { return s.drawn().Text() }

const aDiff = `--- a/refund.go
+++ b/refund.go
@@ -1,4 +1,5 @@
 package shop

-func Refund(n int) int { return n }
+// Refund gives the money back.
+func Refund(n, fee int) int { return n - fee }

`

// twelve are sessions of every sort, as they stand at a time.
func twelve(now time.Time) Picture {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	id := func(n int) lifecycle.SessionID {
		return lifecycle.SessionID(fmt.Sprintf("0198a1c2-7f00-7000-8000-00000000a3%02x", n))
	}
	all := []Session{
		{Title: "fix the rounding of refunds", Folder: "~/src/shop", Need: NeedsYou, State: lifecycle.StateRunning, Since: ago(5 * time.Minute), Subagents: 3, Running: 3, Slots: 5, CostUSD: 0.42, Tokens: 61_000, Screens: 0, Question: &lifecycle.Question{ID: "q1", Tool: "shell", Subject: "git push origin refunds", Who: "fix the fee", Because: "an ask rule: shell(git push *)"}, Questions: 2},
		{Title: "write the release notes", Folder: "~/src/pawl", Need: NeedsYou, State: lifecycle.StateRunning, Since: ago(40 * time.Second), CostUSD: 0.08, Tokens: 9200, Screens: 1, Question: &lifecycle.Question{ID: "q2", Tool: "edit", Subject: "CHANGELOG.md", View: agent.EncodeView(agent.DiffView{Path: "refund.go", Diff: aDiff, Added: 2, Removed: 1})}, Questions: 1},
		{Title: "audit all ledgers", Folder: "~/src/ledger", Need: Works, Activity: "waiting for 5 subagents", State: lifecycle.StateRunning, Since: ago(72 * time.Minute), Subagents: 8, Running: 5, Queued: 3, Slots: 5, CostUSD: 1.94, Tokens: 1_240_000},
		{Title: "migrate the tests to require", Folder: "~/src/pawl", Need: Works, Activity: "shell go test ./...", State: lifecycle.StateRunning, Since: ago(18 * time.Minute), Subagents: 2, Running: 2, Slots: 5, Denied: 1, CostUSD: 0.31, Tokens: 44_000, Screens: 2},
		{Title: "漢字 in the reports", Folder: "~/work/reports", Need: Works, Activity: "writing", State: lifecycle.StateRunning, Since: ago(20 * time.Second), CostUSD: 0.02, Tokens: 2100, Screens: 1},
		{Title: "compare three parsers", Folder: "~/src/lang", Need: Unread, Activity: "The second is twice as fast, and the only one that keeps comments.", State: lifecycle.StateCompleted, Since: ago(9 * time.Minute), CostUSD: 0.66, Tokens: 98_000},
		{Title: "fetch the rates of may", Folder: "~/src/shop", Need: Unread, Activity: "rate limit: still throttled after 6 tries", State: lifecycle.StateFailed, Since: ago(50 * time.Minute), Tokens: 1800},
		{Title: "tidy up", Folder: "~/src/shop", Need: Unread, Activity: "Tidied, but for the build.", State: lifecycle.StateCompleted, Denied: 2, Since: ago(3 * time.Hour), CostUSD: 0.12, Tokens: 15_000},
		{Title: "read the docs", Folder: "~/src/pawl", Need: Recent, State: lifecycle.StateCompleted, Since: ago(5 * time.Hour), CostUSD: 0.05, Tokens: 7000},
		{Title: "try the new model", Folder: "~/src/lang", Need: Recent, State: lifecycle.StateInterrupted, Since: ago(26 * time.Hour), CostUSD: 0.01, Tokens: 900},
		{Title: "name the tables", Folder: "~/src/ledger", Need: Recent, State: lifecycle.StateCanceledByUser, Since: ago(3 * 24 * time.Hour), CostUSD: 0.2, Tokens: 31_000},
		{Title: "", Folder: "~", Need: Recent, Since: ago(9 * 24 * time.Hour)},
	}
	for i := range all {
		all[i].ID = id(i + 1)
		all[i].Workspace = strings.Replace(all[i].Folder, "~", "/home/ada", 1)
		all[i].Hosted = all[i].Need <= Works
	}
	// They come in no order.
	for i, j := range []int{7, 3, 11, 0, 9, 5} {
		all[2*i], all[j] = all[j], all[2*i]
	}
	return Picture{Sessions: all, DayCost: 4.1, DayLimit: 20}
}

// conversation is the end of a session's log: it begins in the midst of it.
func conversation(id lifecycle.SessionID) []lifecycle.Record {
	var records []lifecycle.Record
	add := func(events ...lifecycle.Event) {
		for _, e := range events {
			records = append(records, lifecycle.Record{Seq: lifecycle.Seq(41 + len(records)), Time: epoch, Root: id, Session: id, Run: "r7", Event: e})
		}
	}
	add(lifecycle.ToolEnded{Call: "0", Tool: "grep", Status: lifecycle.ToolOK, View: agent.EncodeView(agent.ListingView{Items: []string{"refund.go:12", "ledger.go:40"}, Total: 2})},
		lifecycle.Text{Text: "Two places round the **wrong way**. I look at both:\n\n- `refund.go` rounds half up\n- `ledger.go` cuts\n"},
		lifecycle.ToolStarted{Call: "1", Tool: "read", Label: "refund.go"},
		lifecycle.ToolEnded{Call: "1", Tool: "read", Status: lifecycle.ToolOK, View: agent.EncodeView(agent.PlainView{Text: "a\nb\nc"})},
		lifecycle.StepStarted{Step: 9},
		lifecycle.MessageTaken{Message: "m", Step: 9, From: lifecycle.FromUser, Text: "and the tests, please"},
		lifecycle.Text{Text: "The tests come last: they say what both should give."},
		lifecycle.ToolStarted{Call: "2", Tool: "shell", Label: "git push origin refunds"})
	return records
}

// golden compares with testdata/<test>.golden.
func golden(t *testing.T, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(t.Name())+".golden")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update")
	require.Equal(t, string(want), got)
}
