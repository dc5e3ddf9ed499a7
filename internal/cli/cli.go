package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"pawl/agent/permission"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/front"
	"pawl/internal/host"
	"pawl/internal/models"
)

// commandLine is what a person can type. Each command is a struct of its flags
// that is a command; the tests parse it without running it.
type commandLine struct {
	Chat     chatCommand     `cmd:"" default:"withargs" hidden:"" help:"The screen, in this folder; with -p, one prompt without it."`
	Sessions sessionsCommand `cmd:"" help:"List the sessions of this folder."`
	Show     showCommand     `cmd:"" help:"Print a session's conversation and how its subagents ended."`
	Export   exportCommand   `cmd:"" help:"Write a session, with all its subagents and its trail, to a file."`
	Import   importCommand   `cmd:"" help:"Open a session that was exported as JSON, or write it again in another format."`
	Verify   verifyCommand   `cmd:"" help:"Check that the record of an exported or stored session is consistent."`
	Rm       removeCommand   `cmd:"" help:"Delete a session and its subagents."`
	Replay   replayCommand   `cmd:"" help:"Replay a recorded session on the screen: pause, step, jump to the next end."`
	Models   modelsCommand   `cmd:"" help:"List the models that the servers offer, with what Pawl knows about them."`
	Agents   agentsCommand   `cmd:"" help:"List the subagent types of this folder, and what is wrong with their files."`
	Trees    treesCommand    `cmd:"" name:"worktrees" help:"List the git worktrees that subagents have left, and remove them."`
	Doctor   doctorCommand   `cmd:"" help:"Check everything Pawl needs, and say what is wrong and how to fix it."`
	Acp      acpCommand      `cmd:"" help:"Serve an editor over standard input and output, by the Agent Client Protocol."`
	Demo     demoCommand     `cmd:"" help:"Run the scripted demo instead of a model, on the screen or with -p."`
	Version  versionCommand  `cmd:"" help:"Print the version, with the commit that it was built from."`

	Completion completionCommand `cmd:"" help:"Print the script that lets a shell complete Pawl's command line."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"Print the completions for a command line."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`
	Help       helpCommand       `cmd:"" help:"Explain a command or a subject, such as keys or permissions."`
	Worker     workerCommand     `cmd:"" hidden:"" help:"Run one subagent for the Pawl that started this process."`
}

const description = `A coding agent for the terminal that is built around delegation.

Examples:
  pawl                                      talk to it, in this folder
  pawl "what does this project do?"         the same, with a first prompt
  pawl -p "what does this project do?"      one prompt, the answer on standard output
  git diff | pawl -p "review this"          the prompt and its standard input
  pawl -p hi --output-format stream-json    for programs: a line for each record
  pawl -c                                   go on with the last session of this folder
  pawl -r                                   choose a session to go on with
  pawl export ID --format json -o run.json  the whole story of a session
  pawl models sonnet                        which models there are, what they read and cost
  pawl doctor                               what is set up, what is broken, what to do

Keys are read from ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and OLLAMA_HOST;
without any of them the screen opens on a scripted demo, and -p refuses.`

// Execute parses and runs one command line and returns the exit code. It prints
// what went wrong in one line; nothing else in the program writes to w.err on the
// way out.
func Execute(ctx context.Context, args []string, w base.World) int {
	code, err := parseAndRun(ctx, args, w)
	if err == nil {
		return code
	}
	var usage *host.UsageError
	if errors.As(err, &usage) {
		for line := range strings.SplitSeq(usage.Message, "\n") { // one for each setting that cannot be used
			fmt.Fprintln(w.Err, "pawl: "+base.OneLine(line))
		}
		return host.ExitUsage
	}
	fmt.Fprintln(w.Err, "pawl: "+base.OneLine(err.Error()))
	return max(code, host.ExitError)
}

func parseAndRun(ctx context.Context, args []string, w base.World) (code int, err error) {
	defer func() {
		if r := recover(); r != nil {
			code, err = host.ExitError, base.ReportBug(r)
		}
	}()
	parser, err := kong.New(&commandLine{},
		kong.Name("pawl"), kong.Description(description),
		kong.Writers(w.Out, w.Err),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	)
	if err != nil {
		return host.ExitError, err
	}
	illustrate(parser.Model)
	line, err := parse(parser, promptFirst(sessionBehindResume(args)))
	if err != nil {
		return host.ExitUsage, host.Usage(unknownFlag(err, line) + ` ("pawl --help" lists all)`)
	}
	if asksHelp(line) {
		return host.ExitDone, line.PrintUsage(false)
	}
	return typed(line).Run(ctx, &w, line)
}

// promptFirst makes -p mean that what follows is a prompt, also where it begins
// with the name of a command.
func promptFirst(args []string) []string {
	for i, arg := range args {
		switch {
		case arg == "--" || i == 0 && !strings.HasPrefix(arg, "-"):
			return args
		case arg == "-p" || arg == "--print":
			return append([]string{"chat"}, args...)
		}
	}
	return args
}

