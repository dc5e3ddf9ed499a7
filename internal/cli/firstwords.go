package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/words"
)

// meansPrompt says whether words that are no command are a prompt: they are several, or
// one that was quoted because it is. A word alone, and what begins as other programs'
// commands do, or like a slip of the fingers, is more likely a command that there is not.
func meansPrompt(typed []string, root *cobra.Command) bool {
	if len(typed) == 0 || len(strings.Fields(typed[0])) > 1 {
		return true
	}
	_, foreign := foreignCommands[typed[0]]
	return len(typed) > 1 && !foreign && words.Nearest(typed[0], commandNames(root)) == ""
}

// commandsToType are those that a person can type.
func commandsToType(root *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(root.Commands()), func(cmd *cobra.Command) bool { return cmd.Hidden })
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range commandsToType(root) {
		names = append(names, cmd.Name())
	}
	return names
}

const (
	onePrompt   = `pawl -p "…" answers one prompt and ends`
	theScreen   = `pawl opens the screen, pawl "…" with a first prompt`
	keysAreRead = "keys are read from variables (ANTHROPIC_API_KEY, OPENAI_API_KEY, …); pawl doctor says which are set"
	goOnWith    = "pawl --continue goes on with the last session, pawl --resume lets you choose one"
	settingsAre = "settings are in config.toml; pawl doctor shows where"
	inTheScreen = "it is typed on the screen: /"
	listsThem   = "pawl sessions lists the sessions of this folder, pawl ps those that are open"
	saysTo      = `pawl send ID "…" says something to an open session`
	answersIt   = "pawl answer ID answers the question of an open session"
	sameWay     = "get a new one in the way you got this one; pawl version prints which this is"
)

// foreignCommands are first words that other programs of this kind take, and what leads
// here to what they do.
var foreignCommands = map[string]string{
	"exec": onePrompt, "run": onePrompt, "ask": onePrompt, "prompt": onePrompt, "print": onePrompt, "query": onePrompt, "headless": onePrompt,
	"start": theScreen, "open": theScreen, "tui": theScreen, "code": theScreen, "new": theScreen, "interactive": theScreen,
	"login": keysAreRead, "logout": keysAreRead, "auth": keysAreRead, "setup": keysAreRead, "configure": keysAreRead, "keys": keysAreRead, "providers": keysAreRead,
	"config": settingsAre, "settings": settingsAre, "set": settingsAre,
	"continue": goOnWith, "resume": goOnWith, "session": goOnWith,
	"list": listsThem, "ls": listsThem, "jobs": listsThem, "top": listsThem, "tail": "pawl watch ID prints what happens in an open session",
	"kill": "pawl stop ID stops what runs in an open session", "tell": saysTo, "message": saysTo, "detach": `pawl -p --detach "…" begins without a screen, Ctrl+\ leaves one`,
	"approve": answersIt, "allow": answersIt, "deny": answersIt,
	"history": "pawl sessions lists the sessions of this folder", "cat": "pawl show ID prints a session", "view": "pawl show ID prints a session",
	"log": "pawl show ID prints a session", "logs": "pawl doctor says where the log is", "delete": "pawl rm ID deletes a session", "remove": "pawl rm ID deletes a session",
	"mcp":   "servers stand in .mcp.json or config.toml: pawl doctor lists them, /mcp on the screen too",
	"serve": "pawl acp serves an editor", "server": "pawl acp serves an editor",
	"status": "pawl ps lists the sessions that are open, pawl doctor looks at everything", "check": "pawl doctor looks at everything", "info": "pawl doctor looks at everything", "hooks": "pawl doctor lists the hooks",
	"permissions": inTheScreen + "permissions", "cost": inTheScreen + "cost", "usage": inTheScreen + "cost", "stats": inTheScreen + "cost", "compact": inTheScreen + "compact",
	"init": `ask for it: pawl "write an AGENTS.md for this project"`, "update": sameWay, "upgrade": sameWay, "share": "pawl export ID --format html writes one page",
}

// unknownCommand words a first word that is none: what leads to what it does elsewhere,
// or the command that is meant most likely.
func unknownCommand(word string, root *cobra.Command) string {
	if here, foreign := foreignCommands[word]; foreign {
		return fmt.Sprintf("there is no command %q: %s", word, here)
	}
	if hint := words.DidYouMean(word, commandNames(root)); hint != "" {
		return fmt.Sprintf("unknown command %q%s (as a prompt: pawl -p %q)", word, hint, word)
	}
	return fmt.Sprintf(`unknown command %q; a prompt goes behind -p, or in quotes: pawl "…" (pawl --help lists the commands)`, word)
}
