package app

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/landing"
	"pawl/internal/modeltest"
	"pawl/internal/regular"
	"pawl/internal/rewind"
	"pawl/internal/soaktest"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/tools/apply"
	"pawl/tools/filestore"
	"pawl/tools/folderwatch"
	"pawl/tools/git"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// How many acts a sequence has, and how many sequences follow one another in one folder.
const (
	actsEach      = 6
	sequencesEach = 25
)

// Whatever order writes of several runs, commands, a person's edits, landings and rewinds come in,
// each file holds what a plain model of it says, and what they have replaced is kept.
func TestInAnyOrderOfChangesEachFileIsWhatItMustBe(t *testing.T) {
	worlds := make(chan uint64)
	var played atomic.Int64
	var hands sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		hands.Go(func() {
			for seed := range worlds {
				t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
					w := newFilesWorld(t, seed)
					for range sequencesEach * actsEach {
						w.act()
					}
					played.Add(1)
				})
			}
		})
	}
	for _, seed := range soaktest.Seeds(t, 2, 400) {
		worlds <- seed
	}
	close(worlds)
	hands.Wait()
	soaktest.Tried(t, int(played.Load())*sequencesEach, "sequences of changes of files")
}

// step is what one file held after somebody changed it; nil: nothing stood there.
type step struct {
	act       int
	person    bool
	uncovered bool // what it held before is not kept
	holds     *string
}

// apart is a subagent with a worktree, and what it made of its files.
type apart struct {
	note worktree.Note
	base map[string]string // what the folder's commit holds
	own  map[string]string
}

// filesWorld is a folder in which all of them work, beside a model of it.
type filesWorld struct {
	t        *testing.T
	random   *rand.Rand
	folder   string
	below    string
	store    *filestore.Store
	watches  *folderwatch.Set
	watch    *folderwatch.Watch
	spaces   []*workspace.Workspace // of the parent and of a subagent in the same folder
	trees    *worktree.Trees
	begun    sync.WaitGroup
	log      files.Log
	seq      lifecycle.Seq
	points   []point
	agents   []*apart
	model    map[string][]step
	acts     int
	numbered int
	done     []string
}

// point is a prompt, a landing or a rewind in the log, and the act that it was.
type point struct {
	seq lifecycle.Seq
	act int
}

var filesNamed = []string{"a.txt", "b.txt", "dir/c.txt", "dir/deep/d.txt", "new/e.txt"}

func newFilesWorld(t *testing.T, seed uint64) *filesWorld {
	t.Helper()
	below, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &filesWorld{t: t, random: rand.New(rand.NewPCG(seed, 21)), folder: filepath.Join(below, "shop"), below: below, model: map[string][]step{}}
	soaktest.Again(t, seed)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("acts:\n%s", strings.Join(w.done, "\n"))
		}
	})
	require.NoError(t, os.Mkdir(w.folder, 0o700))
	gittest.Run(t, w.folder, "init", "-q", "-b", "main")
	for _, name := range filesNamed[:3] {
		text := w.lines(name, 12)
		w.put(w.folder, name, text)
		w.model[name] = []step{{person: true, holds: &text}}
	}
	gittest.Run(t, w.folder, "add", ".")
	gittest.Run(t, w.folder, "commit", "-qm", "begin")
	w.store = filestore.New(filepath.Join(below, "files"))
	repository := func(lifecycle.RunID) (git.Repository, error) { return w.repository(), nil }
	w.watches = folderwatch.NewSet(folderwatch.Options{Store: w.store, Repository: func() (git.Repository, error) { return repository("") }})
	var release func()
	w.watch, release = w.watches.Use(w.folder)
	require.Eventually(t, func() bool { return w.watch.Begin(t.Context(), "shell", "first").End(t.Context()) == nil }, modeltest.Patience, time.Millisecond, "a command waits shortly for the first look")
	for range 2 {
		space, err := workspace.Open(w.folder)
		require.NoError(t, err)
		space.Files, space.Changing = w.store, w.watch.Writing
		w.spaces = append(w.spaces, space)
	}
	w.trees = worktree.New(worktree.Options{
		Session: "root", Folder: w.folder, Below: filepath.Join(below, "worktrees"), Go: w.begun.Go, Repository: repository,
	})
	t.Cleanup(func() {
		w.begun.Wait()
		release()
		w.watches.Close()
		for _, space := range w.spaces {
			require.NoError(t, space.Close())
		}
		require.NoError(t, w.store.Close())
	})
	return w
}

