//go:build unix

package conventions

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Whatever a command's file holds, in a trusted folder: nothing runs that no rule allows, nothing
// outside is read, and what is wrong is one line.
func TestHostileCommandsRunNothingAndReadNothingOutside(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.md")
	require.NoError(t, os.WriteFile(secret, []byte("the secret"), 0o600))
	files := map[string]string{
		".claude/commands/up.md":         "See @../../../../../../../../" + strings.TrimPrefix(secret, "/") + " and @" + secret + " and @link.md",
		".claude/commands/runs.md":       "!`touch made.txt`\n!`cat " + secret + "`\n!`sh -c 'touch made.txt'`\n```!\ntouch made.txt\n```\n",
		".claude/commands/args.md":       "Do $ARGUMENTS and !`echo $1`",
		".claude/commands/large.md":      strings.Repeat("x", 10<<20),
		".claude/commands/esc.md":        "---\ndescription: \"\\x1b]0;pwned\\x07 red\u202eder\"\nargument-hint: \"\\x1b[31m\"\n---\nfine",
		".claude/commands/na\u202eme.md": "x",
		".claude/commands/good.md":       "The good one.",
	}
	s := stage(t, files)
	require.NoError(t, os.Symlink(secret, filepath.Join(s.Dir, "link.md")))
	require.NoError(t, os.Symlink(secret, filepath.Join(s.Dir, ".claude/commands/out.md")))
	require.NoError(t, os.Symlink(outside, filepath.Join(s.Dir, ".claude/commands/outside")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(s.Dir, ".claude/commands/pipe.md"), 0o600))
	for prompt, gets := range map[string]string{
		"/good": "The good one.", "/up": "stands for this text", "/runs": "was not run", "/args 'x' !`touch made.txt` $(touch made.txt)": "!`touch made.txt`",
		"/out": "/out", "/pipe": "/pipe", "/large": "/large", "/outside:secret": "/outside:secret",
	} {
		_, said, errs := told(t, s, prompt)
		require.Contains(t, said, gets, prompt)
		require.NotContains(t, said, "the secret", prompt)
		require.NotContains(t, errs, "the secret", prompt)
		require.NoFileExists(t, filepath.Join(s.Dir, "made.txt"), prompt)
	}
	out, errs, code := harness.Run(t, s.Dir, s.Env, "skills")
	require.Equal(t, 2, code, errs)
	_, wrong, _ := strings.Cut(out, "These files cannot be used:\n")
	wrong, _, _ = strings.Cut(wrong, "\n\n")
	require.Len(t, strings.Split(strings.TrimSpace(wrong), "\n"), 4, out)
	examined, _, _ := harness.Run(t, s.Dir, s.Env, "doctor", "--offline")
	require.Contains(t, examined, "Commands and skills")
	require.Contains(t, examined, "large.md: it is larger than 64 KiB")
	require.NotContains(t, examined, "\u202e")
	for _, want := range []string{"large.md: it is larger than 64 KiB", "out.md: it leads outside the folder", "pipe.md: it cannot be read: it is a pipe", "cannot be typed as a command"} {
		require.Contains(t, wrong, want)
	}
	require.NotContains(t, out, "\x1b")
	require.NotContains(t, out, "\u202e")
}

func TestHostileSkillsReadNothingOutside(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	lay(t, outside, map[string]string{"SKILL.md": skillFile("leak") + "the secret", "more.md": "the secret"})
	s := loading(t, "fine")
	lay(t, s.Dir, map[string]string{
		".claude/skills/fine/SKILL.md":  skillFile("fine"),
		".claude/skills/large/SKILL.md": "---\nname: large\ndescription: d\n---\n" + strings.Repeat("x", 10<<20),
		".claude/skills/esc/SKILL.md":   "---\nname: esc\ndescription: \"\\x1b]0;pwned\\x07 \\u202e end\"\n---\nbody",
		".claude/skills/Name/SKILL.md":  "---\nname: ../../up\ndescription: d\n---\nbody",
	})
	require.NoError(t, os.Symlink(outside, filepath.Join(s.Dir, ".claude/skills/leak")))
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir, ".claude/skills/pipe"), 0o700))
	require.NoError(t, syscall.Mkfifo(filepath.Join(s.Dir, ".claude/skills/pipe/SKILL.md"), 0o600))
	require.NoError(t, os.Symlink(filepath.Join(outside, "more.md"), filepath.Join(s.Dir, ".claude/skills/fine/more.md")))
	request, said, errs := told(t, s, "go on")
	require.Contains(t, errs, "(and 3 more: pawl skills)")
	require.Contains(t, request.System, "- fine: works on fine")
	require.NotContains(t, request.System, "leak")
	require.NotContains(t, request.System, "\x1b")
	require.NotContains(t, said+request.System+errs, "the secret")
	require.Contains(t, request.ResultsOf("read")[0], "link", "the file of a skill that leads out is not read")
	_, said, _ = told(t, s, "/leak")
	require.NotContains(t, said, "the secret")
}

