package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/completion"
	"pawl/ui/terminal"
)

// shop are the names in the folder of these tests.
var shop = []string{"docs/", "internal/", "README.md", "a b.md", "refund.go", "refund_test.go", "docs/a b/", "docs/tax.md", "internal/shop/", "docs/a b/c.md", "internal/shop/ledger.go", "internal/shop/refunds_of_all_years_漢字.go"}

func withFiles(o *Options, _ *terminal.Features) {
	o.Files = func(context.Context, string) []string { return shop }
	o.Picture = func(_ context.Context, pasted string) string {
		if pasted == "'/tmp/a shot.png'" {
			return "/tmp/a shot.png"
		}
		return ""
	}
}

// choices are the names in the open list, the marked one with a sign.
func (s *screen) choices() []string {
	if s.at() != atCompletion {
		return nil
	}
	var names []string
	marked, _ := s.completion.Chosen()
	for _, name := range s.completion.Candidates() {
		if name == marked && !s.completion.Offhand() {
			name = "> " + name
		}
		names = append(names, name)
	}
	return names
}

func TestAFileIsFoundWhileItIsTypedAndTakenWithoutSending(t *testing.T) {
	for _, key := range []string{"tab", "enter"} {
		s := newScreen(t, 80, 24, withFiles)
		s.typed("compare @rfnd")
		require.Equal(t, []string{"> refund.go", "refund_test.go", "internal/shop/refunds_of_all_years_漢字.go"}, s.choices())
		s.keys("down", key)
		require.Equal(t, "compare @refund_test.go ", s.line().Text)
		require.Empty(t, s.choices())
		require.Empty(t, s.route.taken())
		s.keys("enter")
		require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "compare @refund_test.go"}}, s.route.taken())
	}
}

func TestAFolderGoesOnCompletingAndSpacesAreQuoted(t *testing.T) {
	s := newScreen(t, 80, 24, withFiles)
	s.typed("@do")
	s.keys("tab")
	require.Equal(t, "@docs/", s.line().Text)
	require.Equal(t, []string{"> docs/a b/", "docs/tax.md", "docs/a b/c.md"}, s.choices())
	s.keys("tab")
	require.Equal(t, `@"docs/a b/`, s.line().Text)
	require.Equal(t, []string{"> docs/a b/c.md"}, s.choices())
	s.keys("enter")
	require.Equal(t, `@"docs/a b/c.md" `, s.line().Text)
	s.typed("and @a b") // a space ends a name that is not quoted
	require.Empty(t, s.choices())
}

func TestTheListClosesAndLeavesTheText(t *testing.T) {
	s := newScreen(t, 80, 24, withFiles)
	s.typed("see @re")
	s.keys("esc")
	require.Equal(t, "see @re", s.line().Text)
	s.typed("f")
	require.Empty(t, s.choices(), "it stays closed for this name")
	s.keys("esc")
	s.typed("see @r")
	require.Equal(t, "> README.md", s.choices()[0], "another in the same place")
	s.keys("esc")
	s.typed(" @d")
	require.Equal(t, "> docs/", s.choices()[0])
	s.keys("left", "left")
	require.Empty(t, s.choices(), "the cursor has left the name")
	s.keys("ctrl+u")
	s.typed("@zzz")
	require.Empty(t, s.choices(), "nothing matches")
	s.keys("enter")
	require.Equal(t, "@zzz@d", s.route.taken()[0].(lifecycle.Send).Text)
}

func TestTextThatIsNotTypedOpensNoList(t *testing.T) {
	s := newScreen(t, 80, 24, withFiles)
	s.options.History = []string{"look at @refund"}
	s.line().History = s.options.History
	s.keys("up")
	require.Equal(t, "look at @refund", s.line().Text)
	require.Empty(t, s.choices())
	s.keys("ctrl+u")
	s.send(tea.PasteMsg{Content: "@refund"})
	require.Empty(t, s.choices())
	s.typed("_t")
	require.Equal(t, "> refund_test.go", s.choices()[0])
	s.keys("ctrl+u") // a key that is not the list's is the composer's
	require.Empty(t, s.line().Text)
	require.Empty(t, s.choices())
	plain := newScreen(t, 80, 24)
	plain.typed("@re")
	require.Empty(t, plain.choices(), "there are no files to name")
}

// The list may lag behind fast fingers; what is taken never does.
func TestWhatIsTakenFitsWhatIsTyped(t *testing.T) {
	s := newScreen(t, 80, 24, withFiles)
	s.typed("@")
	for _, r := range "ledg" {
		_, _ = s.Update(tea.KeyPressMsg{Code: r, Text: string(r)}) // its search is under way
	}
	require.Equal(t, "> docs/", s.choices()[0])
	s.keys("enter")
	require.Equal(t, "@internal/shop/ledger.go ", s.line().Text)
	s.typed("@")
	_, late := s.Update(tea.KeyPressMsg{Code: 'z', Text: "z"})
	s.keys("enter")
	require.Equal(t, "@internal/shop/ledger.go @z", s.route.taken()[0].(lifecycle.Send).Text)
	s.carryOut(late)
	require.Empty(t, s.choices())
}

