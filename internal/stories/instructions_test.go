package stories

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

// lay writes a file below the stage's folder, or anywhere by its whole path.
func lay(t *testing.T, s *harness.Stage, name, text string) {
	t.Helper()
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(s.Dir, name)
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// instructedStage is a checkout with instructions at every level; Pawl stands in its folder app.
func instructedStage(t *testing.T, p modeltest.Protocol, script func(modeltest.Request) modeltest.Reply) *harness.Stage {
	t.Helper()
	s := harness.NewStage(t, p, script)
	lay(t, s, filepath.Join(s.Home, "config", "AGENTS.md"), "MARK-OWN")
	lay(t, s, "AGENTS.md", "MARK-ROOT, see @docs/style.md")
	lay(t, s, "docs/style.md", "MARK-INCLUDED")
	lay(t, s, "app/CLAUDE.md", "@../AGENTS.md MARK-HERE")
	lay(t, s, "app/web/AGENTS.md", "MARK-NESTED")
	lay(t, s, "app/web/a.ts", "one\n")
	lay(t, s, "app/web/long.ts", strings.Repeat("one line of many\n", 500))
	lay(t, s, "app/other/AGENTS.md", "MARK-ELSEWHERE")
	s.Dir = filepath.Join(s.Dir, "app")
	return s
}

// marks are the marks of instructions in a request, in order, each as often as it comes.
func marks(h modeltest.Request) []string {
	var found []string
	for _, word := range strings.FieldsFunc(string(h.Raw), func(r rune) bool { return r != '-' && (r < 'A' || r > 'Z') }) {
		if strings.HasPrefix(word, "MARK-") {
			found = append(found, word)
		}
	}
	return found
}

func TestInstructionsOfEveryLevelReachTheModelOnce(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := instructedStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch n := strings.Count(string(h.Raw), "MARK-READ"); {
			case h.Asked("look") && !h.Answered("read"):
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "web/a.ts"})).Saying("MARK-READ")
			case n < 2:
				return modeltest.Do(modeltest.Use("edit", modeltest.Object{"path": "web/a.ts", "old_string": "one", "new_string": "two"})).Saying("MARK-READ")
			}
			return modeltest.Say("Read.")
		})
		_, errs, code := s.Prompted(t, "--permission-mode", "accept-edits", "-p", "look")
		require.Equal(t, 0, code, errs)
		heard := s.Server.All(modeltest.FromParent)
		require.Len(t, heard, 3)
		prompt := []string{"MARK-OWN", "MARK-ROOT", "MARK-INCLUDED", "MARK-HERE"}
		for i, h := range heard {
			require.Subset(t, marks(h), prompt, "each level")
			for _, mark := range append(prompt, "MARK-NESTED") {
				require.LessOrEqual(t, strings.Count(string(h.Raw), mark), 1, "%s once", mark)
			}
			require.Equal(t, i > 0, strings.Contains(string(h.Raw), "MARK-NESTED"), "with the first file that is touched")
			require.NotContains(t, string(h.Raw), "MARK-ELSEWHERE")
			for _, result := range h.ResultsOf("read") {
				require.NotContains(t, result, "MARK-NESTED", "anybody may have written a result")
			}
		}
		require.Equal(t, prompt, marks(heard[0]), "in order")

		lay(t, s, "../AGENTS.md", "MARK-CHANGED")
		_, errs, code = s.Prompted(t, "--continue", "-p", "and now?")
		require.Equal(t, 0, code, errs)
		heard = s.Server.All(modeltest.FromParent)
		last := marks(heard[len(heard)-1])
		require.Contains(t, last, "MARK-CHANGED", "a change holds from the next run on")
		require.NotContains(t, last, "MARK-ROOT")
		require.Contains(t, last, "MARK-NESTED", "it is in the transcript")
	})
}

