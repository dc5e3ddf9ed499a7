package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pawl/agent/permission"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// modelOptions say which model answers and how freely it may act.
type modelOptions struct{ model, effort, mode string }

func (o *modelOptions) bind(cmd *cobra.Command, w *base.World) {
	cmd.Flags().StringVar(&o.model, "model", "", "The model, as `PROVIDER/NAME`: anthropic/…, openai/…,\nopenai-chat/…, gemini/…, ollama/… or demo.")
	cmd.Flags().StringVar(&o.effort, "effort", "", "How much the model thinks: the `LEVEL` low, medium,\nhigh or max; default leaves it to the model.")
	cmd.Flags().StringVar(&o.mode, "permission-mode", "", "The `MODE`: default, accept-edits, plan or bypass.")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("model", completeModels(w)))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("effort", completeEfforts))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("permission-mode", completeModes))
}

// check names what a flag says that there is not.
func (o *modelOptions) check(known *models.Set) error {
	if o.mode != "" {
		if _, err := permission.ParseMode(o.mode); err != nil {
			return err
		}
	}
	if o.effort != app.NoEffort {
		if err := lifecycle.CheckEffort(o.effort); err != nil {
			return err
		}
	}
	if o.model != "" {
		return known.Check(o.model)
	}
	return nil
}

// flagError words what is wrong with a flag, and names the one that was meant most likely.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		value := cmp.Or(invalid.GetValue(), `""`)
		flag := invalid.GetFlag()
		return system.Usage(fmt.Sprintf("--%s %s: %s", flag.Name, value, wanted(flag.Value.Type(), invalid.Unwrap())))
	case errors.As(err, &unknown):
		return errors.New(unknownFlag(cmd.Flags(), unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames() != ""))
	}
	return err
}

// wanted says what a flag's value must be. The libraries' own words for a switch, a number and a
// duration name their parsers.
func wanted(kind string, err error) string {
	switch kind {
	case "bool":
		return "must be true or false"
	case "int", "int64":
		return "must be a number"
	case "duration":
		return "must be a duration, like 90s or 10m"
	}
	return err.Error()
}

// unknownFlag names the nearest flag. For a letter, it is one that begins with it.
func unknownFlag(flags *pflag.FlagSet, name string, letter bool) string {
	var names []string
	flags.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	typed, meant := "--"+name, words.Nearest(name, names)
	if letter {
		typed, meant = "-"+name, ""
		if i := slices.IndexFunc(names, func(long string) bool { return strings.HasPrefix(long, name) }); i >= 0 {
			meant = names[i]
		}
	}
	if meant == "" {
		return "unknown flag " + typed
	}
	return fmt.Sprintf("unknown flag %s; did you mean %q?", typed, "--"+meant)
}
