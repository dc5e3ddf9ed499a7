package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/cli/conventions"
	"pawl/internal/cli/keys"
	"pawl/internal/cli/machines"
	"pawl/internal/cli/release"
	"pawl/internal/cli/servers"
	"pawl/internal/cli/worktrees"
)

// newRootCommand is pawl without a command: the screen, or with -p one prompt without it.
func newRootCommand(w *base.World) *cobra.Command {
	var o chatOptions
	cmd := &cobra.Command{
		Use:   "pawl [PROMPT]",
		Short: "A coding agent for the terminal that is built around delegation.",
		Long: `A coding agent for the terminal that is built around delegation.

Keys are read from ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and OLLAMA_HOST,
or pawl login keeps one; without any of them the screen opens on a scripted demo, and
-p refuses.`,
		Example: `  pawl                                      talk to it, in this folder
  pawl "what does this project do?"         the same, with a first prompt
  pawl -p "what does this project do?"      one prompt, the answer on standard output
  git diff | pawl -p "review this"          the prompt and its standard input
  pawl -p hi --output-format stream-json    for programs: a line for each record
  pawl -c                                   go on with the last session of this folder
  pawl -r                                   choose a session to go on with
  pawl export ID --format json -o run.json  the whole story of a session
  pawl models sonnet                        which models there are, what they read and cost
  pawl doctor                               what is set up, what is broken, what to do`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: o.completePrompt(w),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, w, args) },
		SilenceErrors:     true,
		SilenceUsage:      true,
	}
	o.bind(cmd, w)
	cmd.SetIn(w.In)
	cmd.SetOut(w.Out)
	cmd.SetErr(w.Err)
	cmd.SetFlagErrorFunc(flagError)
	cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return cmd
}

// newCommandTree is all that can be typed.
func newCommandTree(w *base.World) *cobra.Command {
	root, help := newRootCommand(w), newHelpCommand(w)
	root.AddGroup(
		&cobra.Group{ID: command.GroupSessions, Title: "Sessions:"},
		&cobra.Group{ID: command.GroupSetup, Title: "Setup:"},
		&cobra.Group{ID: command.GroupMore, Title: "More:"},
	)
	root.SetHelpCommand(help)
	root.AddCommand(
		newAttachCommand(w), newFleetCommand(w), newPsCommand(w), newSendCommand(w), newAnswerCommand(w), newStopCommand(w), newLandCommand(w), newRewindCommand(w), newWaitCommand(w), newWatchCommand(w),
		newSessionsCommand(w), newShowCommand(w), newChangesCommand(w), newForkCommand(w), newExportCommand(w), newImportCommand(w), newVerifyCommand(w), newRemoveCommand(w), newReplayCommand(w),
		newModelsCommand(w), keys.NewLogin(w), keys.NewLogout(w), conventions.NewAgents(w), conventions.NewSkills(w), servers.New(w), worktrees.New(w), newDoctorCommand(w), machines.NewWorker(w), release.NewUpdate(w),
		newACPCommand(w), newDemoCommand(w), release.NewVersion(w), newCompletionCommand(w), newManCommand(w), help,
		newRunWorkerCommand(w), newRecoverCommand(w),
	)
	for _, cmd := range append(leaves(root), root) {
		cmd.Flags().SortFlags = false // they are declared in the order of what is asked for most
		cmd.InitDefaultHelpFlag()
		cmd.Flags().Lookup("help").Usage = "Print this help."
	}
	return root
}

// parserOf is what reads a command line, and the line as it reads it. Behind -p is a prompt,
// also where that begins with the name of a command: then no command has a name.
func parserOf(args []string, w *base.World) (root *cobra.Command, read []string) {
	args = sessionBehindResume(args)
	first := newRootCommand(w)
	first.Flags().SetInterspersed(false)
	_ = first.ParseFlags(args) // what is wrong, the parser says
	if printing, err := first.Flags().GetBool("print"); err == nil && printing {
		return newRootCommand(w), args
	}
	return newCommandTree(w), args
}

// sessionBehindResume makes --resume with a session's ID behind it what --session is. It
// stands where no command is named.
func sessionBehindResume(args []string) []string {
	for i, arg := range args {
		id, whole := strings.CutPrefix(arg, "--resume=")
		switch {
		case arg == "--" || i == 0 && !strings.HasPrefix(arg, "-"):
			return args
		case whole:
			return slices.Concat(args[:i], []string{"--session", id}, args[i+1:])
		case (arg == "--resume" || arg == "-r") && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			return slices.Concat(args[:i], []string{"--session"}, args[i+1:])
		}
	}
	return args
}
