package remoterun

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"pawl/internal/checkout"
	"pawl/internal/machines"
	"pawl/internal/machines/worker"
	"pawl/lifecycle"
	"pawl/tools/process"
)

// WorkplaceOptions are what a machine needs to have runs work on it.
type WorkplaceOptions struct {
	Link    *machines.Link
	Folder  string // for all that this needs; several processes may use it
	Program string // the path of this program, of which each run gets a process
	// Environ is that of this process, with the keys of its user's models.
	Environ []string
	// Launcher starts git and the processes of runs: for no run, or for the one that it is given.
	Launcher func(owner lifecycle.RunID) *process.Launcher
}

// Workplaces are the places on this machine where runs of others work. Its methods may be called
// from any goroutine.
type Workplaces struct {
	WorkplaceOptions
	own                string // the folder of this process
	release            func()
	cache              *checkout.Cache
	checkouts, results *machines.Objects
}

// OpenWorkplaces prepares a machine for runs, and removes what earlier processes have left there.
// The caller must Close it when no run is there any more.
func OpenWorkplaces(ctx context.Context, o WorkplaceOptions) (*Workplaces, error) {
	w := &Workplaces{WorkplaceOptions: o, cache: checkout.NewCache(filepath.Join(o.Folder, "repositories"), o.Launcher(""))}
	var err error
	for _, bucket := range []struct {
		name string
		to   **machines.Objects
	}{{machines.Checkouts, &w.checkouts}, {machines.Results, &w.results}} {
		if *bucket.to, err = o.Link.Objects(ctx, bucket.name); err != nil {
			return nil, err
		}
	}
	if w.own, w.release, err = takeFolder(filepath.Join(o.Folder, "runs")); err != nil {
		return nil, err
	}
	w.cache.Sweep()
	return w, nil
}

// Close removes what is left of the places.
func (w *Workplaces) Close() {
	removeAll(w.own)
	w.release()
}

// Prepare implements worker.Options.Prepare.
func (w *Workplaces) Prepare(ctx context.Context, run worker.Run) (worker.Workplace, error) {
	var grant Grant
	if err := json.Unmarshal(run.Grant, &grant); err != nil {
		return nil, fmt.Errorf("read what the run begins with: %w", err)
	}
	p := &place{of: w, run: run, folder: filepath.Join(w.own, fmt.Sprintf("%s-%d", run.Run, run.Number))}
	err := os.Mkdir(p.folder, 0o700)
	if err == nil {
		p.program, err = p.begin()
	}
	if err == nil {
		p.checkout, err = w.cache.Receive(ctx, w.checkouts, grant.Checkout, filepath.Join(p.folder, "tree"))
	}
	for _, name := range []string{filesFolder, outputsFolder} {
		if err == nil {
			err = os.Mkdir(filepath.Join(p.folder, name), 0o700)
		}
	}
	if err != nil {
		p.Remove()
		return nil, err
	}
	return p, nil
}

// What stands in the folder of a place, beside the checkout.
const (
	filesFolder   = "files"
	outputsFolder = "outputs"
	endFile       = "end.json"
)

// place is where one run works. It implements worker.Workplace.
type place struct {
	of       *Workplaces
	run      worker.Run
	folder   string
	program  *program
	checkout *checkout.Checkout
}

func (p *place) path(name string) string { return filepath.Join(p.folder, name) }

// told is what its process is told.
func (p *place) told() Place {
	return Place{
		Place: p.checkout.Place, Files: p.path(filesFolder), Outputs: p.path(outputsFolder), End: p.path(endFile), Environ: p.of.Environ,
	}
}

// Finish implements worker.Workplace.
func (p *place) Finish(ctx context.Context) (json.RawMessage, error) {
	name := fmt.Sprintf("%s/%d", p.run.Run, p.run.Number)
	var result checkout.Result
	err := p.of.Link.Persist(ctx, func() (err error) {
		result, err = p.checkout.Result(ctx, p.of.results, name, p.path(filesFolder))
		return err
	})
	if err != nil {
		return nil, err
	}
	ending, err := os.ReadFile(p.path(endFile))
	if err != nil || !json.Valid(ending) { // there is none, or its process was killed while it wrote
		ending = nil
	}
	return json.Marshal(left{Checkout: result, Ending: ending})
}

// Remove implements worker.Workplace.
func (p *place) Remove() {
	clean := p.program.end()
	if p.checkout != nil {
		if err := p.checkout.Close(clean); err != nil {
			slog.Error("remove the checkout of a run", "run", p.run.Run, "error", err)
		}
	}
	removeAll(p.folder)
}

func removeAll(folder string) {
	if err := os.RemoveAll(folder); err != nil { // the next process tries again
		slog.Error("remove what a run has left", "folder", folder, "error", err)
	}
}
