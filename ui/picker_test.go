package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/formats"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/terminal"
)

// commanded gives a screen what commands need, as a house would.
func (s *screen) commanded() {
	s.options.Permissions = func() []approval.Rule { return []approval.Rule{{Text: "deny shell(rm *)", Source: "config.toml"}} }
	s.options.Commands = Commands{
		Sessions: func(_ context.Context, everywhere bool) ([]Session, error) { return theSessions(everywhere), nil },
		Peek: func(_ context.Context, session lifecycle.SessionID) ([]lifecycle.Record, error) {
			return []lifecycle.Record{
				{Event: lifecycle.Spawned{Spec: lifecycle.Spec{From: lifecycle.FromUser, Prompt: "Please audit the refunds of " + string(session) + "."}}},
				{Event: lifecycle.Text{Text: "Three places make "}},
				{Event: lifecycle.Text{Text: "refunds.\nTwo of them 漢字 round down."}},
				{Event: lifecycle.MessageTaken{From: lifecycle.FromAgent, Text: "not what a person said"}},
				{Event: lifecycle.MessageTaken{From: lifecycle.FromUser, Text: "and the third?"}},
				{Event: lifecycle.Text{Text: "It is \x1b[31mnot\x1b[0m tested."}},
			}, nil
		},
		Models: func(_ context.Context, ask bool) Models {
			list := Models{Known: []Model{{Name: "anthropic/claude", Context: 200_000, Price: "$3 in, $0.30 cached, $15 out", Takes: "images, thinks"}, {Name: "demo", Price: "free"}}}
			if ask {
				list.Known = append(list.Known, Model{Name: "ollama/qwen3", Context: 32_000, Price: "free"})
				list.Trouble = []string{"openai cannot be asked: the key was refused; set OPENAI_API_KEY to a valid key, or unset it"}
			}
			return list
		},
		SetModel: func(_ context.Context, model string) (Model, error) {
			if model != "ollama/qwen3" {
				return Model{}, errors.New(`unknown model "` + model + `"`)
			}
			return Model{Name: model, Context: 32_000}, nil
		},
		Priced: func(model string) bool { return model != "" },
		Types: func(context.Context) ([]Type, []string) {
			return []Type{
				{Name: "general", Description: "Everything that takes several steps.", Tools: "all", Model: "the parent's", Source: "built in"},
				{Name: "reviewer", Description: "Reads a change as a stranger would, and says what is wrong with it.", Tools: "read, grep", Model: "anthropic/claude", Source: "~/.config/pawl/agents/reviewer.md"},
			}, []string{".pawl/agents/odd.md:3: no description: say what it is for"}
		},
		Context: func(context.Context, lifecycle.SessionID) (agent.Context, error) {
			return agent.Context{Model: "anthropic/claude", Limit: 200_000, Parts: []agent.ContextPart{
				{Name: "base prompt", Source: "built in", Text: "You are Pawl, a coding agent in a terminal.", Tokens: 1_240},
				{Name: "../AGENTS.md", Source: "this project", Text: "Use tabs. 漢字", Tokens: 2_300},
				{Name: "../docs/style.md", Source: "included by ../AGENTS.md", Note: "not read: it leads outside the checkout through a symbolic link"},
				{Name: "16 tools", Source: "built in", Text: "read, write, edit", Tokens: 6_400},
				{Name: "web/AGENTS.md", Source: "read with a file there", Tokens: 310},
				{Name: "12 tool results", Source: "the conversation", Tokens: 22_000},
			}}, nil
		},
		Servers: func() []Server {
			return []Server{
				{Name: "disk", From: "config.toml", State: "ready", Tools: 3},
				{Name: "gone", From: ".mcp.json", State: "down", Down: true, Why: "it ended with exit code 4", Said: "I fell", Do: "fix it in .mcp.json; pawl doctor starts it and shows more"},
			}
		},
		Modes:   []Mode{{"default", "reads need no question, the rest asks"}, {"plan", "read-only, whatever the rules say"}, {"bypass", "only what a rule restricts asks"}},
		SetMode: func(string) error { return nil },
		Formats: []formats.Format{formats.Markdown, formats.JSON},
		Nearest: func(_ string, of []string) string { return of[0] },
	}
}

