package front

import (
	"slices"
	"strings"

	"pawl/internal/guard"
)

// role is what a command line asks of this process.
type role int

const (
	other    role = iota // no front
	screen               // a screen, on this terminal
	detached             // a session that begins without a screen, in a host of its own
)

// withoutScreen are the guarded commands that have no screen.
var withoutScreen = []string{"acp"}

// wanted decides by the command line without parsing it, as the guard does: every command that the
// guard knows of shows a screen, unless -p is among its flags.
func wanted(args []string) role {
	if !guard.StartsSession(args) {
		return other
	}
	words := args[1:]
	if len(words) > 0 && slices.Contains(withoutScreen, words[0]) {
		return other
	}
	if end := slices.Index(words, "--"); end >= 0 {
		words = words[:end]
	}
	if !slices.ContainsFunc(words, printing) {
		return screen
	}
	if slices.Contains(words, "--detach") {
		return detached
	}
	return other
}

// printing reports whether a word of the command line is the flag -p, also among others of one
// letter: -cp.
func printing(word string) bool {
	if strings.HasPrefix(word, "--") {
		return word == "--print" || word == "--print=true"
	}
	letters, isFlag := strings.CutPrefix(word, "-")
	return isFlag && strings.Trim(letters, "cprv") == "" && strings.Contains(letters, "p")
}
