package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/words"
)

// choice is the value of a flag that is one of a few words.
type choice struct {
	value *string
	from  []string
}

// AddChoice declares a flag whose value is one of a few words. What value holds is its default.
func AddChoice(cmd *cobra.Command, value *string, name, usage string, from ...string) {
	cmd.Flags().Var(choice{value, from}, name, usage)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(from, cobra.ShellCompDirectiveNoFileComp)))
}

func (c choice) String() string { return *c.value }

func (c choice) Type() string { return strings.Join(c.from, "|") }

func (c choice) Set(word string) error {
	if !slices.Contains(c.from, word) {
		return fmt.Errorf("must be one of %s%s", strings.Join(c.from, ", "), words.DidYouMean(word, c.from))
	}
	*c.value = word
	return nil
}
