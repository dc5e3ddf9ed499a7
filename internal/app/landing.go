package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pawl/internal/base"
	"pawl/internal/landing"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/git"
)

// LandingPlan works out what landing a subagent's worktree would do to the folder as it is now. Nothing
// is changed. Without an agent it is that of the only one that has left something to land. The caller
// must Close the plan. It is safe from any goroutine.
func (h *Session) LandingPlan(ctx context.Context, agent lifecycle.SessionID, choice landing.Choice) (*landing.Plan, error) {
	run, err := h.landingRun(ctx, agent)
	if err != nil {
		return nil, err
	}
	note, repository, err := h.landingSource(ctx, run)
	if err != nil {
		return nil, err
	}
	return landing.Make(ctx, landing.Source{Repository: repository, Note: note, Scratch: h.trees.Scratch(), Read: h.Files.Read}, choice)
}

// Land lands what a subagent changed in its worktree, as far as the wish goes and git can merge it. The
// result has the plan, also where nothing was landed: landing.ErrNothing. Other errors mean that nothing
// was changed. It is safe from any goroutine.
func (h *Session) Land(ctx context.Context, agent lifecycle.SessionID, wish landing.Wish) (landing.Result, error) {
	h.placing.Lock()
	defer h.placing.Unlock()
	run, err := h.landingRun(ctx, agent)
	if err != nil {
		return landing.Result{}, err
	}
	plan, err := h.LandingPlan(ctx, run.Session, wish.Choice)
	if err != nil {
		return landing.Result{}, err
	}
	defer plan.Close()
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return landing.Result{}, err
	}
	for _, one := range snapshot.Runs {
		if one.UserShell() && one.Parent == run.Session && !one.State.Terminal() {
			return landing.Result{}, fmt.Errorf("your command %q still runs in its worktree: stop it first, or wait until it has ended", one.Description)
		}
	}
	var landed lifecycle.Landed
	result := landing.Result{Plan: plan}
	err = h.byPerson(plan.Folder, plan.Changes(), func() (err error) {
		landed, err = plan.Land(ctx, landing.Target{
			Contents: h.Files, Journal: base.JournalOf(h.Base, h.Root), After: snapshot.Seq, Trees: h.trees,
			Recorded: func(o lifecycle.OperationID) (bool, error) { return hasOperation(ctx, h.Base, h.Root, o) },
			Warn:     func(text string) { result.Warning = text },
			Record: func(ctx context.Context, landed lifecycle.Landed) error {
				return h.Supervisor.RecordLanded(ctx, run.Session, landed, landing.Tell(landed, run.Session, run.Description))
			},
		}, wish)
		return err
	})
	if err == nil {
		result.Landed = &landed
	}
	return result, err
}

// SendBack sends what git could not merge back to the subagent, which is to bring its worktree up to
// date. It is safe from any goroutine.
func (h *Session) SendBack(ctx context.Context, agent lifecycle.SessionID, choice landing.Choice) (*landing.Plan, error) {
	plan, err := h.LandingPlan(ctx, agent, choice)
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	return plan, plan.SendBack(h.Files, func(text string) error {
		_, err := h.Supervisor.Do(ctx, lifecycle.Send{Session: plan.Agent, Text: text})
		return err
	})
}

// landingRun is the newest run of the subagent that is meant.
func (h *Session) landingRun(ctx context.Context, agent lifecycle.SessionID) (lifecycle.Run, error) {
	if _, err := h.Opening.Wait(ctx); err != nil {
		return lifecycle.Run{}, err
	}
	snapshot, err := h.Supervisor.Snapshot(h.Root)
	if err != nil {
		return lifecycle.Run{}, err
	}
	if agent != "" && agent != h.Root {
		run, known := snapshot.Latest(agent)
		if !known || !run.Subagent() {
			return run, system.Usage(fmt.Sprintf("session %s has no subagent %s", h.Root, agent))
		}
		return run, landable(run)
	}
	var found []lifecycle.Run
	var names []string
	for _, run := range snapshot.Runs {
		if latest, _ := snapshot.Latest(run.Session); latest.ID == run.ID && run.Subagent() && run.ToLand() {
			found = append(found, run)
			names = append(names, fmt.Sprintf("%s (%s)", run.Session, run.Description))
		}
	}
	switch len(found) {
	case 0:
		return lifecycle.Run{}, errors.New("no subagent of this session has left changes in a worktree to land")
	case 1:
		return found[0], nil
	}
	return lifecycle.Run{}, system.Usage("which subagent's changes? name one with --agent: " + strings.Join(names, ", "))
}

// landable says in one line why what a subagent changed cannot be landed now; nil: it can.
func landable(run lifecycle.Run) error {
	who := fmt.Sprintf("the subagent %q", words.CutLine(run.Description, 60))
	switch {
	case !run.Apart():
		return fmt.Errorf("%s worked in the folder itself, so there is nothing to land", who)
	case !run.State.Terminal():
		return fmt.Errorf("%s is still at work in its worktree: stop it, or wait until it has ended, and land then", who)
	case run.Landing != nil && run.Landing.Removed:
		return fmt.Errorf("everything that %s changed is landed, and its worktree is removed", who)
	case run.Worktree != nil && !run.Worktree.Kept:
		return fmt.Errorf("%s changed nothing in its worktree, so there is nothing to land", who)
	}
	return nil
}

// landingSource is the worktree of a run, and git for it.
func (h *Session) landingSource(ctx context.Context, run lifecycle.Run) (worktree.Note, git.Repository, error) {
	note, found, err := h.trees.Find(run.Session)
	if err != nil {
		return note, git.Repository{}, err
	}
	if !found && run.Worktree != nil {
		if other := worktree.Stayed(h.Folders.Worktrees(), h.Root, run.Worktree.Path, run.Branch); other != "" {
			return note, git.Repository{}, fmt.Errorf("the worktree of the subagent %q stayed with session %s, which this one was forked from: land it there", words.CutLine(run.Description, 60), other)
		}
	}
	if !found || !note.There() {
		return note, git.Repository{}, fmt.Errorf("the worktree of the subagent %q is gone, so there is nothing to land", words.CutLine(run.Description, 60))
	}
	repository, err := h.Project.Repository(h.launcher(""))
	if err == nil && repository.Checkout.Top == "" {
		err = fmt.Errorf("%s is no longer in a git checkout, so nothing can be landed in it", h.World.Folder)
	}
	return note, repository, err
}
