package cli

import (
	"io"
	"reflect"
	"regexp"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// parse is kong's own Parse but for what Pawl's commands have none of: whatever is typed,
// both see the same mistake or fill in the same values.
func TestALineMeansWhatTheParserItselfMakesOfIt(t *testing.T) {
	nodes := newGrammar(t, &commandLine{}).Model.Leaves(false)
	rapid.Check(t, func(t *rapid.T) {
		node := rapid.SampledFrom(nodes).Draw(t, "command")
		word := rapid.SampledFrom(wordsBehind(node))
		args := append([]string{node.Name}, rapid.SliceOfN(word, 0, 4).Draw(t, "args")...)
		if node.Hidden && rapid.Bool().Draw(t, "without a name") {
			args = args[1:]
		}
		requireSame(t, promptFirst(args))
	})
}

// wordsBehind are flags and arguments of a command, good ones and bad ones.
func wordsBehind(node *kong.Node) []string {
	words := []string{"", "-", "--", "x", "-x", "--x", "-o-", "list", "rm", "zsh", "--no-print", "--print=false", "-pc"}
	for _, flag := range node.Flags {
		name := "--" + flag.Name
		words = append(words, name, name, name+"=", name+"=1", name+"=0.5s", name[:len(name)-1])
		for _, value := range flag.EnumSlice() {
			words = append(words, name+"="+value)
		}
	}
	return words
}

func TestWhatALineLacksOrSaysTwiceIsSaid(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"--continue", "--session=x"}, "--continue and --session can't be used together"},
		{[]string{"--continue", "--continue", "--session"}, "--session"},
		{[]string{"export"}, `expected "<session>"`},
		{[]string{"completion"}, `expected "<shell>"`},
		{[]string{"completion", "sh"}, `<shell> must be one of "bash","zsh","fish" but got "sh"`},
		{[]string{"worktrees", "add"}, `[<act>] must be one of "list","rm" but got "add"`},
		{[]string{"-p", "--agents=", "hi"}, `--agents must be one of "drain","stop" but got ""`},
		{[]string{"-p", "--drain-timeout=5", "hi"}, "--drain-timeout"},
		{[]string{"export", "a", "b"}, "unexpected argument b"},
		{[]string{"export", "--fromat=json", "a"}, `did you mean "--format"?`},
		{[]string{"--session"}, "--session"},
	} {
		_, err := parse(newGrammar(t, &commandLine{}), row.args)
		require.ErrorContains(t, err, row.want, "%q", row.args)
		requireSame(t, row.args)
	}
}

// requireSame holds parse against kong's own Parse.
func requireSame(t require.TestingT, args []string) {
	var mine, theirs commandLine
	line, err := parse(newGrammar(t, &mine), args)
	if asksHelp(line) {
		return
	}
	_, wrong := newGrammar(t, &theirs).Parse(args)
	if wrong != nil {
		require.EqualError(t, err, wrong.Error(), "%q", args)
		return
	}
	require.NoError(t, err, "%q", args)
	require.Equal(t, theirs, mine)
}

// What parse leaves out of kong's Parse, and check of its Validate, no command may need.
func TestEachCommandIsOneAndNeedsNothingThatParseLeavesOut(t *testing.T) {
	model := newGrammar(t, &commandLine{}).Model
	foreign := regexp.MustCompile("^(Before|After|Provide|Validate)")
	for _, node := range append(model.Leaves(false), model.Node) {
		kind := node.Target.Addr().Type()
		require.Equal(t, node != model.Node, kind.Implements(reflect.TypeFor[command]()), "%s is a command", kind)
		for method := range kind.Methods() {
			require.NotRegexp(t, foreign, method.Name, "nobody calls a hook of %s", kind)
		}
		for _, value := range node.Values() {
			require.Empty(t, value.Tag.Envs, "env of %s", value.Name)
			require.True(t, value.Enum == "" || value.Target.Kind() == reflect.String, "enum of %s", value.Name)
		}
		for _, flag := range node.Flags {
			require.False(t, flag.Required, "--%s", flag.Name)
			require.Empty(t, flag.And, "and of --%s", flag.Name)
		}
	}
}

// newGrammar is a parser that fills in some commands, and prints and exits nowhere.
func newGrammar(t require.TestingT, line *commandLine) *kong.Kong {
	parser, err := kong.New(line, kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) {}))
	require.NoError(t, err)
	return parser
}