func TestASubagentsComposerNamesTheFilesOfItsFolder(t *testing.T) {
	var asked []string
	s := newScreen(t, 80, 24, withFiles, func(o *Options, _ *terminal.Features) {
		o.Files = func(_ context.Context, folder string) []string {
			asked = append(asked, folder)
			return []string{"in-" + folder}
		}
	})
	s.ask("go")
	s.log("dig", "run dig", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Type: "general", Description: "dig", Folder: "worktree", Background: true, Trigger: lifecycle.TriggerAgent}}, lifecycle.Started{})
	s.typed("@")
	require.Equal(t, []string{"> in-"}, s.choices())
	s.keys("esc", "tab")
	s.typed("@")
	require.Equal(t, []string{"> in-worktree"}, s.choices())
	s.keys("tab", "shift+tab")
	require.Equal(t, "@in-worktree ", s.line().Text)
	s.typed("@ @")
	require.Equal(t, []string{"", "worktree"}, asked, "names typed in a row read the folder once")
	s.now = s.now.Add(completion.NamesAge)
	s.typed(" @")
	require.Len(t, asked, 3)
}

func TestCommandsAreCompletedAndCarriedOut(t *testing.T) {
	s := idle(t)
	s.typed("/")
	require.Equal(t, "> /agents", s.choices()[0], "what harms nothing, for Enter takes it")
	require.Len(t, s.choices(), len(typedCommands()))
	s.typed("cmp")
	require.Equal(t, []string{"> /compact"}, s.choices())
	s.keys("enter")
	require.Equal(t, "/compact ", s.line().Text)
	require.Empty(t, s.route.taken(), "it takes words")
	s.keys("ctrl+u")
	s.typed("/sto")
	s.keys("tab")
	require.Equal(t, "/stop", s.line().Text)
	s.keys("ctrl+u")
	s.typed("/sto")
	s.keys("enter")
	require.Contains(t, s.text(), "nothing is running here")
	require.Empty(t, s.line().Text)
	for _, line := range []string{"a /st", " /st", "/usr/st", "/stop @re"} {
		s.keys("ctrl+u")
		s.typed(line)
		require.Empty(t, s.choices(), line)
	}
}

func TestTheWordsOfACommandAreCompleted(t *testing.T) {
	s := idle(t)
	var took []string
	s.commands = append(s.commands, typedCommand{name: "/paint", takes: true, complete: func(*model) []string { return []string{"light", "dark", "dark red"} }, do: func(_ *model, rest string) tea.Cmd {
		took = append(took, rest)
		return nil
	}})
	s.typed("/pai")
	s.keys("enter")
	require.Equal(t, "/paint ", s.line().Text)
	require.Equal(t, []string{"light", "dark", "dark red"}, s.choices())
	s.typed("da")
	require.Equal(t, []string{"> dark", "dark red"}, s.choices())
	s.keys("down", "tab")
	require.Equal(t, "/paint dark red", s.line().Text)
	s.keys("enter")
	require.Equal(t, []string{"dark red"}, took)
	s.typed("/paint li")
	s.keys("enter")
	require.Equal(t, []string{"dark red", "light"}, took)
	s.typed("/paint")
	s.keys("enter")
	require.Equal(t, "", took[2], "a name that is typed in full is meant as it stands")
}

func TestAPictureThatIsDroppedBecomesAMention(t *testing.T) {
	s := newScreen(t, 80, 24, withFiles)
	s.typed("why is ")
	s.send(tea.PasteMsg{Content: "'/tmp/a shot.png'"})
	require.Equal(t, `why is @"/tmp/a shot.png" `, s.line().Text)
	s.typed("@")
	s.send(tea.PasteMsg{Content: "'/tmp/a shot.png'"})
	require.Equal(t, `why is @"/tmp/a shot.png" @"/tmp/a shot.png" `, s.line().Text)
	for _, pasted := range []string{"/tmp/gone.png", "see a.png\nb.png", "text"} {
		s := newScreen(t, 80, 24, withFiles)
		s.send(tea.PasteMsg{Content: pasted})
		require.Equal(t, pasted, s.line().Text)
	}
	_, looking := s.Update(tea.PasteMsg{Content: "'/tmp/a shot.png'"})
	s.typed("it so") // while it is looked for
	s.keys("ctrl+a")
	s.carryOut(looking)
	require.True(t, strings.HasSuffix(s.line().Text, `@"/tmp/a shot.png" it so`), s.line().Text)
	require.Zero(t, s.line().At)
}