func theSessions(everywhere bool) []Session {
	list := []Session{
		{ID: root, Title: "Please audit the refunds.", Folder: "~/src/shop", Updated: epoch.Add(-20 * time.Second), State: lifecycle.StateCompleted, Subagents: 2, Cost: 0.42},
		{ID: "b", Title: "Why does the ledger of 漢字 not add up when a year has 53 weeks in it?", Folder: "~/src/shop", Updated: epoch.Add(-3 * time.Hour), State: lifecycle.StateInterrupted, Subagents: 1, Unread: 1},
		{ID: "c", Title: "Rename the \x1b]0;evil\x07 shop", Folder: "~/src/shop", Updated: epoch.Add(-70 * 24 * time.Hour), State: lifecycle.StateFailed, Used: "in use by process 4711"},
	}
	if everywhere {
		list = append(list, Session{ID: "d", Title: "Count the callers", Folder: "~/src/ledger", Updated: epoch.Add(-1000 * 24 * time.Hour), State: lifecycle.StateCompleted})
	}
	return list
}

// sent types a command and sends it.
func (s *screen) sent(command string) {
	s.typed(command)
	s.keys("enter")
}

func (s *screen) spent() {
	s.ask("Fan out.")
	s.delegate("audit refunds", true)
	s.log(root, "r1", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 42_000, OutputTokens: 3100, CachedTokens: 30_000, Cost: 0.184}})
	s.log("audit refunds", "run audit refunds", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 1200, OutputTokens: 90}})
	s.commanded()
}

func TestTheChosenLineIsWhatTheLettersMean(t *testing.T) {
	s := idle(t)
	s.commanded()
	s.sent("/permissions pal")
	require.Contains(t, s.text(), "pal is not a permission mode; did you mean default?")
	s.line().Set("")
	s.sent("/permissions")
	s.typed("pln")
	require.Contains(t, s.text(), "1 of 4")
	s.keys("backspace", "ctrl+u")
	s.typed("nothing like it")
	require.Contains(t, s.text(), "nothing matches")
	s.keys("enter") // of nothing
	s.keys("ctrl+w", "ctrl+w", "ctrl+w")
	s.send(tea.PasteMsg{Content: "plan\n"})
	s.keys("enter")
	require.Equal(t, "plan", s.options.Mode)
	require.Contains(t, s.text(), "permission mode: plan")
	require.Equal(t, atComposer, s.at())
}

func TestBypassIsAskedAbout(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	s.sent("/permissions bypass")
	require.Contains(t, s.text(), "Allow every call without asking?")
	s.keys("enter")
	require.Equal(t, "default", s.options.Mode, "no is what Enter says")
	s.sent("/permissions bypass")
	s.keys("y")
	require.Equal(t, "bypass", s.options.Mode)
}

func TestThePaletteHoldsWhatKeysAndCommandsDoHere(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+p")
	for _, g := range s.model.keys {
		for _, b := range g.bindings {
			held := slices.ContainsFunc(s.picker.Rows, func(e entry) bool { return e.Name == b.help && e.Key == b.shown() })
			offered := b.help != "" && !writes(g) && b.at&atComposer != 0 && (b.when == nil || b.when(s.model)) && b.shown() != "ctrl+p"
			require.Equal(t, offered, held, "%s %s", b.shown(), b.help)
		}
	}
	s.typed("stop all runs")
	s.keys("enter")
	require.NotNil(t, s.dialog)
	s.keys("esc", "ctrl+p", "esc")
	require.Equal(t, atComposer, s.at())
	s.keys("ctrl+p", "up")
	require.Equal(t, len(s.picker.Rows)-1, s.picker.List.At, "there ctrl+p and ↑ are steps")
	s.keys("pgup", "ctrl+n")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	require.Equal(t, 4+len(s.picker.Rows)-1-s.picker.Room(24).Rows+1, s.picker.List.At, "a page up, one down, and three of the wheel")
	s.keys("pgdown", "pgdown", "pgdown")
	require.Equal(t, len(s.picker.Rows)-1, s.picker.List.At, "no further than the end")
	s.keys("ctrl+c")
	require.Nil(t, s.picker)
}