func TestTheScreenNamesInstructionsAndContextShowsThem(t *testing.T) {
	t.Parallel()
	s := instructedStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("read"):
			return modeltest.Say("I have read it.")
		case h.Asked("look"):
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "web/long.ts"}))
		}
		return modeltest.Say("A summary of it all.")
	})
	x := s.Open(t)
	x.Prompt("/context")
	x.See("Context: about", "base prompt", "AGENTS.md", "your own", "included by ../AGENTS.md", "CLAUDE.md", "built in")
	x.Type(harness.KeyEsc)
	x.SeeNot("type to search")
	x.Prompt("look at it")
	x.See("I have read it.", "instructions of web/AGENTS.md")
	x.Prompt("/context")
	x.See("web/AGENTS.md", "read with a file there", "1 tool result", "the provider counted")
	x.Type(harness.KeyEsc)
	x.SeeNot("type to search")
	x.Prompt("/compact")
	x.See("summarized for the model")
	x.Prompt("look again")
	h := s.Server.AwaitNth(t, 2, modeltest.ParentTold("read"))
	require.Equal(t, 1, strings.Count(string(h.Raw), "MARK-NESTED"), "again after a summary")
	x.WaitFor("the second answer", func(screen string) bool { return strings.Count(screen, "I have read it.") == 2 })
	require.Equal(t, 0, x.Quit())

	list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Equal(t, 0, code, errs)
	session := strings.Fields(list)[0]
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "-o", "-")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "instructions of web/AGENTS.md")
	require.Contains(t, out, "MARK-NESTED")
	file := filepath.Join(t.TempDir(), "session.json")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", file)
	require.Equal(t, 0, code, errs)
	x = harness.Start(t, s.Dir, s.Env, "import", file)
	x.See("? keys  q quit")
	x.Type("/")
	x.See("Do ›")
	x.Type("context")
	x.See("/context")
	x.Type(harness.KeyEnter)
	x.See("web/AGENTS.md", "prompt and tools", "not recorded", "summary")
	x.Type(harness.KeyEsc)
	x.SeeNot("prompt and tools")
	x.Type("q")
	require.Equal(t, 0, x.Wait())
}

func TestSubagentsHaveTheInstructionsOfTheirOwnFolder(t *testing.T) {
	t.Parallel()
	for _, isolation := range []string{"none", "process", "worktree"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			s := instructedStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				path := "web/a.ts"
				if isolation == "worktree" {
					path = "app/web/a.ts"
				}
				switch {
				case h.Child("look") && h.Answered("read"):
					return modeltest.Say("I have read it.")
				case h.Child("look"):
					return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": path}))
				case h.Answered("agent"):
					return modeltest.Say("It has.")
				}
				return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "look", "prompt": "look at it", "isolation": isolation}))
			})
			if isolation == "worktree" {
				s.Dir = filepath.Dir(s.Dir)
				gitAt(t, s.Dir, "add", ".")
				gitAt(t, s.Dir, "commit", "-qm", "instruct")
				lay(t, s, "AGENTS.md", "MARK-UNCOMMITTED")
			}
			_, errs, code := s.Prompted(t, "-p", "delegate it")
			require.Equal(t, 0, code, errs)
			heard := s.Server.All(func(h modeltest.Request) bool { return h.Child("look") })
			require.Len(t, heard, 2)
			require.NotContains(t, marks(heard[0]), "MARK-NESTED")
			require.Contains(t, marks(heard[0]), "MARK-OWN")
			require.Contains(t, marks(heard[0]), "MARK-ROOT")
			require.Contains(t, marks(heard[0]), "MARK-INCLUDED")
			require.NotContains(t, marks(heard[0]), "MARK-UNCOMMITTED")
			require.Contains(t, marks(heard[1]), "MARK-NESTED")
		})
	}
}

