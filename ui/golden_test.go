package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/replay"
	"pawl/ui/terminal"
)

const aDiff = `--- a/refund.go
+++ b/refund.go
@@ -1,4 +1,5 @@
 package shop

-func Refund(n int) int { return n }
+// Refund gives the money back.
+func Refund(n, fee int) int { return n - fee }

`

const anAnswer = "I will read **refund.go** first, then:\n\n1. audit the refunds\n2. compare `a < b && c` with the ledger\n\n```go\nfunc Refund(n int) int {\n\treturn n // all of it\n}\n```\n\nThat is all.\n"

// aDocument is Markdown of every sort, with what is hard to fit.
const aDocument = "## Refunds\n\n> A quote that is long enough to be broken at forty columns,\n> and goes on.\n\n" +
	"- one\n  - two, with `code` and **weight**\n- [x] done\n- [ ] שלום עולם to do\n\n" +
	"```go\nfunc Refund(ctx context.Context, amount, fee int64) (int64, error) { return amount - fee, nil }\n```\n\n" +
	"| File | What it does | 数 |\n|---|---|---:|\n| refund.go | gives the money back to those who asked for it | 12 |\n| 漢字.go 👍 | - | 3 |\n\n" +
	"See https://example.com/a/very/long/path/that/is/longer/than/the/screen.\n"

func (s *screen) tool(call lifecycle.CallID, name, label string, status lifecycle.ToolStatus, view agent.View) {
	s.log(root, "r1", lifecycle.ToolStarted{Call: call, Tool: name, Label: label},
		lifecycle.ToolEnded{Call: call, Tool: name, Status: status, View: agent.EncodeView(view)})
}

// worked is a turn with an answer and a tool call of every sort.
func (s *screen) worked() {
	s.ask("Please audit the refunds.")
	s.log(root, "r1", lifecycle.Thinking{Text: "They want an audit.\nSplit it."}, lifecycle.Text{Text: anAnswer},
		lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 4200, OutputTokens: 310, Cost: 0.0184}})
	s.tool("1", "read", "refund.go", lifecycle.ToolOK, agent.PlainView{Text: "a\nb\nc"})
	s.tool("2", "edit", "refund.go", lifecycle.ToolOK, agent.DiffView{Path: "refund.go", Diff: aDiff, Added: 2, Removed: 1})
	s.tool("3", "shell", "go test ./...", lifecycle.ToolError, agent.CommandView{Command: "go test ./...", Output: "ok  a\n--- FAIL: TestRefund\n    refund_test.go:9: got 3\nFAIL\n", ExitCode: 1})
	s.tool("4", "grep", "Refund", lifecycle.ToolOK, agent.ListingView{Items: []string{"a.go:1", "b.go:2"}, Total: 12})
	s.tool("5", "todo", "", lifecycle.ToolOK, agent.TodoView{Items: []agent.TodoItem{{Text: "read", State: "done"}, {Text: "audit", State: "active"}, {Text: "report", State: "pending"}}})
}

// scene is a view and how one gets there.
type scene struct {
	name string
	play func(*screen)
}

// scenes are the main views.
var scenes = slices.Concat(mainScenes, dockScenes, changesScenes, landingScenes)