func TestAQuestionComesBeforeAList(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+p")
	s.typed("x")
	s.log("audit", "run audit", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "audit", Run: "run audit", Tool: "shell", Subject: "ls"}})
	require.Equal(t, atQuestion, s.at())
	s.typed("y") // in the middle of a word
	require.Empty(t, s.route.taken())
	require.Equal(t, "xy", s.picker.Words)
	s.log("audit", "run audit", lifecycle.PermissionDenied{Question: "q", By: "person"})
	require.Equal(t, atPicker, s.at())
}

func TestModelsAreAskedForAndTheChoiceIsShown(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	s.commanded()
	s.sent("/model")
	require.Contains(t, s.text(), "openai cannot be asked")
	s.typed("qwen")
	s.keys("enter")
	require.Contains(t, s.text(), "model: ollama/qwen3 from the next run")
	require.Contains(t, s.text(), "  ollama/qwen3 ·", "on the status line")
	require.Equal(t, 32_000, s.options.Context)
	s.sent("/model nonsense")
	require.Contains(t, s.text(), `unknown model "nonsense"`)
	require.Equal(t, "ollama/qwen3", s.options.Model)
}

func TestWhatIsSaidOfTheSessionStandsWhereItWasSaid(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	s.worked()
	s.sent("/model ollama/qwen3")
	s.log(root, "r1", lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "after it"})
	talk := s.talk(root)
	texts := func() (all []string) {
		for _, b := range talk.Blocks {
			all = append(all, b.Text)
		}
		return all
	}
	want := texts()
	half := talk.Records[:5]
	talk.Records = talk.Records[5:]
	talk.Prepend(half)
	require.Equal(t, want, texts())
}

func TestAnotherSessionIsWhereTheScreenEnds(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	s.sent("/clear")
	require.Contains(t, s.text(), "this session is still empty")
	s.sent("/sessions ledger")
	s.keys("tab", "enter") // of all folders
	require.True(t, s.quit)
	require.Equal(t, Ending{Detach: true, Next: &Next{Session: "b"}}, s.ending)
	require.True(t, s.follows.Load())

	s = newScreen(t, 80, 24)
	s.commanded()
	s.options.Commands.Openable = func(context.Context, lifecycle.SessionID) error { return errors.New("another Pawl has it open") }
	s.sent("/sessions")
	s.keys("down", "down", "enter")
	require.False(t, s.quit)
	require.Contains(t, s.text(), "another Pawl has it open")
}

func TestQuitTypedAsksAsTheSecondCtrlCDoes(t *testing.T) {
	s := idle(t)
	s.sent("/quit")
	require.NotNil(t, s.dialog)
	require.False(t, s.quit)
	s = newScreen(t, 80, 24)
	s.sent("/quit")
	require.True(t, s.quit)
	require.Nil(t, s.ending.Next)
}

func TestExportTakesAFormat(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	var asked []formats.Options
	var files []string
	s.options.Export = func(_ context.Context, as formats.Options, file string, _ func(done, total int64)) (string, error) {
		asked, files = append(asked, as), append(files, file)
		return "/src/pawl-1." + string(as.Format), nil
	}
	s.sent("/export json")
	require.Contains(t, s.text(), "exported to /src/pawl-1.json")
	s.sent("/export")
	s.keys("down", "enter")
	s.keys("ctrl+s")
	s.sent("/export html")
	require.Contains(t, s.text(), "html is not an export format")
	s.keys("ctrl+u")
	s.sent("/export md json")
	require.Contains(t, s.text(), "md and json are two formats")
	s.keys("ctrl+u")
	s.sent("/export no-content md brief")
	s.sent("/export brief")
	s.sent("/export my own notes.md")
	s.sent("/export json brief ~/x")
	require.Equal(t, []formats.Options{{Format: "json"}, {Format: "json"}, {}, {Format: "md", Brief: true, NoContent: true}, {Format: "md", Brief: true}, {}, {Format: "json", Brief: true}}, asked)
	require.Equal(t, []string{"", "", "", "", "", "my own notes.md", "~/x"}, files)
}

