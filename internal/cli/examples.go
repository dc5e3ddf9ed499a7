package cli

import (
	"strings"

	"github.com/alecthomas/kong"
)

// examples are what each command's help ends with, by the command's path: a line of a
// shell and, behind a #, what it is for. A test parses every one.
var examples = map[string]string{
	"sessions": `
pawl sessions                  # of this folder, the newest first
pawl sessions --all            # of every folder`,
	"show": `
pawl show 4f2a                 # the end or the beginning of an id is enough
pawl show 4f2a | less`,
	"export": `
pawl export 4f2a                         # pawl-….md in this folder, for reading
pawl export 4f2a --format html           # one page with a picture of all runs
pawl export 4f2a --brief -o -            # one page for a pull request
pawl export 4f2a --format trace          # for Perfetto
pawl export 4f2a --no-content            # structure only, safe to share
pawl export 4f2a --format json -o -      # all of it, to standard output`,
	"verify": `
pawl verify run.json           # each promise that was not kept is a line, and exit code 1
pawl verify 4f2a --json        # a session of the database, for programs`,
	"import": `
pawl import run.json                     # on the screen, read only
pawl import run.json --format html       # the same as a page
cat run.json | pawl import - --format md -o -`,
	"replay": `
pawl replay run.json           # as it went, long silences cut
pawl replay 4f2a --speed 4x    # a session of the database, four times as fast`,
	"rm": `
pawl rm 4f2a                   # the session, its subagents and their records`,
	"models": `
pawl models                    # what the servers offer whose key is set
pawl models sonnet --json`,
	"agents": `
pawl agents                    # the types, and what is wrong with their files
pawl agents --json`,
	"worktrees": `
pawl worktrees                            # what subagents have left, and what is in it
pawl worktrees --json
pawl worktrees rm fix-the-cart-3fa21b     # only if nothing in it would be lost
pawl worktrees rm --all-unchanged
pawl worktrees rm fix-the-cart-3fa21b --commit    # commits what is left, and keeps its branch
pawl worktrees rm fix-the-cart-3fa21b --discard   # deletes what is in it, after asking`,
	"doctor": `
pawl doctor                    # everything, the servers too
pawl doctor --offline --json`,
	"acp": `
pawl acp                       # what an editor starts: pawl help editors says how to set it up
pawl acp --model anthropic/claude-sonnet-4-5 --permission-mode accept-edits`,
	"demo": `
pawl demo                      # as fast as one can read
pawl demo --pace 0             # at once
pawl demo --pace 0 -p hi       # without a screen: it says DEMO`,
	"completion": `
source <(pawl completion bash)                                # in ~/.bashrc
pawl completion zsh > ~/.zfunc/_pawl                          # with fpath=(~/.zfunc $fpath) before compinit
pawl completion fish > ~/.config/fish/completions/pawl.fish`,
	"man": `
pawl man > /usr/local/share/man/man1/pawl.1
pawl man | man -l -`,
	"help": `
pawl help                      # all commands
pawl help export               # one of them
pawl help keys                 # a page to read`,
	"version": `
pawl version
pawl version --json`,
}

// illustrate puts the examples behind the help of their commands.
func illustrate(app *kong.Application) {
	for _, node := range app.Leaves(false) {
		if text := examples[node.Path()]; text != "" {
			node.Detail = "Examples:\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
		}
	}
}