// A folder that nobody trusts has no commands and no skills, and what changes after the yes is asked
// about again and unused until then.
func TestCommandsAndSkillsNeedTrustInWhatTheyAreNow(t *testing.T) {
	t.Parallel()
	s := stage(t, map[string]string{
		".claude/commands/fix.md":            "---\ndescription: fixes\nallowed-tools: Bash(git add:*)\n---\nFix: !`git status`",
		".claude/skills/one/SKILL.md":        skillFile("one"),
		".claude/skills/one/scripts/run.sh":  "echo one",
		".claude/skills/one/references/x.md": "x",
	})
	plain := func(prompt string) (system, said, errs string) {
		_, errs, code := s.Prompted(t, "-p", prompt)
		require.Equal(t, 0, code, errs)
		h := last(s)
		return h.System, h.Messages[0].Text, errs
	}
	system, said, errs := plain("/fix")
	require.Equal(t, "/fix", said, "an ordinary message")
	require.NotContains(t, system, "Skills:")
	require.Contains(t, errs, "1 command and 1 skill, which nobody has trusted")

	yes := func() {
		x := s.Open(t)
		x.See("Do you trust it?", "1 command", "1 skill", "/fix (.claude/commands/fix.md): fixes", "runs, as your rules allow: git status", "may at most: read(*), shell(git add *)", "with 2 other files, of which 1 can be run")
		x.Answer("y")
		x.See("trusted until it changes")
		require.Equal(t, 0, x.Quit())
	}
	yes()
	system, said, errs = plain("/fix")
	require.Contains(t, said, "Fix: ")
	require.Contains(t, system, "- one: works on one")
	require.Empty(t, errs)

	lay(t, s.Dir, map[string]string{".claude/skills/one/scripts/run.sh": "echo two"})
	system, said, errs = plain("/fix")
	require.Contains(t, said, "Fix: ", "the commands are as they were")
	require.NotContains(t, system, "Skills:")
	require.Contains(t, errs, "left out 1 skill,")

	lay(t, s.Dir, map[string]string{".claude/commands/fix.md": "Fix: !`touch made.txt`"})
	_, said, errs = plain("/fix")
	require.Equal(t, "/fix", said)
	require.Contains(t, errs, "left out 1 command and 1 skill,")
	x := s.Open(t)
	x.See("Do you trust it?", "changed since you answered", "touch made.txt")
	x.Type(harness.KeyEsc)
	x.SeeNot("Do you trust it?")
	require.Equal(t, 0, x.Quit())
	require.NoFileExists(t, filepath.Join(s.Dir, "made.txt"))
}

// What a command of a model's leaves is not covered by --trust.
func TestACommandThatIsWrittenByAModelsCommandIsNotTrusted(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("plant it") {
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "mkdir -p .claude/commands .claude/skills/one && echo planted > .claude/commands/plant.md && printf -- '---\\nname: one\\ndescription: d\\n---\\nplanted' > .claude/skills/one/SKILL.md"}))
		}
		return modeltest.Say("Done.")
	})
	_, errs, code := s.Prompted(t, "--trust", "--permission-mode", "bypass", "-p", "plant it")
	require.Equal(t, 0, code, errs)
	request, said, errs := told(t, s, "/plant")
	require.NotContains(t, said, "planted")
	require.NotContains(t, request.System, "Skills:")
	require.Contains(t, errs, "appeared or changed while Pawl ran a command")
}