func TestSubagentsAreJumpedToAndTypesBeginAMessage(t *testing.T) {
	s := idle(t)
	s.commanded()
	s.sent("/agents audit")
	s.keys("enter")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
	s.sent("/agents")
	s.typed("reviewer")
	s.keys("enter")
	require.Equal(t, root, s.open)
	require.Equal(t, "Use the reviewer subagent to ", s.line().Text)
}

func TestCommandsWithoutAHouseSaySo(t *testing.T) {
	for _, command := range []string{"/clear", "/mcp", "/model", "/permissions", "/sessions", "/export"} {
		s := newScreen(t, 80, 24)
		s.sent(command)
		require.Contains(t, s.text(), "nothing here to", command)
		require.Equal(t, atComposer, s.at())
	}
}

func TestAWideListHasItsPreviewBesideIt(t *testing.T) {
	s := newScreen(t, 170, 24)
	s.commanded()
	s.sent("/sessions")
	s.keys("down")
	golden(t, s.text())
}

func TestARuleThatAnAnswerMadeCanBeTakenBack(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	forgotten := 0
	var fault error
	s.options.Permissions = func() []approval.Rule {
		return []approval.Rule{{Text: "deny read(.env)", Source: "config.toml"}, {Text: "allow shell(go test *)", Source: "rules.toml", Forget: func(context.Context) error {
			forgotten++
			return fault
		}}}
	}
	s.sent("/permissions")
	s.typed("read")
	s.keys("enter")
	require.Contains(t, s.text(), "deny read(.env) is set in config.toml")
	choose := func() {
		s.sent("/permissions")
		s.typed("go test")
		s.keys("enter")
		require.Contains(t, s.text(), "Revoke allow shell(go test *)?")
	}
	choose()
	s.keys("enter")
	require.Zero(t, forgotten, "no is what Enter says")
	choose()
	s.keys("y")
	require.Contains(t, s.text(), "allow shell(go test *) is revoked")
	fault = errors.New("disk full")
	choose()
	s.keys("y")
	require.Contains(t, s.text(), "still in force: disk full")
	require.Equal(t, 2, forgotten)
}

func TestThePaletteIsThatOfTheComposerWhileAListStandsAboveIt(t *testing.T) {
	s := idle(t)
	s.typed("/exp")
	require.Equal(t, atCompletion, s.at())
	s.keys("ctrl+p")
	s.typed("stop all runs")
	s.keys("enter")
	require.NotNil(t, s.dialog)
}

func TestTheMarkStaysWhereItIsWhenMoreRowsCome(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.delegate("count the callers", true)
	s.commanded()
	s.line().Set("/agents")
	_, types := s.Update(key("enter"))
	require.Len(t, s.picker.Rows, 2)
	s.keys("down")
	s.carryOut(types)
	require.Len(t, s.picker.Rows, 4)
	require.Equal(t, "count the callers", string(s.picker.Marked().Name))
}

func TestAQuestionOfOnesOwnIsReadInFullOnTheSmallestScreen(t *testing.T) {
	s := newScreen(t, 40, 10)
	s.commanded()
	s.ask("go")
	s.delegate("audit", true)
	s.sent("/permissions bypass")
	read := s.text()
	s.keys("pgdown")
	s.pass(terminal.Beat)
	read = strings.Join(strings.Fields(read+s.text()), " ")
	require.Contains(t, read, "Allow every call without asking?")
	require.Contains(t, read, "Everything else runs:")
	require.Contains(t, read, "yes, in this session")
	s.keys("esc")
	s.sent("/quit")
	require.Contains(t, strings.Join(strings.Fields(s.text()), " "), "Quit while 2 runs go on? ⠋ main agent, running ⠋ audit, running 1 x stop them and quit 2 w wait for them, then quit 3 l leave them running › 4 esc cancel")
}

func TestWhatAModeMeansIsSaidAsFarAsThereIsRoom(t *testing.T) {
	s := newScreen(t, 40, 10)
	s.commanded()
	s.sent("/permissions")
	require.Contains(t, s.text(), "✓ default           reads need no que…")
	require.Contains(t, s.text(), "deny shell(rm *)  config.toml")
}
