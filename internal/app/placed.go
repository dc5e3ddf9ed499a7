package app

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/agent/remote"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/machines"
	"pawl/internal/models"
	"pawl/internal/remoterun"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/filestore"
	"pawl/tools/outputs"
	"pawl/tools/process"
)

// maxPlace bounds the line that says where a run works: it has the environment of a machine.
const maxPlace = 16 << 20

// readPlace reads where a run of another machine works here, and returns what comes after.
func readPlace(in io.Reader) (at remoterun.Place, rest io.Reader, err error) {
	lines := bufio.NewReader(in)
	var line []byte
	for {
		piece, err := lines.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case err == nil:
			if err := json.Unmarshal(line, &at); err != nil {
				return at, nil, fmt.Errorf("read where the run works: %w", err)
			}
			return at, lines, nil
		case !errors.Is(err, bufio.ErrBufferFull) || len(line) > maxPlace:
			return at, nil, fmt.Errorf("nothing says where the run works: %w", err)
		}
	}
}

// placedRun is a run of another machine, which works here.
type placedRun struct {
	remoteConfig
	at       remoterun.Place
	settings settings.Settings // this machine's
	folders  settings.Folders
	machine  string // the name of this one
}

func (told remoteConfig) placedAt(at remoterun.Place) *placedRun {
	return &placedRun{remoteConfig: told, at: at, folders: settings.FindFolders()}
}

// work drives the run.
func (p *placedRun) work(port *remote.Port, learned *mask.Learned) lifecycle.Outcome {
	setEnviron(p.at.Environ)
	port.WorkIn(p.at.Folder)
	run := port.Run()
	p.machine = machineOf(run)
	models, err := p.models(port, learned)
	if err == nil {
		err = errors.Join(p.localize(models.Withheld()), os.Chdir(p.at.Folder))
	}
	if err != nil {
		return failedSetup("on " + p.machine + ": " + base.OneLine(err.Error()))
	}
	outputs := outputs.New(p.at.Outputs)
	defer closeOutputs(outputs)
	files := filestore.New(p.at.Files)
	defer closeFiles(files)
	watches := p.Rules.watchesOf(run, files)
	defer watches.Close()
	p.Rules.askHome(port)
	if p.Hooks {
		p.Rules.asked = port.Hooks
	}
	shells := &tools.Shells{Outputs: outputs}
	port.OnShell(func(ctx context.Context, port remote.CommandPort) lifecycle.Outcome {
		return workShell(ctx, port, shells, watches, p.Rules)
	})
	around := p.around(run)
	loop := agent.Loop{
		Resolve: p.resolve(models), Info: models.Info, Entries: port.Entries, Gate: &agent.Gate{Parent: port.Hold}, Fallback: p.Fallback,
		Kit: func(_ context.Context, run lifecycle.Run) (agent.Kit, error) {
			own := tools.Equipment{
				Todo: remoteTodo(port, p.Todo), Shells: shells, Here: true, Home: placedHome{port, p}, Outputs: outputs, Files: files,
				Outside: port.Tools(p.Tools),
			}
			notes := func([]agent.Tool) []agent.ServerNote { return p.Around.Servers }
			return subagentKit(run, p.Rules, around, own, notes, watches)
		},
	}
	return loop.Work(port.Context(), port)
}

// machineOf is the name of this machine, as the run's session knows it.
func machineOf(run lifecycle.Run) string {
	if run.Placed != nil && run.Placed.Machine != "" {
		return run.Placed.Machine
	}
	name, _ := os.Hostname()
	return cmp.Or(name, "the worker's machine")
}

// models reads this machine's settings, and makes the models of the run by them: with this machine's
// keys, or with those that the session lends.
func (p *placedRun) models(port *remote.Port, learned *mask.Learned) (*models.Set, error) {
	own, _, err := base.LoadSettings(p.folders.ConfigFile(), p.at.Environ)
	if err != nil {
		return nil, err
	}
	p.settings = own
	pace, err := script.ParsePace(cmp.Or(p.Pace, "1x"))
	if err != nil {
		return nil, fmt.Errorf("demo.pace: %w", err)
	}
	own.Models = overlaid(own.Models, p.Models)
	world := base.World{Environ: p.at.Environ, Folder: p.at.Folder, Learned: learned}
	if !p.Lend {
		return base.ModelsOf(world, p.folders, own, pace), nil
	}
	own.Providers = overlaid(own.Providers, p.Providers)
	world.Environ = withoutKeys(world.Environ, base.ModelsOf(world, p.folders, own, pace).Providers())
	lent := base.ModelsOf(world, p.folders, own, pace)
	lent.Ask = port.Key
	return lent, nil
}

// overlaid are entries of this machine's settings, and of the session's, which go before.
func overlaid[T any](here, home map[string]T) map[string]T {
	all := maps.Clone(here)
	if all == nil {
		all = map[string]T{}
	}
	maps.Copy(all, home)
	return all
}

// withoutKeys is an environment without the variables that hold keys of providers, and their addresses:
// others are lent.
func withoutKeys(environ []string, providers []models.Provider) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.ContainsFunc(providers, func(p models.Provider) bool { return p.Secret && (p.Variable == name || p.Address == name) })
	})
}

// resolve implements agent.Loop.Resolve. What is wrong is wrong on this machine, which is not the one
// that the error is read on.
func (p *placedRun) resolve(models *models.Set) func(string) (agent.Provider, string, error) {
	return func(model string) (agent.Provider, string, error) {
		if named, _ := agent.SplitModel(model); p.Kept[named] != "" {
			return nil, "", &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: "on " + p.machine + ": " + p.Kept[named]}
		}
		provider, name, err := models.Resolve(model)
		if failure, is := errors.AsType[*lifecycle.Failure](err); is {
			err = &lifecycle.Failure{Kind: failure.Kind, Message: "on " + p.machine + ": " + failure.Message}
		}
		return provider, name, err
	}
}

// placedHome is the session's process, for a run that works here.
type placedHome struct {
	*remote.Port
	run *placedRun
}

// Perform implements tools.Home. What home says of its folder is about the one here.
func (h placedHome) Perform(ctx context.Context, tool string, call agent.Invocation) agent.Result {
	result := h.Port.Perform(ctx, tool, call)
	if tool == "skill" {
		result.Text, _ = h.run.moved(result.Text)
	}
	return result
}

// OpenWorkplaces prepares this machine for runs of others. The caller must Close it after the last of
// them.
func OpenWorkplaces(ctx context.Context, b *base.Base, link *machines.Link) (*remoterun.Workplaces, error) {
	if found, here := process.ProgramPath("git"); found == "" && !here {
		return nil, errors.New("a worker needs git, which is not found on PATH: install it, and start the worker again")
	}
	withheld := b.Models.Withheld()
	return remoterun.OpenWorkplaces(ctx, remoterun.WorkplaceOptions{
		Link: link, Folder: b.Folders.Remote(), Program: system.Executable(), Environ: b.World.Environ,
		Launcher: func(owner lifecycle.RunID) *process.Launcher {
			return &process.Launcher{
				Owner: owner, Withheld: withheld, Containment: process.Containment(b.Settings.Tools.Containment), Hide: !b.Settings.Tools.Debuggable,
			}
		},
	})
}
