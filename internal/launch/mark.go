package launch

import (
	"os"
	"strings"
)

// MarkName is the environment variable that marks the processes of a call, for when nothing else
// finds them. A Pawl inside a command appends its own marks to the value it was given, so the
// outer one still finds everything. The last mark is the call's own.
const MarkName = "PAWL_COMMAND"

// Marks splits the variable's value.
func Marks(value string) []string {
	return split(value, ':')
}

func split(text string, separator rune) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == separator })
}

// ownSurvivors finds the call's processes by the helper's own mark.
func ownSurvivors(command int) []Stray {
	mark := ""
	if marks := Marks(os.Getenv(MarkName)); len(marks) > 0 {
		mark = marks[len(marks)-1]
	}
	return Survivors(command, mark)
}
