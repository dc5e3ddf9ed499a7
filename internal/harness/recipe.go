//go:build unix

package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Recipe is a section of docs/recipes.md: what a person does, and what is then to be seen.
type Recipe struct {
	Steps  []RecipeStep
	Blocks map[string]string // what stands in fences, by language
}

// RecipeStep is a row of its tables: a command, or else keys.
type RecipeStep struct {
	Command string
	Keys    []string // as a terminal sends them
	See     []string
}

var (
	fenced  = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	rows    = regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`)
	spelled = regexp.MustCompile("`([^`]+)`|[^ ]+")
	named   = map[string]string{
		"Enter": KeyEnter, "Esc": KeyEsc, "↓": KeyDown, "↑": KeyUp, "←": KeyLeft, "Ctrl+X": KeyCtrlX, "Ctrl+T": KeyCtrlT, `Ctrl+\`: KeyCtrlBackslash, "x": "x",
	}
)

// ReadRecipe reads a recipe from its page. A key that has no such name is an error of the page.
func ReadRecipe(t testing.TB, title string) Recipe {
	t.Helper()
	page, err := os.ReadFile("docs/recipes.md")
	require.NoError(t, err)
	_, section, there := strings.Cut(string(page), "\n## "+title+"\n")
	require.True(t, there, "there is no recipe %q", title)
	section, _, _ = strings.Cut(section, "\n## ")
	r := Recipe{Blocks: map[string]string{}}
	for _, block := range fenced.FindAllStringSubmatch(section, -1) {
		r.Blocks[block[1]] = block[2]
	}
	for _, row := range rows.FindAllStringSubmatch(section, -1) {
		if row[1] != "do" {
			r.Steps = append(r.Steps, readStep(t, row[1], row[2]))
		}
	}
	return r
}

func readStep(t testing.TB, do, see string) (step RecipeStep) {
	t.Helper()
	for _, found := range spelled.FindAllStringSubmatch(see, -1) {
		if found[1] != "" {
			step.See = append(step.See, found[1])
		}
	}
	for _, found := range spelled.FindAllStringSubmatch(do, -1) {
		key, known := named[found[0]]
		switch {
		case found[1] == "pawl", strings.HasPrefix(found[1], "pawl "):
			step.Command = found[1]
		case found[1] != "":
			step.Keys = append(step.Keys, found[1])
		default:
			require.True(t, known, "a recipe names a key %s", found[0])
			step.Keys = append(step.Keys, key)
		}
	}
	return step
}

// Play does what the steps say, and waits for what they say is to be seen: on the terminal x, or on
// the one that a command has opened since. It gives the last terminal, and what the other commands
// wrote. words puts what the page leaves open in its place.
func (s *Stage) Play(t testing.TB, x *Terminal, steps []RecipeStep, words *strings.Replacer) (last *Terminal, wrote []string) {
	t.Helper()
	for _, step := range steps {
		switch {
		case step.Command == "":
			require.NotNil(t, x, "keys, and no screen")
			x.press(step.Keys)
			x.See(step.See...)
		case opensScreen(step.Command):
			x = StartCommand(t, 120, 40, s.Shell(t, "exec "+step.Command))
			x.See(step.See...)
		default:
			wrote = append(wrote, s.runStep(t, words.Replace(step.Command), step.See))
		}
	}
	return x, wrote
}

// runStep runs a command until it writes what is to be seen: one that only reads is run again, for what
// it tells of may take a moment.
func (s *Stage) runStep(t testing.TB, command string, see []string) (out string) {
	t.Helper()
	reads := regexp.MustCompile(`^pawl (ps|show) ?`).MatchString(command)
	for deadline := time.Now().Add(modeltest.Patience); ; {
		text, err := s.Shell(t, command).CombinedOutput()
		require.NoError(t, err, "%s\n%s", command, text)
		if out = string(text); ContainsAll(out, see...) {
			return out
		}
		require.True(t, reads && time.Now().Before(deadline), "%s writes no %q:\n%s", command, see, out)
	}
}

// press presses keys as a person does: a message once nothing of the parent runs, a letter once it counts.
func (x *Terminal) press(keys []string) {
	x.T.Helper()
	for _, key := range keys {
		if len(key) > 1 && key[0] >= ' ' {
			x.Rest()
			x.Type(key)
			x.See(key[strings.LastIndex(key, " ")+1:]) // it may take several lines
			continue
		}
		x.SeeNot("pause to answer")
		x.Type(key)
	}
}

// opensScreen reports whether a command takes the terminal.
func opensScreen(command string) bool {
	words := strings.Fields(command)
	return len(words) == 1 || words[1] == "attach" || words[1][0] == '-' && !slices.Contains(words, "-p")
}

// Shell is a line of a shell on the stage, with Pawl on its path.
func (s *Stage) Shell(t testing.TB, line string) *exec.Cmd {
	t.Helper()
	path, err := Binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", line)
	cmd.Dir, cmd.WaitDelay = s.Dir, modeltest.Patience
	cmd.Env = append(slices.Clone(s.Env), "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"))
	return cmd
}