func (w *filesWorld) repository() git.Repository {
	return git.Repository{Checkout: git.Look(w.folder), Folder: w.folder, Launcher: &process.Launcher{}}
}

// lines are so many lines that stand nowhere else.
func (w *filesWorld) lines(who string, n int) string {
	var text strings.Builder
	for range n {
		w.numbered++
		fmt.Fprintf(&text, "%s-%d\n", who, w.numbered)
	}
	return text.String()
}

func (w *filesWorld) put(folder, name, text string) {
	w.t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(w.t, os.WriteFile(path, []byte(text), 0o600))
}

// now is what the model says that a file holds.
func (w *filesWorld) now(name string) *string {
	steps := w.model[name]
	if len(steps) == 0 {
		return nil
	}
	return steps[len(steps)-1].holds
}

func (w *filesWorld) changed(name string, person bool, holds *string) {
	if same(w.now(name), holds) {
		return
	}
	w.model[name] = append(w.model[name], step{act: w.acts, person: person, holds: holds})
}

func (w *filesWorld) any() string { return filesNamed[w.random.IntN(len(filesNamed))] }

// record puts an event into the log.
func (w *filesWorld) record(session lifecycle.SessionID, run lifecycle.RunID, event lifecycle.Event) lifecycle.Seq {
	w.seq++
	w.log.Apply(lifecycle.Record{Seq: w.seq, Root: "root", Session: session, Run: run, Event: event})
	return w.seq
}

// edited is a text with some lines of somebody put into it, or one of it changed.
func (w *filesWorld) edited(text, who string) string {
	lines := strings.SplitAfter(text, "\n")
	at := w.random.IntN(len(lines))
	if w.random.IntN(2) == 0 && at < len(lines)-1 && !strings.Contains(lines[at], "person") {
		lines[at] = w.lines(who, 1)
		return strings.Join(lines, "")
	}
	return strings.Join(slices.Insert(lines, at, w.lines(who, 1)), "")
}

// act does something at random, and compares the folder with the model.
func (w *filesWorld) act() {
	w.t.Helper()
	w.acts++
	acts := []func() string{w.write, w.write, w.command, w.command, w.person, w.person, w.person, w.prompt, w.begin, w.work, w.land, w.rewind, w.rewind}
	n := w.random.IntN(len(acts))
	w.done = append(w.done, fmt.Sprintf("%d %s", w.acts, acts[n]()))
	for _, name := range filesNamed {
		w.holds(name)
	}
	w.nothingIsLost()
}

func (w *filesWorld) holds(name string) {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.folder, name))
	if want := w.now(name); want == nil {
		require.ErrorIs(w.t, err, os.ErrNotExist, name)
	} else {
		require.NoError(w.t, err, name)
		require.Equal(w.t, *want, string(text), name)
	}
}

// nothingIsLost finds what this act has replaced, with all that a person wrote into it, in the file
// store.
func (w *filesWorld) nothingIsLost() {
	w.t.Helper()
	for name, steps := range w.model {
		for i, s := range steps {
			if i > 0 && s.act == w.acts && !s.person && !s.uncovered && steps[i-1].act < w.acts && steps[i-1].holds != nil {
				require.True(w.t, w.store.Has(filestore.Hash([]byte(*steps[i-1].holds))), "%s: what it held is lost", name)
			}
		}
	}
}

// prompt is a person's, to which one can go back.
func (w *filesWorld) prompt() string {
	seq := w.record("root", lifecycle.RunID(fmt.Sprintf("r%d", w.acts)), lifecycle.Spawned{
		Spec: lifecycle.Spec{Root: "root", Prompt: "go on", From: lifecycle.FromUser, Trigger: lifecycle.TriggerUser},
	})
	w.points = append(w.points, point{seq, w.acts})
	return "a prompt"
}

// write is a file tool's, of the parent or of a subagent.
func (w *filesWorld) write() string {
	name, who := w.any(), w.random.IntN(2)
	text := w.lines("tool", 3)
	if before := w.now(name); before != nil && w.random.IntN(3) > 0 {
		text = w.edited(*before, "tool")
	}
	run := lifecycle.RunID(fmt.Sprint("writer", who))
	c, err := w.spaces[who].Apply(run, lifecycle.NewCallID(), func() (workspace.Change, error) {
		path, old, err := w.spaces[who].Target(name)
		if absent := new(workspace.AbsentError); err != nil && !asAbsent(err, &absent) {
			return workspace.Change{}, err
		}
		return workspace.Change{Path: path, Old: old, Data: []byte(text)}, nil
	})
	require.NoError(w.t, err)
	if c.Changed != nil {
		w.record(lifecycle.SessionID(fmt.Sprint("session", who)), run, *c.Changed)
		c.OnRecorded()
	}
	w.changed(name, false, &text)
	return fmt.Sprintf("%s writes %s", run, name)
}

