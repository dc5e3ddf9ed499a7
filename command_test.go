package main

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
	words := []string{"", "-", "--", "x", "-x", "--x", "-o-", "list", "--no-print", "--print=false", "-pc"}
	for _, node := range newGrammar(t, &commandLine{}).Model.Leaves(false) {
		words = append(words, node.Name)
		for _, flag := range node.Flags {
			name := "--" + flag.Name
			words = append(words, name, name+"=", name+"=1", name+"=0.5s", name[:len(name)-1])
			for _, value := range flag.EnumSlice() {
				words = append(words, name+"="+value)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		args := promptFirst(rapid.SliceOfN(rapid.SampledFrom(words), 0, 5).Draw(t, "args"))
		var mine, theirs commandLine
		line, err := parse(newGrammar(t, &mine), args)
		if asksHelp(line) {
			return
		}
		_, wrong := newGrammar(t, &theirs).Parse(args)
		if wrong != nil {
			require.EqualError(t, err, wrong.Error())
			return
		}
		require.NoError(t, err)
		require.Equal(t, theirs, mine)
	})
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
