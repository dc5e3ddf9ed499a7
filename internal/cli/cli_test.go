package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/internal/base"
	"pawl/internal/system"
)

// commandRead is a command line as the program understands it.
type commandRead struct {
	cmd   *cobra.Command
	words []string
}

// parsed reads what stands behind pawl, and runs nothing.
func parsed(args ...string) (read commandRead, err error) {
	root, args := parserOf(args, &base.World{})
	for _, cmd := range append(root.Commands(), append(leaves(root), root)...) {
		cmd.RunE = func(_ *cobra.Command, words []string) error {
			read.words = words
			return nil
		}
	}
	root.SetArgs(append([]string{}, args...))
	root.SetHelpFunc(func(*cobra.Command, []string) {})
	read.cmd, err = root.ExecuteC()
	return read, err
}

// String is the flags that are set, and the words.
func (r commandRead) String() string {
	var all []string
	r.cmd.Flags().Visit(func(flag *pflag.Flag) { all = append(all, "--"+flag.Name+"="+flag.Value.String()) })
	slices.Sort(all)
	return strings.Join(append(all, r.words...), " ")
}

func TestWhatALineLacksOrSaysTwiceIsSaid(t *testing.T) {
	for line, want := range map[string]string{
		"--continue --session=x":         "--continue, --session and --resume can't be used together\n",
		"-r -c":                          "--continue, --session and --resume can't be used together",
		"--continue --continue":          "the screen needs a terminal",
		"--continue --session":           "flag needs an argument: --session",
		"export":                         "ID is missing (usage: pawl export ID [flags]; pawl export --help says more)",
		"export a b":                     `unexpected argument "b" (usage: pawl export ID [flags]`,
		"export --fromat=json a":         `unknown flag --fromat; did you mean "--format"?`,
		"export --format htm a":          `--format htm: must be one of md, html, json, trace, patch; did you mean "html"?` + "\n",
		"completion":                     "the shell is missing (usage: pawl completion bash|zsh|fish;",
		"completion sh":                  `invalid argument "sh" for "pawl completion" (usage: pawl completion bash|zsh|fish;`,
		"worktrees add":                  `unknown command "add"`,
		"worktrees --discard":            "unknown flag --discard",
		"worktrees rm":                   "which one? pawl worktrees rm NAME",
		"-p --agents= hi":                `--agents "": must be one of drain, stop`,
		"-p --output-format jsn hi":      `--output-format jsn: must be one of text, json, stream-json; did you mean "json"?`,
		"-p --drain-timeout=5 hi":        "--drain-timeout 5: must be a duration, like 90s or 10m\n",
		"rewind --to x":                  "--to x: must be a number\n",
		"changes --patch --json":         "--patch and --json are two forms: choose one\n",
		"fork --list --before 1":         "--list forks nothing: use it without --before\n",
		"-p --trust=2 hi":                "--trust 2: must be true or false\n",
		"sessions extra":                 `unexpected argument "extra" (usage: pawl sessions [flags];`,
		"demo --model openai/x":          "pawl demo plays a script, not openai/x",
		"demo a prompt":                  `a prompt goes behind -p: pawl demo -p "…"`,
		"-p --resume":                    "-p has no list to choose from",
		"replay gone.json --speed=9999x": "--speed 9999x: must be a number from 0.25 to 64, like 4x",
	} {
		var out, errs bytes.Buffer
		require.Equal(t, system.ExitUsage, Execute(t.Context(), strings.Fields(line), base.World{Out: &out, Err: &errs}), line)
		require.Contains(t, errs.String(), "pawl: "+want, line)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), line)
		require.Empty(t, out.String(), line)
	}
}

// --resume takes the word behind it: where that was the prompt, the line says what to write.
func TestAPromptTakenForASessionIsToldWhatToWrite(t *testing.T) {
	for _, line := range []string{"-p --resume hi", "-r hi -p", "-p --session hi"} {
		var out, errs bytes.Buffer
		code := Execute(t.Context(), strings.Fields(line), base.World{In: strings.NewReader(""), Out: &out, Err: &errs})
		require.Equal(t, system.ExitUsage, code, line)
		require.Equal(t, `pawl: -p needs a prompt, and "hi" is taken as the session: pawl -p --session hi "…"; pawl -p -c "hi" asks the last session of this folder`+"\n", errs.String(), line)
		require.Empty(t, out.String(), line)
	}
}

// Whatever is typed, it is understood, or it is a mistake that is told in a line.
func TestAnyLineIsUnderstoodOrAMistake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := newCommandTree(&base.World{})
		cmd := rapid.SampledFrom(append(root.Commands(), leaves(root)...)).Draw(t, "command")
		typed := []string{"", "-", "--", "x", "-x", "--x", "-o-", "list", "rm", "zsh", "--print=false", "-pc", "-r"}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			name := "--" + flag.Name
			typed = append(typed, name, name+"=", name+"=1", name+"=0.5s", name[:len(name)-1], name+"="+flag.Value.Type())
		})
		args := append(strings.Fields(cmd.CommandPath())[1:], rapid.SliceOfN(rapid.SampledFrom(typed), 0, 4).Draw(t, "args")...)
		if rapid.Bool().Draw(t, "without a name") {
			args = args[1:]
		}
		read, err := parsed(args...)
		require.NotNil(t, read.cmd, "%q", args)
		if err != nil {
			require.NotContains(t, err.Error(), "\n", "%q", args)
		}
	})
}

func TestEachCommandSaysWhatItTakes(t *testing.T) {
	root := newCommandTree(&base.World{})
	for _, cmd := range leaves(root) {
		require.NotNil(t, cmd.RunE, cmd.CommandPath())
		require.True(t, cmd.Args != nil || strings.HasPrefix(cmd.Use, "help") || strings.HasPrefix(cmd.Use, "rm NAME"), "%s takes any words", cmd.CommandPath())
		require.True(t, cmd.GroupID != "" || cmd.Parent() != root, "%s is in no group", cmd.CommandPath())
		require.NotEmpty(t, cmd.Example, cmd.CommandPath())
	}
}
