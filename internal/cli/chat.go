package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/cli/release"
	"pawl/internal/host"
	"pawl/internal/system"
)

// chatOptions are the flags of a conversation: those of pawl itself and of pawl demo.
type chatOptions struct {
	modelOptions
	print, detach, continued, resume, version, trust, partial bool
	session, agents, outputFormat, inputFormat                string
	drainTimeout                                              time.Duration
}

func (o *chatOptions) bind(cmd *cobra.Command, w *base.World) {
	o.outputFormat, o.agents, o.inputFormat = "text", "drain", "text"
	flags := cmd.Flags()
	flags.BoolVarP(&o.print, "print", "p", false, "One prompt without a screen: the answer goes to\nstandard output.")
	flags.BoolVar(&o.detach, "detach", false, "With -p: begin without a screen, print the session's\nID and let it go on.")
	flags.BoolVarP(&o.continued, "continue", "c", false, "Continue the last session of this folder.")
	flags.BoolVarP(&o.resume, "resume", "r", false, "Continue the session with this ID; without an ID,\nchoose from a list.")
	flags.StringVar(&o.session, "session", "", "Continue the session with this `ID`.")
	o.modelOptions.bind(cmd, w)
	flags.BoolVar(&o.trust, "trust", false, "Trust this folder for this call: its settings,\nagent types and MCP servers are used without a\nquestion, except for what a command Pawl ran has\nleft there.")
	command.AddChoice(cmd, &o.outputFormat, "output-format", "With -p: the `FORMAT` of the answer: text, json, or\nstream-json, which has a line for each record,\nas it happens.", "text", "json", "stream-json")
	command.AddChoice(cmd, &o.inputFormat, "input-format", "With -p: the `FORMAT` of standard input: text, the\nprompt; or stream-json, a line of JSON for each\nmessage, answer and stop of another\nprogram.", "text", "stream-json")
	flags.BoolVar(&o.partial, "include-partial-messages", false, "With stream-json: also what is being written,\nbefore it is recorded.")
	command.AddChoice(cmd, &o.agents, "agents", "With -p: wait for background subagents, or stop\nthem when the main agent ends.", "drain", "stop")
	flags.DurationVar(&o.drainTimeout, "drain-timeout", 0, "With -p: how long subagents may run once the main\nagent is done, such as `10m`; then they are stopped,\nand it is told. There is no limit by default.")
	flags.BoolVarP(&o.version, "version", "v", false, "Print the version.")
	cmd.MarkFlagsMutuallyExclusive("continue", "session", "resume")
	cmd.PreRunE = oneSession
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("session", completeSessions(w)))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("resume", completeSessions(w)))
}

// oneSession refuses two flags that each choose a session, in fewer words than cobra does.
func oneSession(cmd *cobra.Command, _ []string) error {
	if cmd.ValidateFlagGroups() != nil {
		return system.Usage("--continue, --session and --resume can't be used together")
	}
	return nil
}

func (o *chatOptions) run(cmd *cobra.Command, w *base.World, prompt []string) error {
	switch {
	case o.version:
		return release.PrintVersion(w, false)
	case o.print && o.resume:
		return system.Usage(`-p has no list to choose from: pawl -p --resume ID "…"; pawl sessions lists them`)
	case o.print && o.detach:
		return o.runDetached(cmd, w, prompt)
	case o.print:
		return command.Ended(host.Print(cmd.Context(), o.printOptions(prompt), *w))
	case cmd.ArgsLenAtDash() < 0 && !meansPrompt(prompt, cmd.Root()):
		return system.Usage(unknownCommand(prompt[0], cmd.Root()))
	}
	for _, name := range []string{"detach", "output-format", "input-format", "include-partial-messages", "agents", "drain-timeout"} {
		if cmd.Flags().Changed(name) { // on a screen it would do nothing
			return system.Usage(fmt.Sprintf("--%s goes with -p: pawl -p \"…\"", name))
		}
	}
	return command.Ended(host.Screen(cmd.Context(), o.options(prompt), *w))
}

// runDetached refuses what says how a prompt is waited for: nobody waits for this one.
func (o *chatOptions) runDetached(cmd *cobra.Command, w *base.World, prompt []string) error {
	for _, name := range []string{"output-format", "input-format", "include-partial-messages", "agents", "drain-timeout"} {
		if cmd.Flags().Changed(name) {
			return system.Usage(fmt.Sprintf("--%s goes with a prompt that is waited for, not with --detach: pawl wait and pawl watch print what a session says", name))
		}
	}
	return command.Ended(host.Detached(cmd.Context(), o.printOptions(prompt), *w))
}

// options say which session is meant, and what the screen opens with: the prompt, or the
// list of sessions.
func (o *chatOptions) options(prompt []string) app.Options {
	first := strings.Join(prompt, " ")
	if o.resume {
		first = "/sessions"
	}
	return app.Options{Session: o.session, Continue: o.continued, Model: o.model, Effort: o.effort, Mode: o.mode, Trust: o.trust, First: first}
}

// printOptions say what -p is to answer.
func (o *chatOptions) printOptions(prompt []string) host.PrintOptions {
	return host.PrintOptions{
		Options: o.options(prompt), Words: prompt, InputFormat: o.inputFormat, OutputFormat: o.outputFormat, Partial: o.partial,
		Agents: o.agents, DrainTimeout: o.drainTimeout,
	}
}

// completePrompt completes nothing but the ID behind --resume.
func (o *chatOptions) completePrompt(w *base.World) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if o.resume && len(args) == 0 {
			return completeSessions(w)(cmd, args, typed)
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}
