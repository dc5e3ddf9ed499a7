package launch

import (
	"os"
	"strings"
)

// MarkName is the variable by which the processes of a call are found where
// nothing else finds them. A Pawl inside a command adds its own marks to the one
// it was given, so that the outer one still finds everything: the last is the
// call's own.
const MarkName = "PAWL_COMMAND"

// Marks splits the variable's value.
func Marks(value string) []string {
	return split(value, ':')
}

// split gives what stands between separators, and is not empty.
func split(text string, separator rune) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == separator })
}

// ownSurvivors are the call's processes as the helper knows them by its own mark.
func ownSurvivors(command int) []Stray {
	mark := ""
	if marks := Marks(os.Getenv(MarkName)); len(marks) > 0 {
		mark = marks[len(marks)-1]
	}
	return Survivors(command, mark)
}
