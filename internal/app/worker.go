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
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/filestore"
	"pawl/tools/mcp"
	"pawl/tools/outputs"
	"pawl/tools/process"
)

// workerConfig is what a run in its own process gets besides its run and transcript. It goes
// through the pipe because it holds keys: others can read an environment or a command line.
type workerConfig struct {
	Environ  []string                  `json:"environ"`
	Pace     string                    `json:"pace"`
	Models   map[string]settings.Model `json:"models,omitempty"`   // the user's table
	Fallback string                    `json:"fallback,omitempty"` // the model that goes on where a limit lasts
	Rules    rules                     `json:"rules"`
	// Providers are the user's. Their keys, but for those of variables, stay with Pawl, which the
	// worker asks.
	Providers map[string]settings.Provider `json:"providers,omitempty"`
	Around    agent.Surroundings           `json:"around"`
	Outputs   string                       `json:"outputs"`           // the folder for long outputs of the session
	Files     string                       `json:"files"`             // that of its file store
	Servers   []mcp.Spec                   `json:"servers,omitempty"` // only those that may be started
	Wait      bool                         `json:"wait,omitempty"`    // wait for them, as nobody watches
	Todo      []agent.TodoItem             `json:"todo,omitempty"`    // the current todo list
}

func (h *Session) process(ctx context.Context, port *lifecycle.Port, rules rules) lifecycle.Outcome {
	run := port.Run()
	rules.Alone = true
	launcher := rules.launcher(run)
	launcher.Around = rules.around
	todo := h.todo(ctx, run.Session)
	watch, unwatch := h.watches.Use(run.Folder)
	defer unwatch()
	defer watch.Beside(run.ID)()
	defer func() { // if it was killed between a change and its record
		h.recordAnnounced(context.WithoutCancel(ctx), func(i filestore.Intent) bool { return i.Run == run.ID },
			func(_ lifecycle.RunID, changed lifecycle.FilesChanged) error {
				watch.Known(changed)
				return port.Record(nil, changed)
			})
	}()
	return remote.Host{
		Entries: h.Store.Entries,
		Gate:    &h.gate,
		Mode:    func() string { return string(rules.mode()) },
		Today:   rules.today,
		Key:     h.Models.Key,
		Tools:   tools.OfSession(tools.Equipment{Shells: &h.shells, Todo: todo, Skills: h.sessionSkills()}),
		Config: workerConfig{
			Environ: h.World.Environ, Pace: h.Settings.Demo.Pace, Models: h.Settings.Models, Fallback: h.Settings.Fallback, Providers: h.Settings.Providers,
			Rules: rules, Around: h.around(run, rules), Outputs: base.OutputsOf(h.Base, h.Root), Files: h.Files.Folder(), Servers: h.Servers.Specs(), Wait: h.unwatched(),
			Todo: todo.Items(),
		},
		Start: func(ctx context.Context, in, out *os.File) (remote.Exit, error) {
			if _, err := os.Stat(run.Folder); err != nil {
				return remote.Exit{}, err // a failed start would name the program, not the folder
			}
			done, err := launcher.Run(ctx, process.Command{
				Name: system.Executable(), Args: []string{workerName}, Folder: run.Folder, Stdin: in, Stdout: out,
			})
			said, _ := done.Output.Text(maxWorkerStderr)
			return remote.Exit{Code: done.ExitCode, Said: said}, err
		},
	}.Work(ctx, besidePort{port, watch})
}

// maxWorkerStderr limits what is kept of a worker's standard error, in characters: enough for the
// stacks of a crash.
const maxWorkerStderr = 20_000

const workerName = "run-worker"

// abandonLimit is how long a worker whose Pawl is gone may take to stop its tools.
const abandonLimit = time.Second