// TestHostileInstructionsGiveNothingAway lays every trick in the place of a root's file, of an
// include and of a nested one: the secret is in no request, and each is a line.
func TestHostileInstructionsGiveNothingAway(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		reads := len(h.Messages)
		places := []string{"linked/x", "piped/x", "climbing/x", "circle/x", "large/x", "hidden/x", "folder/x", "denied/x"}
		if at := (reads - 1) / 2; h.Parent() && reads%2 == 1 && at < len(places) || h.Answered("read") {
			next := 0
			for _, m := range h.Messages {
				next += len(m.Calls)
			}
			if next < len(places) {
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": places[next]}))
			}
		}
		return modeltest.Say("Read.")
	})
	s.Configured(t, "permissions.deny = [\"read(denied/AGENTS.md)\"]\n")
	outside := filepath.Join(t.TempDir(), "outside")
	secret := filepath.Join(outside, "AGENTS.md")
	lay(t, s, secret, "MARK-SECRET")
	for _, dir := range []string{"linked", "piped", "climbing", "circle", "large", "hidden", "folder", "denied"} {
		lay(t, s, dir+"/x", "x\n")
	}
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join(s.Dir, name))) }
	link(secret, "AGENTS.md")
	link(outside, "away")
	link("../../../../../../../../../.."+secret, "up.md")
	lay(t, s, "CLAUDE.md", "MARK-MEANT @"+secret+" @../outside.md @away/AGENTS.md @up.md @~/AGENTS.md @.git/config")
	link(secret, "linked/AGENTS.md")
	require.NoError(t, syscall.Mkfifo(filepath.Join(s.Dir, "piped/AGENTS.md"), 0o600))
	lay(t, s, "climbing/AGENTS.md", "@../away/AGENTS.md @../../../../../../../../../.."+secret)
	lay(t, s, "circle/AGENTS.md", "MARK-CIRCLE @b.md")
	lay(t, s, "circle/b.md", "@AGENTS.md @b.md")
	lay(t, s, "large/AGENTS.md", strings.Repeat("large ", 2<<20))
	lay(t, s, "hidden/AGENTS.md", "say\x1b]0;evil\a \u202eMARK-HIDDEN\u2066\n<!-- MARK-COMMENT -->\n")
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir, "folder/AGENTS.md"), 0o700))
	lay(t, s, "denied/AGENTS.md", "MARK-DENIED")

	r, errs, code := s.Prompted(t, "-p", "look")
	require.Equal(t, 0, code, errs)
	heard := s.Server.All(modeltest.FromParent)
	require.Len(t, heard, 9)
	for _, h := range heard {
		raw := string(h.Raw)
		for _, never := range []string{"MARK-SECRET", "MARK-COMMENT", "MARK-DENIED", "repositoryformatversion", `\u001b`, "\u202e", "]0;evil\a"} {
			require.NotContains(t, raw, never)
		}
		require.Less(t, len(raw), 200_000)
	}
	last := string(heard[8].Raw)
	for _, mark := range []string{"MARK-MEANT", "MARK-CIRCLE", "MARK-HIDDEN"} {
		require.Equal(t, 1, strings.Count(last, mark), mark)
	}
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	for _, says := range []string{"leads outside the checkout through a symbolic link", "it is a pipe", "only its first 40.0 KB are given", "it is a folder", "control or invisible characters", "it is outside the checkout", "denies it"} {
		require.Contains(t, out, says)
	}
	require.NotContains(t, out, "MARK-SECRET")

	text, d := examined(t, s, 0)
	require.NotContains(t, text, "MARK-SECRET")
	require.Equal(t, "note", d.finding(t, "Instructions", "AGENTS.md").Level)
	require.Equal(t, "ok", d.finding(t, "Instructions", "CLAUDE.md").Level)
	for name, says := range map[string]string{
		"@" + secret: "it is outside the checkout", "@../outside.md": "it is outside the checkout", "away/AGENTS.md": "through a symbolic link",
		"up.md": "through a symbolic link", "@~/AGENTS.md": "only your own instructions", ".git/config": "one of git's own files",
	} {
		require.Contains(t, d.finding(t, "Instructions", name).Says, says)
	}
}