// command changes some files as a program would.
func (w *filesWorld) command() string {
	before := map[string]*string{}
	for _, name := range filesNamed {
		before[name] = w.now(name)
	}
	// What others have changed is looked at before, as it is while a model thinks.
	require.Nil(w.t, w.watch.Begin(context.Background(), "shell", "look").End(context.Background()))
	c := w.watch.Begin(context.Background(), "shell", lifecycle.NewCallID())
	says := "a command"
	for range 1 + w.random.IntN(2) {
		name := w.any()
		if before := w.now(name); before != nil && w.random.IntN(3) == 0 {
			require.NoError(w.t, os.Remove(filepath.Join(w.folder, name)))
			w.changed(name, false, nil)
			says += " removes " + name
			continue
		}
		text := w.lines("command", 2)
		if before := w.now(name); before != nil {
			text = *before + text
		}
		w.put(w.folder, name, text)
		w.changed(name, false, &text)
		says += " writes " + name
	}
	changed := c.End(context.Background())
	for _, name := range filesNamed {
		if same(before[name], w.now(name)) { // what came and went again is no change
			w.model[name] = slices.DeleteFunc(w.model[name], func(s step) bool { return s.act == w.acts })
		}
	}
	if !slices.ContainsFunc(filesNamed, func(name string) bool { return !same(before[name], w.now(name)) }) {
		require.Nil(w.t, changed)
		return says + ", which is nothing"
	}
	require.NotNil(w.t, changed, says)
	require.Empty(w.t, changed.Unwatched)
	w.record("session0", "shell", *changed)
	for _, f := range changed.Files {
		says += fmt.Sprintf(" %s %.4s>%.4s", f.Path, f.Before.Hash, f.After.Hash)
		if f.Uncovered != "" { // a person saved it just before
			for i := range w.model[f.Path] {
				w.model[f.Path][i].uncovered = w.model[f.Path][i].uncovered || w.model[f.Path][i].act == w.acts
			}
			says += " (not covered: " + f.Path + ")"
		}
	}
	return says
}

// person edits a file, or makes it.
func (w *filesWorld) person() string {
	name := w.any()
	text := w.lines("person", 2)
	if before := w.now(name); before != nil {
		text = w.edited(*before, "person")
	}
	w.put(w.folder, name, text)
	w.changed(name, true, &text)
	return "a person edits " + name
}

// begin sends a subagent into a worktree.
func (w *filesWorld) begin() string {
	if len(w.agents) >= 2 {
		return "no worktree"
	}
	w.numbered++
	name := fmt.Sprintf("agent-%d", w.numbered)
	a := &apart{base: map[string]string{}, own: map[string]string{}, note: worktree.Note{
		Path: filepath.Join(w.below, "worktrees", "root", name), Branch: "pawl/" + name, Top: w.folder, Folder: w.folder,
		Base: strings.TrimSpace(gittest.Run(w.t, w.folder, "rev-parse", "HEAD")), Session: "root", Agent: lifecycle.SessionID(name), Ready: true,
	}}
	gittest.Run(w.t, w.folder, "worktree", "add", "-q", "-b", a.note.Branch, a.note.Path)
	require.NoError(w.t, a.note.Save())
	for _, name := range filesNamed {
		if text, err := os.ReadFile(filepath.Join(a.note.Path, name)); err == nil {
			a.base[name], a.own[name] = string(text), string(text)
		}
	}
	w.agents = append(w.agents, a)
	return "a worktree for " + name
}

// work has a subagent change a file in its worktree.
func (w *filesWorld) work() string {
	if len(w.agents) == 0 {
		return "nobody works apart"
	}
	a, name := w.agents[w.random.IntN(len(w.agents))], w.any()
	text, there := a.own[name]
	if !there {
		text = w.lines("apart", 4)
	}
	a.own[name] = w.edited(text, "apart")
	w.put(a.note.Path, name, a.own[name])
	return fmt.Sprintf("%s changes %s in its worktree", a.note.Agent, name)
}