// modelFlags say which model answers and how freely it may act.
type modelFlags struct {
	Model string `placeholder:"PROVIDER/NAME" complete:"model" help:"The model: anthropic/…, openai/…, openai-chat/…, gemini/…, ollama/… or demo."`
	Mode  string `name:"permission-mode" placeholder:"MODE" complete:"mode" help:"default, accept-edits, plan or bypass."`
}

// check names what a flag says that there is not.
func (f modelFlags) check(known *models.Set) error {
	if f.Mode != "" {
		if _, err := permission.ParseMode(f.Mode); err != nil {
			return err
		}
	}
	if f.Model != "" {
		return known.Check(f.Model)
	}
	return nil
}

type chatCommand struct {
	Print        bool          `short:"p" help:"One prompt without a screen: the answer goes to standard output."`
	Prompt       []string      `arg:"" optional:"" help:"The prompt: the screen opens with it, or -p answers it, with standard input added to it."`
	OutputFormat string        `enum:"text,json,stream-json" default:"text" print:"" help:"With -p: text, json, or stream-json, a line for each record as it happens."`
	Continue     bool          `short:"c" xor:"which" help:"Continue the last session of this folder."`
	Session      string        `xor:"which" placeholder:"ID" complete:"session" help:"Continue this session."`
	Resume       bool          `short:"r" xor:"which" complete:"session" help:"Continue the session with this ID; without an ID, choose from a list."`
	ShowVersion  bool          `name:"version" short:"v" help:"Print the version."`
	Trust        bool          `help:"Trust this folder for this call: its settings, agent types and MCP servers are used without a question, except for what a command Pawl ran has left there."`
	Agents       string        `enum:"drain,stop" default:"drain" print:"" help:"With -p: wait for background subagents, or stop them when the main agent ends."`
	DrainTimeout time.Duration `print:"" placeholder:"10m" help:"With -p: how long subagents may run once the main agent is done; then they are stopped, and it is told. There is no limit by default."`
	modelFlags   `embed:""`
	streamFlags  `embed:""`
}

func (c *chatCommand) Run(ctx context.Context, w *base.World, line *kong.Context) (int, error) {
	switch {
	case c.ShowVersion:
		return (&versionCommand{}).Run(ctx, w, line)
	case c.Print && c.Resume:
		return host.ExitUsage, host.Usage(`-p has no list to choose from: pawl -p --resume ID "…"; pawl sessions lists them`)
	case c.Print:
		return front.Print(ctx, c.print(), *w)
	case !meansPrompt(c.Prompt, line.Model):
		return host.ExitUsage, host.Usage(unknownCommand(c.Prompt[0], line.Model))
	}
	if err := screenTakes(line.Path); err != nil {
		return host.ExitUsage, err
	}
	return front.Screen(ctx, c.opens(), *w)
}

// streamFlags are those of pawl -p as a part of another program.
type streamFlags struct {
	InputFormat string `enum:"text,stream-json" default:"text" print:"" help:"With -p: text, the prompt; or stream-json, a line of JSON for each message, answer and stop of another program."`
	Partial     bool   `name:"include-partial-messages" print:"" help:"With stream-json: also what is being written, before it is recorded."`
}

// opens says which session the command means.
func (c *chatCommand) opens() app.Options {
	return app.Options{Session: c.Session, Continue: c.Continue, Model: c.Model, Mode: c.Mode, Trust: c.Trust, First: c.begins()}
}

// print says what -p is to answer.
func (c *chatCommand) print() front.PrintOptions {
	return front.PrintOptions{
		Options: c.opens(), Words: c.Prompt, InputFormat: c.InputFormat, OutputFormat: c.OutputFormat, Partial: c.Partial,
		Agents: c.Agents, DrainTimeout: c.DrainTimeout,
	}
}

// screenTakes refuses the flags that mean something with -p alone: on a screen they
// would do nothing.
func screenTakes(line []*kong.Path) error {
	for _, part := range line {
		if part.Flag != nil && part.Flag.Tag.Has("print") {
			return host.Usage(fmt.Sprintf("--%s goes with -p: pawl -p \"…\"", part.Flag.Name))
		}
	}
	return nil
}

type demoCommand struct {
	Pace        string `default:"" placeholder:"1x" help:"How fast it plays; 0 is at once."`
	chatCommand `embed:""`
}

func (d *demoCommand) Run(ctx context.Context, w *base.World, line *kong.Context) (int, error) {
	switch {
	case d.Model != "" && d.Model != models.Demo:
		return host.ExitUsage, host.Usage(fmt.Sprintf("pawl demo plays a script, not %s: leave out --model, or say pawl --model %s", d.Model, d.Model))
	case !d.Print && len(d.Prompt) > 0:
		return host.ExitUsage, host.Usage(`a prompt goes behind -p: pawl demo -p "…"`)
	}
	if d.Pace != "" {
		w.Environ = append(w.Environ, "PAWL_DEMO_PACE="+d.Pace)
	}
	d.Model = models.Demo
	return d.chatCommand.Run(ctx, w, line)
}
