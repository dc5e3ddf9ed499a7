package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
)

// command is one of the commands that can be typed, once its flags and arguments are
// in it.
type command interface {
	// Run does what the command is for and gives the exit code: with an error that is
	// exitError at least, and with a usageError exitUsage. line is what was typed, and
	// line.Model all that can be.
	Run(ctx context.Context, w *base.World, line *kong.Context) (code int, err error)
}

// parse puts what args say into the commands of a parser. With an error, and where help
// is asked for, line tells how far the words made sense.
//
// It is kong's own Parse without its hooks and with check for its Validate, and typed is
// for its Run. Those look for methods by names that only the running program knows, and
// for that the linker would have to keep every method of every type: a third of Pawl.
func parse(parser *kong.Kong, args []string) (line *kong.Context, err error) {
	line, err = kong.Trace(parser, args)
	if err != nil {
		return line, err
	}
	if line.Error != nil || asksHelp(line) {
		return line, line.Error
	}
	if err := line.Reset(); err != nil {
		return line, err
	}
	if _, err := line.Apply(); err != nil {
		return line, err
	}
	return line, check(line.Selected())
}

// check holds the values of a command against its tags: enum, arg and xor. A test names
// the tags that it would have to heed as well.
func check(node *kong.Node) error {
	for _, value := range node.Values() {
		given := value.Target.String()
		if value.Enum != "" && value.Set && !slices.Contains(value.EnumSlice(), given) {
			return fmt.Errorf("%s must be one of \"%s\" but got %q", value.ShortSummary(), strings.Join(value.EnumSlice(), `","`), given)
		}
	}
	var missing []string
	for _, argument := range node.Positional {
		if argument.Required && !argument.Set {
			missing = append(missing, argument.Summary())
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("expected %q", strings.Join(missing, " "))
	}
	return checkXor(node.Flags)
}

// checkXor refuses two flags of which one rules the other out.
func checkXor(flags []*kong.Flag) error {
	first := map[string]*kong.Flag{}
	for _, flag := range flags {
		for _, group := range flag.Xor {
			if flag.Set && first[group] != nil {
				return fmt.Errorf("--%s and --%s can't be used together", first[group].Name, flag.Name)
			}
			if flag.Set {
				first[group] = flag
			}
		}
	}
	return nil
}

// asksHelp says that --help stands somewhere on a line.
func asksHelp(line *kong.Context) bool {
	for _, part := range line.Path {
		if part.Flag != nil && part.Flag == line.Model.HelpFlag {
			return true
		}
	}
	return false
}

// typed is the command of a line: where none is named, the one without a name.
func typed(line *kong.Context) command {
	return line.Selected().Target.Addr().Interface().(command)
}