var mainScenes = []scene{
	{"welcome", func(*screen) {}},
	{"demo", func(s *screen) { s.options.Demo, s.options.Keyless = true, true }},
	{"worked", (*screen).worked},
	{"command of one's own", func(s *screen) {
		s.worked()
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: anAnswer})
		code := 2
		s.ownShell("go vet ./... && git diff --stat")
		s.end("go vet ./... && git diff --stat", "own go vet ./... && git diff --stat", lifecycle.Ended{
			State: lifecycle.StateFailed, Result: strings.Repeat("a line of what it wrote\n", 40) + "vet: refund.go:3: \x1b[31mundefined\x1b[0m: 漢字\n", ExitCode: &code,
			Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: "exit code 2"},
		})
		s.ownShell("tail -f server.log")
		s.pass(12 * time.Second)
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "tail -f server.log", Run: "own tail -f server.log", Text: "GET /refunds 200\nGET /refunds 500", At: s.now}}})
		s.typed("!git log -3")
	}},
	{"details", func(s *screen) { s.worked(); s.keys("ctrl+o") }},
	{"cards", func(s *screen) {
		s.ask("Fan out.")
		s.log(root, "r1", lifecycle.Text{Text: "Some agents look at it."})
		for _, name := range []string{"audit refunds", "compare the ledgers of all years", "count callers", "check 漢字 wide"} {
			s.delegate(name, name != "audit refunds")
		}
		s.log("count callers", "run count callers", lifecycle.PermissionDenied{Tool: "shell", Subject: "curl", By: "nobody"})
		s.log("waits", "run waits", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Type: "explore", Description: "waits its turn", Background: true, Trigger: lifecycle.TriggerAgent}}, lifecycle.Queued{Position: 1})
		s.pass(65 * time.Second)
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "audit refunds", Run: "run audit refunds", Step: 1, Text: "Reading the ledger", OutputTokens: 1250, At: s.now}}})
		s.keys("down", "down")
	}},
	{"states", func(s *screen) {
		s.ask("Fan out.")
		for _, end := range []lifecycle.Ended{
			{State: lifecycle.StateCompleted, Result: "Three **places** make refunds.\nMore below."},
			{State: lifecycle.StateCompletedEmpty},
			{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "still throttled after 6 tries"}},
			{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey},
			{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseAgentStop},
			{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd},
		} {
			name := string(end.State)
			s.delegate(name, true)
			s.end(lifecycle.SessionID(name), lifecycle.RunID("run "+name), end)
			s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.NotificationQueued{}, lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r1"})
		}
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: "anthropic refused the key"}})
		s.pass(keep)
	}},
	{"view", func(s *screen) {
		s.ask("go")
		s.delegate("audit refunds", true)
		s.log("audit refunds", "run audit refunds", lifecycle.Text{Text: "Looking."},
			lifecycle.Waiting{Why: "overloaded; asking again in 2s", Attempt: 2},
			lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "look at the tests too"}},
			lifecycle.StepStarted{Step: 2}, lifecycle.MessageTaken{Message: "m", Step: 2, From: lifecycle.FromUser, Text: "look at the tests too"},
			lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: "80 % of the budget is spent"},
			lifecycle.Overdue{After: 10 * time.Minute}, lifecycle.Nudged{}, lifecycle.Compacted{Before: 120_000, After: 9000},
			lifecycle.MessageQueued{Message: lifecycle.Message{ID: "n", From: lifecycle.FromUser, Text: "and stop then"}})
		s.keys("tab")
		s.typed("one more")
	}},
	{"shells", func(s *screen) {
		s.ask("Start the server, and build.")
		s.delegate("audit refunds", true)
		s.shell("serve", "npm run dev -- --port 8080")
		s.shell("build", "make all")
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "serve", Run: "run serve", Activity: "GET /index.html 200", Text: "listening on :8080\nGET /index.html 200"}}})
		s.end("build", "run build", exited(2, "cc: *no* such file\nmake: Error 1"))
		s.log("build", "run build", lifecycle.NotificationQueued{})
		s.keys("down", "down")
	}},
	{"shell", func(s *screen) {
		s.ask("Start the server.")
		s.shell("serve", "npm run dev -- --port 8080")
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "serve", Run: "run serve", Activity: "GET /index.html 200", Text: "listening on :8080\nGET /index.html 200"}}})
		s.keys("down", "enter")
	}},
	{"question", func(s *screen) {
		s.ask("go")
		s.delegate("audit refunds", false)
		for i, q := range []lifecycle.Question{
			{ID: "q1", Tool: "edit", Subject: "internal/shop/refund.go", View: agent.EncodeView(agent.DiffView{Path: "refund.go", Diff: aDiff, Added: 2, Removed: 1})},
			{ID: "q2", Tool: "shell", Subject: "rm -rf build"},
		} {
			q.Session, q.Run, q.Who = "audit refunds", "run audit refunds", "audit refunds"
			q.Call = lifecycle.CallID(fmt.Sprint(i))
			s.log("audit refunds", "run audit refunds", lifecycle.PermissionAsked{Question: q})
			s.read()
		}
	}},
	{"quitting", func(s *screen) {
		s.ask("go")
		s.delegate("audit refunds", true)
		s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted})
		s.keys("ctrl+c", "ctrl+c")
	}},
	{"not saved", func(s *screen) {
		s.ask("go")
		s.delegate("audit refunds", true)
		run := s.runs.Latest("audit refunds")
		run.State, run.EndedAt, run.Error = lifecycle.StateFailed, s.now, &lifecycle.Failure{Kind: lifecycle.FailJournal, Message: "disk full"}
		s.send(lifecycle.Updates{Fault: "write the log: no space left on device", Unsaved: []lifecycle.Run{run}})
	}},
	{"help", func(s *screen) { s.keys("?") }},
	{"stranger", func(s *screen) {
		s.dialog = s.trustDialog(&TrustPrompt{Title: "This folder contains 2 MCP servers of .mcp.json and git settings that run programs. Do you trust it?", Says: theServers()})
		s.send(healthWarning("mcp: 1 of 3 down"))
	}},
	{"dashboard", func(s *screen) { manyRuns(s); s.keys("ctrl+t", "down", "down") }},
	{"dashboard asks", func(s *screen) { manyRuns(s); s.keys("ctrl+t") }},
	{"dashboard idle", func(s *screen) {
		manyRuns(s)
		s.end(root, "r2", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "They are at work: I tell you what they find."})
		s.pass(settled)
		s.keys("ctrl+t", "down", "down", "down", "down", "down")
	}},
	{"dashboard filtered", func(s *screen) { manyRuns(s); s.keys("ctrl+t", "down", "s", "/"); s.typed("exp com") }},
	{"dashboard marked", func(s *screen) { overTime(s); s.keys("ctrl+t", "s", "down", "home", "right", "right") }},
	{"dashboard zoomed", func(s *screen) {
		overTime(s)
		s.keys("ctrl+t", "s", "down", "down", "down", "end", "left", "left", "left")
		s.keys("+", "+", "+")
	}},
	{"completing a file", func(s *screen) {
		s.options.Files = func(context.Context, string) []string { return shop }
		s.typed("compare @refund.go with @nd")
		s.keys("down", "down")
	}},
	{"completing a command", func(s *screen) { s.typed("/") }},
	{"attached", func(s *screen) {
		s.log(root, "r1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "What is wrong in @shot.png and @internal/shop/refunds_of_all_years.go? See @data.bin.", From: lifecycle.FromUser, Attached: []lifecycle.Attachment{
			{Name: "shot.png", Note: "image 640×480"},
			{Name: "internal/shop/refunds_of_all_years.go", Note: "120 lines"},
			{Name: "data.bin", Note: "data.bin is binary (application/octet-stream, 3.0 KB): read shows text and pictures", Left: true},
		}}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
			lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "and @docs"}}, lifecycle.StepStarted{Step: 2},
			lifecycle.MessageTaken{Message: "m", Step: 2, From: lifecycle.FromUser, Text: "and @docs", Attached: []lifecycle.Attachment{{Name: "docs", Note: "folder, 12 entries"}}})
	}},
	{"unread", unreadCards},
	{"overdue", overdueCard},
	{"overdue focused", func(s *screen) { overdueCard(s); s.keys("down") }},
	{"queue", waitingMessages},
	{"queue chosen", func(s *screen) { waitingMessages(s); s.keys("up", "up") }},
	{"queue edited", func(s *screen) { waitingMessages(s); s.keys("up", "e"); s.typed(", please") }},
	{"since looked", sinceLookedAway},
	{"palette", func(s *screen) { s.spent(); s.keys("ctrl+p"); s.typed("st a") }},
	{"sessions", func(s *screen) { s.commanded(); s.sent("/sessions"); s.keys("down") }},
	{"sessions of all", func(s *screen) { s.commanded(); s.sent("/sessions"); s.keys("tab"); s.typed("the") }},
	{"models", func(s *screen) { s.commanded(); s.sent("/model") }},
	{"cost", func(s *screen) { s.spent(); s.sent("/cost") }},
	{"agents", func(s *screen) { s.spent(); s.sent("/agents"); s.keys("down", "down") }},
	{"context", func(s *screen) { s.commanded(); s.sent("/context"); s.keys("down") }},
	{"instructions read", func(s *screen) {
		s.ask("look")
		s.log(root, "r1", lifecycle.StepStarted{Step: 1}, lifecycle.ToolStarted{Call: "c", Tool: "read", Label: "web/a.ts"},
			lifecycle.ToolEnded{Call: "c", Tool: "read", Status: lifecycle.ToolOK, View: agent.EncodeView(agent.PlainView{Text: "web/a.ts, lines 1-2 of 2"}), Instructions: []lifecycle.InstructionsRead{
				{Source: "web/AGENTS.md"}, {Source: "web/x.md", Note: "included by web/AGENTS.md, and not there", Unread: true},
			}})
	}},
	{"servers", func(s *screen) { s.commanded(); s.sent("/mcp"); s.keys("down") }},
	{"permissions", func(s *screen) { s.commanded(); s.sent("/permissions") }},
	{"a long command", func(s *screen) {
		s.ask("go")
		s.wonders("", lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: "for f in 漢字/*.txt; do\n  " + strings.Repeat("convert \"$f\" --to utf-8 --and-keep-what-was ", 12) + "\ndone\n" + strings.Repeat("echo one more line\n", 20)})
	}},
	{"three ask", func(s *screen) {
		threeAsk(s)
		s.keys("tab")
	}},
	{"why not", func(s *screen) {
		threeAsk(s)
		s.keys("r")
		s.typed("read the page that is in the docs folder already, 漢字 too, and say what is missing there")
	}},
	{"always", func(s *screen) {
		threeAsk(s)
		s.options.Allowed = "~/.local/state/pawl/allowed.toml"
		s.keys("shift+tab", "p")
	}},
	{"denied", func(s *screen) { refusedSubagent(s); s.keys("down", "down", "g", "down") }},
	{"paste", func(s *screen) {
		s.typed("why 漢字 does ")
		s.send(tea.PasteMsg{Content: strings.Repeat("a line of the log\n", 10_000)})
		s.send(tea.PasteMsg{Content: strings.Repeat("words, ", 400)})
		s.typed(" end?")
		s.keys("alt+b", "alt+b")
	}},
	{"pasted", func(s *screen) {
		log := strings.Repeat("a line of the log, 漢字\n", 300)
		s.runs.Pasted(log)
		s.ask("The first line says what is wanted: find why it fails.\n\nThis is what it wrote:\n" + log + "\nand this is how it was started, in words that are more than a line of eighty cells can hold: make all.")
		s.log(root, "r1", lifecycle.Text{Text: strings.Repeat("An answer of many words is read in lines of no more than a hundred cells. ", 5)})
	}},
	{"exporting", func(s *screen) {
		s.worked()
		s.say(draw.Quiet, exportingWords)
		steps := make(chan exportStep)
		close(steps)
		s.send(exportStep{share: 0.42, steps: steps})
	}},
	{"summarizing", func(s *screen) {
		s.worked()
		s.summarizes(1250)
	}},
	{"recall", func(s *screen) {
		s.ask("go")
		s.line().History = []string{"audit the refunds", "compare the ledgers of all years", "fix the 漢字 in the\nreports, and the refunds of may", "run the tests \x1b[2J", "who calls refund()?"}
		s.typed("half a thought")
		s.keys("ctrl+r")
		s.typed("ref")
		s.keys("ctrl+r")
	}},
	{"block", func(s *screen) {
		s.worked()
		s.keys("ctrl+up", "up", "up", "enter", "up", "enter", "enter", "y")
	}},
	{"search", func(s *screen) {
		s.worked()
		s.keys("ctrl+f")
		s.typed("fail")
		s.keys("enter")
	}},
	{"new lines", func(s *screen) {
		s.worked()
		s.keys("ctrl+home")
		s.tool("6", "read", "ledger.go", lifecycle.ToolOK, agent.PlainView{Text: "a"})
		s.log(root, "r1", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "The ledger agrees."})
	}},
	{"recording", func(s *screen) { s.onTape(nil) }},
	{"replay", func(s *screen) { s.onTape(&replay.State{Seq: 12, Speed: 4, Silence: time.Hour}) }},
	{"replay held", func(s *screen) { s.onTape(&replay.State{Seq: 12, Speed: 0.25, Paused: true}); s.keys("x") }},
	{"replay over", func(s *screen) { s.onTape(&replay.State{Seq: 24, Speed: 1}); s.keys("down") }},
	{"replay help", func(s *screen) { s.onTape(&replay.State{Speed: 1}); s.keys("?") }},
	{"side by side", sideBySide},
	{"side by side left", func(s *screen) { sideBySide(s); s.keys("tab") }},
	{"side by side asked", func(s *screen) {
		sideBySide(s)
		s.wonders("audit refunds", lifecycle.Question{ID: "q", Session: "audit refunds", Run: "run audit refunds", Tool: "shell", Subject: "rm -rf build", Who: "audit refunds"})
	}},
	{"side by side searched", func(s *screen) {
		sideBySide(s)
		s.keys("tab", "ctrl+u", "ctrl+f")
		s.typed("refund")
	}},
	{"side by side recorded", func(s *screen) { s.onTape(nil); s.keys("tab", "tab") }},
	{"markdown", func(s *screen) {
		s.ask("Show me.")
		s.log(root, "r1", lifecycle.Text{Text: aDocument}, lifecycle.StepStarted{Step: 2})
	}},
}