func TestAPasteReachesNothingOutsideTheFolder(t *testing.T) {
	s := newScreen(t, 80, 24, withFiles)
	s.send(tea.PasteMsg{Content: "see @/tmp/private.png, @~/p.png and @here.go\n"})
	s.typed("@/tmp/own.png ")
	s.send(tea.PasteMsg{Content: "'/tmp/a shot.png'"})
	s.keys("enter")
	send, ok := s.route.taken()[0].(lifecycle.Send)
	require.True(t, ok)
	require.Contains(t, send.Text, "@/tmp/private.png")
	require.Equal(t, []string{"/tmp/own.png", "/tmp/a shot.png"}, send.Reach)

	s.send(tea.PasteMsg{Content: `again @"/tmp/a shot.png" `})
	s.keys("enter")
	send, ok = s.route.taken()[0].(lifecycle.Send)
	require.True(t, ok)
	require.Empty(t, send.Reach)
	s.send(tea.PasteMsg{Content: "'/tmp/a shot.png'"}) // dropping it is meant
	s.keys("enter")
	send, ok = s.route.taken()[0].(lifecycle.Send)
	require.True(t, ok)
	require.Equal(t, []string{"/tmp/a shot.png"}, send.Reach)
}

func TestTheListFitsEverySize(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {20, 4}, {12, 30}, {200, 60}} {
		s := newScreen(t, size[0], size[1], withFiles)
		s.typed("@refunds_of_all")
		require.Equal(t, atCompletion, s.at())
		require.Contains(t, s.text(), "字.go", fmt.Sprint(size))
		require.LessOrEqual(t, strings.Count(s.View().Content, "\n"), size[1]-1)
	}
}

func TestTheKnownWordsOfCommandsAreCompleted(t *testing.T) {
	for command, want := range map[string][]string{
		"/theme ":       {terminal.ThemeAuto, terminal.ThemeDark, terminal.ThemeLight, terminal.ThemeContrast},
		"/export ":      {"md", "json", "md brief", "md no-content", "json no-content", "md brief no-content"},
		"/permissions ": {"default", "plan", "bypass"},
		"/model ":       {"anthropic/claude", "demo"},
	} {
		s := newScreen(t, 80, 24)
		s.commanded()
		s.typed(command)
		require.Equal(t, atCompletion, s.at(), command)
		require.Equal(t, want, s.completion.Candidates(), command)
		s.keys("down", "down", "tab")
		require.Equal(t, command+want[1], s.line().Text)
		require.Empty(t, s.choices())
	}
	s := newScreen(t, 80, 24)
	s.commanded()
	s.typed("/theme con")
	s.keys("enter")
	require.Equal(t, terminal.ThemeContrast, s.looks.Theme)
	s.typed("/permissions pl")
	s.keys("enter")
	require.Equal(t, "plan", s.options.Mode)
	s.typed("/model qw")
	s.keys("enter")
	require.Contains(t, s.text(), "qw", "nothing known is called so")
	_ = s.modelsRead(s.options.Commands.Models(context.Background(), true), &picker{}, true)(s.model)
	s.keys("ctrl+u")
	s.typed("/model ollama/qwen")
	require.Equal(t, []string{"ollama/qwen3"}, s.choices(), "servers offer what they do not list")
	s.keys("enter")
	require.Contains(t, s.text(), `unknown model "ollama/qwen"`)
	require.Equal(t, "/model ollama/qwen", s.line().Text, "it can be corrected")
	s.keys("ctrl+u")
	s.typed("/model qw")
	s.keys("enter")
	require.Equal(t, "ollama/qwen3", s.options.Model)
	s.typed("/model demo/")
	s.keys("backspace", "ctrl+u")
	require.Empty(t, s.choices())
}

func TestEnterBehindABareCommandOpensItsList(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.commanded()
	s.typed("/theme ")
	require.Equal(t, []string{terminal.ThemeAuto, terminal.ThemeDark, terminal.ThemeLight, terminal.ThemeContrast}, s.choices(), "nothing is marked yet")
	require.NotContains(t, s.text(), "› auto")
	require.Contains(t, s.text(), "tab takes")
	s.keys("enter")
	require.Equal(t, "Theme", string(s.picker.Title))
	s.keys("esc")
	s.typed("/mod")
	s.keys("enter")
	require.Equal(t, "Model", string(s.picker.Title))
	s.keys("esc")
	s.typed("/theme ")
	s.keys("down")
	require.Contains(t, s.text(), "› auto")
	s.keys("up", "enter")
	require.Equal(t, terminal.ThemeContrast, s.looks.Theme)
}
