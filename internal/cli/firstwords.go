package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/commands"
	"pawl/internal/words"
)

// meansPrompt says whether words that are no command are a prompt: they are several, or
// one that was quoted because it is, or one that a slash begins, as a command of a file. A word alone, and what begins as other programs'
// commands do, or like a slip of the fingers, is more likely a command that there is not.
func meansPrompt(typed []string, root *cobra.Command) bool {
	if len(typed) == 0 || len(strings.Fields(typed[0])) > 1 {
		return true
	}
	if _, _, command := commands.Parse(typed[0]); command {
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
	keysAreRead = "pawl login NAME keeps the key of a provider, pawl login lists where each has its key; variables (ANTHROPIC_API_KEY, …) are read too"
	goOnWith    = "pawl --continue goes on with the last session, pawl --resume lets you choose one"
	settingsAre = "settings are in config.toml; pawl doctor shows where"
	inTheScreen = "it is typed on the screen: /"
	listsThem   = "pawl sessions lists the sessions of this folder, pawl ps those that are open"
	saysTo      = `pawl send ID "…" says something to an open session`
	answersIt   = "pawl answer ID answers the question of an open session"
	servesThem  = "pawl acp serves an editor, pawl mcp serve another tool"
	renewsIt    = "pawl update looks for a newer release, pawl version prints which this is"
)

// foreignCommands are first words that other programs of this kind take, and what leads
// here to what they do.
var foreignCommands = map[string]string{
	"exec": onePrompt, "run": onePrompt, "ask": onePrompt, "prompt": onePrompt, "print": onePrompt, "query": onePrompt, "headless": onePrompt,
	"start": theScreen, "open": theScreen, "tui": theScreen, "code": theScreen, "new": theScreen, "interactive": theScreen,
	"auth": keysAreRead, "signin": keysAreRead, "signout": "pawl logout NAME forgets the key of a provider", "setup": keysAreRead, "configure": keysAreRead, "keys": keysAreRead, "key": keysAreRead, "providers": keysAreRead, "provider": keysAreRead,
	"config": settingsAre, "settings": settingsAre, "set": settingsAre,
	"continue": goOnWith, "resume": goOnWith, "session": goOnWith,
	"list": listsThem, "ls": listsThem, "jobs": listsThem, "top": listsThem, "tail": "pawl watch ID prints what happens in an open session",
	"kill": "pawl stop ID stops what runs in an open session", "tell": saysTo, "message": saysTo, "detach": `pawl -p --detach "…" begins without a screen, Ctrl+\ leaves one`,
	"approve": answersIt, "allow": answersIt, "deny": answersIt,
	"history": "pawl sessions lists the sessions of this folder", "cat": "pawl show ID prints a session", "view": "pawl show ID prints a session",
	"log": "pawl show ID prints a session", "logs": "pawl doctor says where the log is", "delete": "pawl rm ID deletes a session", "remove": "pawl rm ID deletes a session",
	"serve": servesThem, "server": servesThem,
	"status": "pawl ps lists the sessions that are open, pawl doctor looks at everything", "check": "pawl doctor looks at everything", "info": "pawl doctor looks at everything", "hooks": "pawl doctor lists the hooks",
	"permissions": inTheScreen + "permissions", "cost": inTheScreen + "cost", "usage": inTheScreen + "cost", "stats": inTheScreen + "cost", "compact": inTheScreen + "compact", "context": inTheScreen + "context",
	"init": `pawl "/init" looks at this checkout and writes or improves its AGENTS.md`, "commands": "pawl skills lists commands and skills", "command": "pawl skills lists commands and skills", "skill": "pawl skills lists commands and skills", "upgrade": renewsIt, "share": "pawl export ID --format html writes one page",
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