// RunWorker drives one run for the Pawl that started this process, over standard input and
// output, and returns the exit code. placed says that it is a run of another machine: then the first
// line of standard input says where it works here.
func RunWorker(w base.World, placed bool) (int, error) {
	if base.WritesTerminal(w.Out) || base.ReadsTerminal(w.In) {
		return system.ExitUsage, system.Usage(workerUsage)
	}
	unusable := func(err error) (int, error) {
		return system.ExitUsage, system.Usage(workerUsage + " (" + err.Error() + ")")
	}
	var work func(*remote.Port, *mask.Learned) lifecycle.Outcome
	var port *remote.Port
	var environ []string
	if placed {
		at, in, err := readPlace(w.In)
		if err != nil {
			return unusable(err)
		}
		var told remoteConfig
		if port, err = remote.Attach(in, w.Out, &told); err != nil {
			return unusable(err)
		}
		port.KeepEnd(at.End)
		work, environ = told.placedAt(at).work, at.Environ
	} else {
		var told workerConfig
		var err error
		if port, err = remote.Attach(w.In, w.Out, &told); err != nil {
			return unusable(err)
		}
		work, environ = told.work, told.Environ
	}
	return port.End(work(port, becomeWorker(port, environ))), nil
}

// becomeWorker makes this process one that works at a run, and returns what it learns of secrets.
func becomeWorker(port *remote.Port, environ []string) *mask.Learned {
	raiseOOMScore()
	os.Stdout = os.Stderr // only messages go to standard output
	learned := new(mask.Learned)
	to := mask.New(base.Secrets(environ)).With(learned).Writer(os.Stderr)
	log.SetOutput(to)
	slog.SetDefault(slog.New(slog.NewTextHandler(to, nil)))
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a broken pipe is then an error of the write
	context.AfterFunc(port.Context(), func() {
		if errors.Is(context.Cause(port.Context()), remote.ErrGone) {
			time.AfterFunc(abandonLimit, func() { os.Exit(system.ExitError) })
		}
	})
	return learned
}

const workerUsage = `"run-worker" is what Pawl runs to start a subagent in a process of its own; "pawl --help" lists the commands for you`

func (told workerConfig) work(port *remote.Port, learned *mask.Learned) lifecycle.Outcome {
	setEnviron(told.Environ)
	pace, err := script.ParsePace(cmp.Or(told.Pace, "1x"))
	if err != nil {
		return failedSetup(fmt.Sprintf("demo.pace: %v", err))
	}
	models := models.New(told.Environ, base.Secrets(told.Environ), pace).With(told.Models)
	models.Learned, models.Ask = learned, port.Key
	models.WithProviders(told.Providers)
	outputs := outputs.New(told.Outputs)
	defer closeOutputs(outputs)
	files := filestore.New(told.Files)
	defer closeFiles(files)
	run := port.Run()
	watches := told.Rules.watchesOf(run, files)
	defer watches.Close()
	told.Rules.askHome(port)
	// They are not closed: they end with this process, which has no time for them after its last
	// message.
	servers := base.NewServers(mcp.Options{Folder: run.Folder, Environ: told.Environ, Withheld: told.Rules.Withheld, Launcher: told.Rules.launcher(run), Wait: told.Wait})
	if permission.Mode(told.Rules.Type.Mode) != permission.Plan { // it never allows their tools
		servers.Start(told.Servers...)
	}
	loop := agent.Loop{
		Resolve: models.Resolve, Info: models.Info, Entries: port.Entries, Gate: &agent.Gate{Parent: port.Hold}, Fallback: told.Fallback,
		Kit: func(ctx context.Context, run lifecycle.Run) (agent.Kit, error) {
			own := tools.Equipment{
				Todo: remoteTodo(port, told.Todo), Shells: new(tools.Shells), Home: port, Outputs: outputs, Files: files, Outside: servers.Tools(ctx),
			}
			return subagentKit(run, told.Rules, told.Around, own, servers.Instructions, watches)
		},
	}
	return loop.Work(port.Context(), port)
}

// askHome has the rules ask the session's process for what changes while the run works.
func (r *rules) askHome(port *remote.Port) {
	r.now = func() permission.Mode { return cmp.Or(permission.Mode(port.Mode()), permission.Plan) }
	r.today, r.refused = port.Today, new(refusedLines)
}

func failedSetup(message string) lifecycle.Outcome {
	return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: message}}
}

// setEnviron sets the variables that the launcher kept from this process. Model SDKs read some by
// themselves; tools do not get them, and nobody can read them from outside in this process's
// environment.
func setEnviron(environ []string) {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if _, here := os.LookupEnv(name); !here {
			_ = os.Setenv(name, value) // an invalid name is not a variable
		}
	}
}
