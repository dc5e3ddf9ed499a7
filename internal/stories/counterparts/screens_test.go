//go:build unix

package counterparts

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// step is what happened to a terminal, in the words that the drivers of emulators read.
type step struct {
	Size  []int  `json:"size,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
	Look  bool   `json:"look,omitempty"`
}

// shown is what an emulator shows.
type shown struct {
	Lines  []string
	Cursor [2]int
}

// film is a session on a terminal, for emulators to show again.
type film struct {
	x     *harness.Terminal
	taken int // of what Pawl has written
	steps []step
	shown []shown // by the emulator of the tests
}

// take adds what was written since.
func (f *film) take(raw string) {
	f.steps = append(f.steps, step{Bytes: []byte(raw[f.taken:])})
	f.taken = len(raw)
}

// look adds a look at the terminal, once it shows these texts and nothing more is written.
func (f *film) look(texts ...string) {
	f.x.T.Helper()
	f.x.See(texts...)
	f.x.Rest()
	for {
		before := f.x.Raw()
		var now shown
		f.x.WithEmulator(func(e *vt.Emulator) { at := e.CursorPosition(); now.Cursor = [2]int{at.X, at.Y} })
		now.Lines = strings.Split(f.x.Screen(), "\n")
		if f.x.Raw() == before {
			f.take(before)
			f.steps, f.shown = append(f.steps, step{Look: true}), append(f.shown, now)
			return
		}
	}
}

func (f *film) resize(width, height int) {
	f.x.T.Helper()
	f.take(f.x.Raw())
	f.x.Resize(width, height)
	f.steps = append(f.steps, step{Size: []int{width, height}})
	f.x.WaitFor("been drawn anew", func(string) bool { return len(f.x.Raw()) > f.taken })
}

// wide is an answer with characters of two cells. Marks that combine are not among it: the emulator of the
// tests drops them, where those of others show them.
const wide = "# Ein Überblick\n\n日本語の文章は幅が広い。한국어도 그렇다. Ça va: naïve café. 🚀 ✅\n\n" +
	"| Datei | 内容 |\n|---|---|\n| calc.go | 足し算 |\n| README.md | 説明 🚀 |\n\n```go\nfunc Add(a, b int) int { return a + b }\n```\n\n" +
	"1. eins\n2. zwei\n   - 三\n\n> zitiert, und zwar so lang, daß die Zeile auf jedem Schirm umbrochen werden muß, und dann noch einmal.\n"

// TestEmulatorsOfOthersShowWhatTheTestsSee: what Pawl writes to a terminal of many sizes makes the same
// picture in the emulators of others as in the one that all tests read.
func TestEmulatorsOfOthersShowWhatTheTestsSee(t *testing.T) {
	folder := node(t)
	for name, emulator := range map[string][]string{
		"@xterm/headless": {"node", filepath.Join(folder, "xterm.mjs")},
		"pyte":            {"/usr/bin/python3", filepath.Join(folder, "screen.py")},
	} {
		t.Run(name, func(t *testing.T) {
			version := versionOfEmulator(t, name)
			f := session(t)
			var input strings.Builder
			for _, one := range f.steps {
				line, err := json.Marshal(one)
				require.NoError(t, err)
				input.Write(append(line, '\n'))
			}
			out := run(t, folder, input.String(), emulator[0], emulator[1:]...)
			looks := strings.Split(strings.TrimSpace(string(out)), "\n")
			require.Len(t, looks, len(f.shown))
			for i, line := range looks {
				var theirs shown
				require.NoError(t, json.Unmarshal([]byte(line), &theirs))
				require.Equal(t, strings.Join(f.shown[i].Lines, "\n"), strings.Join(theirs.Lines, "\n"), "look %d", i)
				require.Equal(t, f.shown[i].Cursor, theirs.Cursor, "look %d", i)
			}
			soaktest.Counterpart(t, name, version, len(looks))
		})
	}
}

// versionOfEmulator is its version; a test whose emulator is not there is skipped.
func versionOfEmulator(t *testing.T, name string) string {
	t.Helper()
	if name != "pyte" {
		return versionOf(t, name)
	}
	programFor(t, "/usr/bin/python3", "apt-get install python3-pyte")
	const ask = "import importlib.util as u, importlib.metadata as m; print(m.version('pyte') if u.find_spec('pyte') else '')"
	version := strings.TrimSpace(string(run(t, "", "", "/usr/bin/python3", "-c", ask)))
	if version == "" {
		t.Skip("there is no pyte here: apt-get install python3-pyte")
	}
	return version
}

// session plays the screen in many sizes, and looks at it where it rests.
func session(t *testing.T) *film {
	t.Helper()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look at it"):
			return modeltest.Say("足し算 in one line.")
		case h.Asked("delegate") && !h.Answered("agent"):
			return modeltest.Do(modeltest.Delegate("ein Blick 👀", "look at it"))
		}
		return modeltest.Say(strings.SplitAfter(wide, " ")...)
	})
	f := &film{x: harness.StartSized(t, 100, 30, s.Dir, s.Env, s.Flags()...), steps: []step{{Size: []int{100, 30}}}}
	f.x.Ready()
	f.look("Ask Pawl")
	f.x.Prompt("erzähl 日本語")
	f.look("│ einmal.")
	f.x.Prompt("delegate")
	f.look("ein Blick")
	typed := ""
	for _, size := range [][2]int{{80, 24}, {41, 15}, {60, 12}, {131, 50}, {100, 30}, {30, 9}, {120, 40}} {
		f.resize(size[0], size[1])
		f.x.Type("語")
		typed += "語"
		f.look("› " + typed)
	}
	f.x.Type(harness.KeyPgUp)
	f.look("内容")
	f.x.Type("日本", harness.KeyLeft, "x")
	f.look("日x本")
	return f
}
