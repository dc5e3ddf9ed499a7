package cli

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
)

// bashAlone lets cobra's script work in a bash without the package bash-completion.
//
//go:embed completion.bash
var bashAlone string

func newCompletionCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "completion bash|zsh|fish",
		Short:   "Print the script that lets a shell complete Pawl's command line.",
		GroupID: command.GroupMore,
		Example: `  source <(pawl completion bash)                                # in ~/.bashrc
  pawl completion zsh > ~/.zfunc/_pawl                          # with fpath=(~/.zfunc $fpath) before compinit
  pawl completion fish > ~/.config/fish/completions/pawl.fish`,
		Args:                  cobra.MatchAll(command.Takes("the shell"), cobra.OnlyValidArgs),
		ValidArgs:             []string{"bash", "zsh", "fish"},
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, args []string) error { return printScript(w.Out, cmd.Root(), args[0]) },
	}
}

// printScript prints cobra's script for a shell. It asks pawl __complete what can stand at
// a place.
func printScript(out io.Writer, root *cobra.Command, shell string) error {
	switch shell {
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	}
	if err := root.GenBashCompletionV2(out, true); err != nil {
		return err
	}
	_, err := io.WriteString(out, bashAlone)
	return err
}