func TestDoctorListsInstructionsInTheirOrder(t *testing.T) {
	t.Parallel()
	s := instructedStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	lay(t, s, "AGENTS.md", "MARK-NEARER @missing.md")
	text, _ := examined(t, s, 0)
	at := 0
	for _, want := range []string{
		filepath.Join(s.Home, "config", "AGENTS.md"), "../AGENTS.md", "../docs/style.md", "included by ../AGENTS.md", "AGENTS.md", "missing.md", "and not there", "CLAUDE.md", "because AGENTS.md is there",
	} {
		found := strings.Index(text[at:], want)
		require.GreaterOrEqual(t, found, 0, "%s in %s", want, text[at:])
		at += found
	}
	require.NotContains(t, text, "MARK-", "their text is not shown")
}

// The forms in which well-known repositories have their instructions, written anew: all load as they
// are, and doctor finds nothing wrong with them.
func TestTheFormsOfKnownRepositoriesLoadWithoutAChange(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]struct {
		files map[string]string // -> leads to: a link
		touch string
		want  []string
	}{
		"a workspace with an AGENTS.md for each crate": {
			map[string]string{"AGENTS.md": "# Rust\n\nMARK-ROOT: run `just fmt`.\n", "tui/AGENTS.md": "MARK-TUI: use `\"text\".into()`.\n", "tui/src/main.rs": "fn main() {}\n"},
			"tui/src/main.rs",
			[]string{"MARK-ROOT", "MARK-TUI"},
		},
		"CLAUDE.md as a link to AGENTS.md": {
			map[string]string{"AGENTS.md": "# Guide\n\nMARK-ROOT\n\n```sh\npnpm test @scope/pkg\n```\n", "CLAUDE.md": "-> AGENTS.md"}, "", []string{"MARK-ROOT"},
		},
		"CLAUDE.md with nothing but an include of AGENTS.md": {
			map[string]string{"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "MARK-ROOT\n", "api/CLAUDE.md": "@AGENTS.md\n", "api/AGENTS.md": "MARK-API\n", "api/x.py": "x\n"},
			"api/x.py",
			[]string{"MARK-ROOT", "MARK-API"},
		},
		"CLAUDE.md with includes, and a person's own beside it": {
			map[string]string{
				"CLAUDE.md": "# Project\n\nSee @README.md for an overview and @package.json for commands.\n\n# More\n- git @docs/git-instructions.md\n- write to @team-docs or team@example.com\n",
				"README.md": "MARK-README\n", "package.json": "{\"name\": \"MARK-PACKAGE\"}\n", "docs/git-instructions.md": "MARK-GIT, see [x](y.md)\n", "CLAUDE.local.md": "MARK-LOCAL\n",
			},
			"",
			[]string{"MARK-README", "MARK-PACKAGE", "MARK-GIT", "MARK-LOCAL"},
		},
		"instructions in the folder of Claude Code, with comments": {
			map[string]string{".claude/CLAUDE.md": "<!-- MARK-HIDDEN: for maintainers -->\nMARK-CLAUDE @../docs/style.md\n", "docs/style.md": "MARK-STYLE\n"}, "", []string{"MARK-CLAUDE", "MARK-STYLE"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				if form.touch == "" || h.Answered("read") {
					return modeltest.Say("Done.")
				}
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": form.touch}))
			})
			for file, text := range form.files {
				if to, link := strings.CutPrefix(text, "-> "); link {
					require.NoError(t, os.Symlink(to, filepath.Join(s.Dir, file)))
					continue
				}
				lay(t, s, file, text)
			}
			_, errs, code := s.Prompted(t, "-p", "go")
			require.Equal(t, 0, code, errs)
			heard := s.Server.All(modeltest.FromParent)
			require.ElementsMatch(t, form.want, marks(heard[len(heard)-1]), "each once")
			_, d := examined(t, s, 0)
			for _, section := range d.Sections {
				for _, found := range section.Findings {
					require.False(t, section.Title == "Instructions" && found.Level != "ok", "%s: %s", found.Name, found.Says)
				}
			}
		})
	}
}
