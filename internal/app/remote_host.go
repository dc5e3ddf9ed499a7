package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/remote"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/instructions"
	"pawl/internal/machines"
	"pawl/internal/remoterun"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/git"
)

// remoteConfig is what a run's process on another machine gets besides its run and transcript.
// Nothing secret is in it. What is about a machine comes from the settings
// of the one that it works on.
type remoteConfig struct {
	Pace     string                    `json:"pace"`
	Models   map[string]settings.Model `json:"models,omitempty"`   // the user's table
	Fallback string                    `json:"fallback,omitempty"` // the model that goes on where a limit lasts
	Rules    rules                     `json:"rules"`
	Around   agent.Surroundings        `json:"around"`          // but for what the machine itself knows
	Home     string                    `json:"home"`            // the folder of the session, and
	Top      string                    `json:"top"`             // that of its checkout, on the machine of the session
	Tools    []remote.Offered          `json:"tools,omitempty"` // of MCP servers
	Hooks    bool                      `json:"hooks,omitempty"` // there are some
	Todo     []agent.TodoItem          `json:"todo,omitempty"`  // the current todo list
	// Lend says that the session's keys are asked for, and Providers what it says of the servers that
	// they are for. Kept says of which the keys stay here, and why: see models.Set.Lent.
	Lend      bool                         `json:"lend,omitempty"`
	Providers map[string]settings.Provider `json:"providers,omitempty"`
	Kept      map[string]string            `json:"kept,omitempty"`
}

// remoteLinger is how long the end of a process may take to be known here.
const remoteLinger = 5 * time.Second

// remoteHost is the host of a run on another machine, without Start and Resume. Hooks, the tools of
// MCP servers and those of the session run here.
func (h *Session) remoteHost(ctx context.Context, run lifecycle.Run, rules rules) remote.Host {
	todo := h.todo(ctx, run.Session)
	rules.Alone = true
	var servers []agent.Tool
	if permission.Mode(rules.Type.Mode) != permission.Plan { // it never allows their tools
		servers = tools.ForType(rules.Type, h.Servers.Tools(ctx))
	}
	host := remote.Host{
		Number:  func(port agent.Port, request int64) agent.Port { return port.(*lifecycle.Port).At(request) },
		Entries: h.Store.Entries, Gate: &h.gate, Mode: func() string { return string(rules.mode()) }, Today: rules.today,
		Linger: remoteLinger,
		Tools:  append(tools.OfSession(tools.Equipment{Shells: &h.shells, Todo: todo, Skills: h.sessionSkills()}), servers...),
		Permit: rules.permit, Hooks: rules.hooks(run), Commands: h.away.commands(run.Session),
	}
	config := h.remoteConfig(rules)
	config.Tools, config.Around.Servers, config.Todo = remote.Offer(servers), h.Servers.Instructions(servers), todo.Items()
	if config.Lend {
		host.Key = h.lendKey
	}
	host.Config = config
	return host
}

// lendKey implements remote.Host.Key. A key that stays here is not given to an older worker either,
// which does not know of that.
func (h *Session) lendKey(ctx context.Context, provider, refused string) (string, error) {
	if _, kept := h.Models.Lent(); kept[provider] != "" {
		return "", &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: kept[provider]}
	}
	return h.Models.Key(ctx, provider, refused)
}

func (h *Session) remoteConfig(rules rules) remoteConfig {
	config := remoteConfig{
		Pace: h.Settings.Demo.Pace, Models: h.Settings.Models, Fallback: h.Settings.Fallback,
		Home: h.World.Folder, Top: git.Top(h.World.Folder),
		Hooks: len(rules.Hooks) > 0, Lend: h.Settings.Remote.Lends(),
	}
	config.Around.Today, config.Around.Instructions = h.surroundings.Today, h.ownInstructions()
	config.Rules = rules
	config.Rules.Hooks, config.Rules.Withheld = nil, nil // their settings may hold keys, and names are enough there
	if config.Lend {
		config.Providers, config.Kept = h.Models.Lent()
	}
	return config
}

// ownInstructions are the user's own, which hold in every folder.
func (h *Session) ownInstructions() (own []agent.Instruction) {
	for _, one := range h.instructionsAt(instructions.Place{Folder: h.World.Folder}) {
		if one.Own {
			own = append(own, one)
		}
	}
	return own
}

// away are the commands of runs that work on other machines. The zero value works.
type away struct {
	mu  sync.Mutex
	all map[lifecycle.SessionID]*remote.Commands
}

// commands are those of a subagent's session.
func (a *away) commands(session lifecycle.SessionID) *remote.Commands {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[lifecycle.SessionID]*remote.Commands{}
	}
	if a.all[session] == nil {
		a.all[session] = new(remote.Commands)
	}
	return a.all[session]
}

// of are those of the session that started a command; nil if that works here.
func (a *away) of(parent lifecycle.SessionID) *remote.Commands {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all[parent]
}

// remoteRuns are the session's runs on other machines. Nothing is connected before the first of them.
func (h *Session) remoteRuns() *remoterun.Runs {
	own := h.Settings.Remote
	return remoterun.New(remoterun.Options{
		Root: h.Root, Lends: own.Lends(), Workers: own.WorkersFile(), Trees: h.trees, Files: h.Files,
		Link: machines.Options{
			URL: own.NATS, Creds: own.CredsFile(h.Folders), CA: own.CAFile(), Name: "pawl " + string(h.Root),
			Warn: func(line string) { slog.Warn("the server of other machines", "said", line) },
		},
		Host: func(ctx context.Context, port *lifecycle.Port) (remote.Host, error) {
			run := port.Run()
			rules, err := h.rules(run)
			if err != nil {
				return remote.Host{}, err
			}
			return h.remoteHost(ctx, run, rules), nil
		},
		Over: h.overRemotely,
	})
}

// workRemotely works at a run on another machine. A session may be opened again where no server is set:
// what it has left at work elsewhere stays there until it is opened with one, or stopped.
func (h *Session) workRemotely(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
	if h.Settings.Remote.On() {
		return h.remotes.Work(ctx, port)
	}
	set := "set nats in [remote] of " + base.ShortPath(h.Folders.ConfigFile()) + ", or PAWL_REMOTE_NATS"
	if port.Kept() {
		return h.remotes.Wait(ctx, port, "waits for a server: "+set)
	}
	return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: "isolation remote needs a server: " + set}}
}

// overRemotely implements remoterun.Options.Over.
func (h *Session) overRemotely(id lifecycle.RunID, attempt int) bool {
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return false // it is not open yet
	}
	for _, run := range snapshot.Runs {
		if run.ID == id {
			return run.State.Terminal() || run.Placed != nil && run.Placed.Attempt > attempt
		}
	}
	return false
}