func TestASCII(t *testing.T) {
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			s := newScreen(t, 80, 24, func(_ *Options, term *terminal.Features) { term.ASCII = true })
			scene.play(s)
			for _, r := range s.View().Content {
				if r > 0x7e {
					t.Fatalf("%q is not ASCII:\n%s", r, s.View().Content)
				}
			}
			golden(t, s.text())
		})
	}
}

func TestReopened(t *testing.T) {
	before := newScreen(t, 80, 24)
	before.worked()
	before.delegate("audit refunds", true)
	before.end("audit refunds", "run audit refunds", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
	before.log("audit refunds", "run audit refunds", lifecycle.NotificationQueued{})
	before.end(root, "r1", lifecycle.Ended{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd})
	before.pass(time.Hour)
	of := func(session lifecycle.SessionID, before2 lifecycle.Seq, limit int) []lifecycle.Record {
		var list []lifecycle.Record
		for _, rec := range before.talk(session).Records {
			if rec.Seq < before2 && rec.Session == session {
				list = append(list, rec)
			}
		}
		return list[max(0, len(list)-limit):]
	}
	tail := of(root, before.seq+1, 5)
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Snapshot = lifecycle.Snapshot{Root: root, Seq: before.seq, Reopened: true, Runs: []lifecycle.Run{before.runs.Latest(root), before.runs.Latest("audit refunds")}}
		o.Tail = tail
		o.Older = func(_ context.Context, session lifecycle.SessionID, b lifecycle.Seq, _ int) ([]lifecycle.Record, error) {
			return of(session, b, 3), nil
		}
	})
	s.now = before.now
	s.picture.ready = false
	golden(t, s.text())
	for range 20 {
		s.keys("pgup")
	}
	want := before.talk(root)
	got := s.talk(root)
	if len(got.Blocks) != len(want.Blocks)+1 { // and the line about the reopening
		t.Fatalf("%d blocks, want %d", len(got.Blocks), len(want.Blocks)+1)
	}
	if text := s.text(); !strings.Contains(text, "Please audit the refunds.") {
		t.Fatalf("the first message is not at the top:\n%s", text)
	}
	s.keys("tab")
	if text := s.text(); !strings.Contains(text, "Please audit refunds.") {
		t.Fatalf("the subagent's prompt was not read:\n%s", text)
	}
}

func TestScrollHoldsItsPlace(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	for i := range 100 {
		s.log(root, "r1", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: fmt.Sprintf("line %d", i)})
	}
	s.keys("pgup")
	first := strings.Split(s.text(), "\n")[0]
	s.log(root, "r1", lifecycle.Text{Text: "\n\nmore\n\nmore"})
	if got := strings.Split(s.text(), "\n")[0]; got != first {
		t.Fatalf("the view moved from %q to %q", first, got)
	}
	s.keys("pgdown", "pgdown")
	if s.view().Held {
		t.Fatal("the end is not followed")
	}
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if !s.view().Held {
		t.Fatal("the wheel does not scroll")
	}
}