// land brings what a subagent has changed into the folder.
func (w *filesWorld) land() string {
	if len(w.agents) == 0 {
		return "nothing to land"
	}
	n := w.random.IntN(len(w.agents))
	a := w.agents[n]
	p, err := landing.Make(w.t.Context(), landing.Source{Repository: w.repository(), Note: a.note, Scratch: w.below}, landing.Choice{})
	require.NoError(w.t, err)
	defer p.Close()
	seq := w.seq + 1
	landed, err := p.Land(w.t.Context(), landing.Target{
		Contents: w.store, Journal: filepath.Join(w.below, "journal"), After: w.seq, Trees: w.trees,
		Record: func(_ context.Context, l lifecycle.Landed) error {
			w.record(a.note.Agent, "apart", l)
			return nil
		},
	}, landing.Wish{})
	if err != nil {
		require.ErrorIs(w.t, err, landing.ErrNothing)
	} else {
		w.points = append(w.points, point{seq, w.acts})
		w.known(landed.Files)
	}
	for _, name := range filesNamed {
		if merged := w.merged(a, name); merged != nil {
			w.changed(name, false, merged)
		}
	}
	if landed.Removed {
		w.agents = slices.Delete(w.agents, n, n+1)
	}
	return fmt.Sprintf("%s is landed: %d files, %v left, %v", a.note.Agent, len(landed.Files), landed.Left, err)
}

// known tells the watch what was put in place, as the session does.
func (w *filesWorld) known(changes []lifecycle.FileChange) {
	w.watch.Known(lifecycle.FilesChanged{Folder: w.folder, Files: changes})
}

// merged is what a file holds once it is landed; nil: it is not.
func (w *filesWorld) merged(a *apart, name string) *string {
	base, inBase := a.base[name]
	own, inOwn := a.own[name]
	now := w.now(name)
	switch {
	case !inOwn || inBase && base == own:
		return nil
	case !inBase && now == nil, inBase && now != nil && *now == base:
		return &own
	case !inBase || now == nil:
		return nil
	}
	side := w.t.TempDir()
	for name, text := range map[string]string{"now": *now, "base": base, "own": own} {
		w.put(side, name, text)
	}
	done, err := (&process.Launcher{}).Run(w.t.Context(), process.Command{Name: "git", Args: []string{"merge-file", "now", "base", "own"}, Folder: side})
	require.NoError(w.t, err)
	if done.ExitCode != 0 {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(side, "now"))
	require.NoError(w.t, err)
	result := string(text)
	return &result
}

// rewind takes files back to before a point.
func (w *filesWorld) rewind() string {
	if len(w.points) == 0 {
		return "nothing to go back to"
	}
	to := w.points[w.random.IntN(len(w.points))]
	root, err := regular.OpenRoot(w.folder)
	require.NoError(w.t, err)
	defer root.Close()
	plan := rewind.Make(w.folder, to.seq, "", w.log.TakeBack(w.folder, to.seq, ""), rewind.Disk{
		Read: func(path string) (lifecycle.FileState, error) { return apply.Look(root, path) }, Has: w.store.Has,
	})
	rewound := lifecycle.Rewound{Operation: lifecycle.NewOperationID(), To: to.seq, Folder: w.folder, Files: plan.Changes(), Skipped: plan.Skipped()}
	set := apply.Set{Operation: rewound.Operation, Folder: w.folder, After: w.seq}
	for _, c := range rewound.Files {
		set.Files = append(set.Files, apply.File{Path: c.Path, Expect: c.Before, Want: c.After})
	}
	_, err = apply.Run(w.t.Context(), filepath.Join(w.below, "journal"), w.store, set, func(context.Context) error {
		w.points = append(w.points, point{w.record("root", "r", rewound), w.acts})
		return nil
	})
	require.NoError(w.t, err)
	w.known(rewound.Files)
	for _, name := range filesNamed {
		if back, moves := w.before(name, to.act); moves {
			w.changed(name, false, back)
		}
	}
	says := fmt.Sprintf("back to before act %d: %s", to.act, plan.Says())
	for _, f := range plan.Files {
		says += fmt.Sprintf("; %s %s %s %.4s>%.4s", f.Path, f.State, f.Why, f.Now.Hash, f.Want.Hash)
	}
	return says
}

// before is what a rewind makes of a file: what it held before the first change since an act, if no
// person has changed it since then.
func (w *filesWorld) before(name string, act int) (holds *string, moves bool) {
	steps := w.model[name]
	first := slices.IndexFunc(steps, func(s step) bool { return s.act >= act && !s.person })
	if first < 0 || slices.ContainsFunc(steps[first:], func(s step) bool { return s.person || s.uncovered }) {
		return nil, false
	}
	if first == 0 {
		return nil, true
	}
	return steps[first-1].holds, true
}

func asAbsent(err error, absent **workspace.AbsentError) bool { return errors.As(err, absent) }

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
