package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/agent/permission"
	"pawl/agent/remote"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/mcp"
	"pawl/tools/outputs"
	"pawl/tools/process"
)

// workerConfig is what a run in a process of its own is told beside its run and its
// transcript. It goes over the pipe: there are keys in it, and an environment or
// a command line can be read by others.
type workerConfig struct {
	Environ []string                  `json:"environ"`
	Pace    string                    `json:"pace"`
	Models  map[string]settings.Model `json:"models,omitempty"` // the user's table
	Rules   rules                     `json:"rules"`
	Around  agent.Surroundings        `json:"around"`
	Outputs string                    `json:"outputs"`           // the folder that the session keeps long outputs in
	Servers []mcp.Spec                `json:"servers,omitempty"` // that may be started: trusted ones alone
	Wait    bool                      `json:"wait,omitempty"`    // for them, as nobody watches
	Todo    []agent.TodoItem          `json:"todo,omitempty"`    // the session's plan so far
}

// process is the worker of runs that are isolated in a process.
func (h *Session) process(ctx context.Context, port *lifecycle.Port, rules rules) lifecycle.Outcome {
	run := port.Run()
	rules.Alone = true
	launcher := rules.launcher(run)
	launcher.Around = rules.around
	todo := h.todo(ctx, run.Session)
	return remote.Host{
		Entries: h.Store.Entries,
		Gate:    &h.gate,
		Mode:    func() string { return string(rules.mode()) },
		Tools:   tools.OfSession(tools.Equipment{Shells: &h.shells, Todo: todo}),
		Config: workerConfig{
			Environ: h.World.Environ, Pace: h.Settings.Demo.Pace, Models: h.Settings.Models,
			Rules: rules, Around: h.around, Outputs: base.OutputsOf(h.Base, h.Root), Servers: h.Servers.Specs(), Wait: h.unwatched(),
			Todo: todo.Items(),
		},
		Start: func(ctx context.Context, in, out *os.File) (remote.Exit, error) {
			if _, err := os.Stat(run.Folder); err != nil {
				return remote.Exit{}, err // the start itself would name the program, not the folder
			}
			done, err := launcher.Run(ctx, process.Command{
				Name: itself(), Args: []string{workerName}, Folder: run.Folder, Stdin: in, Stdout: out,
			})
			said, _ := done.Output.Text(saidOfWorker)
			return remote.Exit{Code: done.ExitCode, Said: said}, err
		},
	}.Work(ctx, port)
}

// saidOfWorker bounds what is kept of a worker's standard error, in characters:
// the stacks of a crash are in it.
const saidOfWorker = 20_000

// itself is this very program, also when its file was replaced meanwhile: both
// ends of the pipe must be the same version.
func itself() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	path, err := os.Executable()
	if err != nil {
		return "pawl" // starting it names the problem
	}
	return path
}

const workerName = "worker"

// abandoned is how long a worker whose Pawl is gone may take to stop its tools.
const abandoned = time.Second

// RunWorker drives one run for the Pawl that started this process, over standard input and
// output, and gives the exit code.
func RunWorker(w base.World) (int, error) {
	var told workerConfig
	if base.WritesTerminal(w.Out) || base.ReadsTerminal(w.In) {
		return host.ExitUsage, host.Usage(byHand)
	}
	port, err := remote.Attach(w.In, w.Out, &told)
	if err != nil {
		return host.ExitUsage, host.Usage(byHand + " (" + err.Error() + ")")
	}
	raiseOOMScore()
	os.Stdout = os.Stderr // nothing but messages goes where they go
	to := mask.New(base.Secrets(told.Environ)).Writer(os.Stderr)
	log.SetOutput(to)
	slog.SetDefault(slog.New(slog.NewTextHandler(to, nil)))
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a broken pipe is an error of its write
	context.AfterFunc(port.Context(), func() {
		if errors.Is(context.Cause(port.Context()), remote.ErrGone) {
			time.AfterFunc(abandoned, func() { os.Exit(host.ExitError) })
		}
	})
	return port.End(told.work(port)), nil
}

const byHand = `"worker" is what Pawl runs to start a subagent in a process of its own; "pawl --help" lists the commands for you`

// work drives the run.
func (told workerConfig) work(port *remote.Port) lifecycle.Outcome {
	adopt(told.Environ)
	pace, err := script.ParsePace(cmp.Or(told.Pace, "1x"))
	if err != nil {
		return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: fmt.Sprintf("demo.pace: %v", err)}}
	}
	models := models.New(told.Environ, base.Secrets(told.Environ), pace).With(told.Models)
	outputs := outputs.New(told.Outputs)
	defer closeOutputs(outputs)
	run := port.Run()
	told.Rules.now = func() permission.Mode { return cmp.Or(permission.Mode(port.Mode()), permission.Plan) }
	// They are not closed: they end with this process, which has no time for them
	// once it has said its last.
	servers := base.NewServers(mcp.Options{Folder: run.Folder, Environ: told.Environ, Launcher: told.Rules.launcher(run), Wait: told.Wait})
	if permission.Mode(told.Rules.Type.Mode) != permission.Plan { // which allows none of their tools, ever
		servers.Start(told.Servers...)
	}
	loop := agent.Loop{
		Resolve: models.Resolve, Info: models.Info, Entries: port.Entries, Gate: &agent.Gate{Parent: port.Hold},
		Kit: func(ctx context.Context, run lifecycle.Run) (agent.Kit, error) {
			own := tools.Equipment{
				Todo: todoOver(port, told.Todo), Shells: new(tools.Shells), Home: port, Outputs: outputs, Outside: servers.Tools(ctx),
			}
			return subagentKit(run, told.Rules, told.Around, own, servers)
		},
	}
	return loop.Work(port.Context(), port)
}

// adopt gives this process the variables that the launcher kept from it. Model
// SDKs read some by themselves; tools do not get them, nor does anybody who reads
// this process's environment from outside.
func adopt(environ []string) {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if _, here := os.LookupEnv(name); !here {
			_ = os.Setenv(name, value) // what cannot be set is no variable
		}
	}
}
