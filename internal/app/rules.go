package app

import (
	"fmt"
	"slices"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/agent/permission"
	"pawl/agent/permission/grants"
	"pawl/internal/base"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/git"
	"pawl/tools/process"
	"pawl/tools/process/sandbox"
)

// rules are what binds a run, in whichever process it works.
type rules struct {
	Type        agent.Type          `json:"type"` // of a subagent
	Mode        permission.Mode     `json:"mode"`
	Permissions permission.Rules    `json:"permissions"`
	MaxSteps    int                 `json:"max_steps"`
	Budget      agent.Budget        `json:"budget"`
	Containment process.Containment `json:"containment"`
	Sandbox     sandbox.Policy      `json:"sandbox"` // of its commands
	Hide        bool                `json:"hide"`    // Pawl's memory from what it starts
	Fetch       []string            `json:"fetch"`   // what fetch may reach beside the open internet
	Hooks       []hook.Spec         `json:"hooks,omitempty"`
	Wary        bool                `json:"wary"` // the folder is not trusted: see permit
	Folder      string              `json:"folder"`

	// Alone: it may be in the background, with nobody by its side. Where that is not so
	// what asks for this reason alone is answered by those who know (Session.bounds).
	Alone bool `json:"alone"`

	now func() permission.Mode // the mode of a call, of which a process of its own asks this one; nil: Mode
	// always are further allow rules, those that the user has added by answering. They
	// change while a run works; a process of its own asks this one, which knows them.
	always func() []permission.AllowRule
	tree   *worktree.Own                      // the worktree that Pawl made for the run; nil: none
	first  func() bool                        // whether nobody has asked this before; nil: somebody has
	around func(folder string) (ended func()) // its commands; nil: who started this process does it
}

// rules are those of today, also for a run of a session that began under others.
func (h *Session) rules(run lifecycle.Run) (rules, error) {
	r := rules{
		Mode: h.Choices.Mode(), Permissions: h.Settings.Permissions, MaxSteps: h.Settings.Limits.MaxSteps, Budget: h.budget(),
		Containment: process.Containment(h.Settings.Tools.Containment), Fetch: h.Settings.Fetch.Allow, always: h.Allowed.Rules,
		Sandbox: base.Sandbox(h.Settings, h.Folders), Hide: !h.Settings.Tools.Debuggable, Alone: run.Background,
		Hooks: h.Settings.Programs, first: h.first, Wary: h.wary,
		Folder: h.World.Folder,
	}
	r.now, r.around, r.Sandbox.Keep = h.Choices.Mode, h.leavings.Around, h.Project.Checkout.Included
	if !run.Subagent() {
		return r, nil
	}
	var err error
	r.Folder = run.Folder
	r.Type, err = h.typeOf(run)
	r.Mode = permission.Stricter(r.Mode, permission.Mode(r.Type.Mode))
	r.now = func() permission.Mode { return permission.Stricter(h.Choices.Mode(), permission.Mode(r.Type.Mode)) }
	r.tree = h.trees.OwnOf(run)
	r.MaxSteps = fewest(r.Type.MaxSteps, r.MaxSteps)
	return r, err
}

// launcher is what starts Pawl's own programs for a run, and those that the user has
// agreed to.
func (r rules) launcher(run lifecycle.Run) *process.Launcher {
	return &process.Launcher{Owner: run.ID, Containment: r.Containment, Hide: r.Hide}
}

// commands is what starts what a run's model wants to run.
func (r rules) commands(run lifecycle.Run) *process.Launcher {
	l := r.launcher(run)
	l.Sandbox, l.Around = &r.Sandbox, r.around
	return l
}

// typeOf is the type of a subagent's run, as it is today. One that is gone is an
// error: what it was not to have would be free.
func (h *Session) typeOf(run lifecycle.Run) (agent.Type, error) {
	kind, known := agent.FindType(h.Types.Types, run.Type)
	if !known {
		return kind, fmt.Errorf("its type %q no longer exists: pawl agents lists the types; restore its file, or start another subagent", run.Type)
	}
	return kind, nil
}

// equip adds to a run's equipment what is its own alone.
func (r rules) equip(run lifecycle.Run, e tools.Equipment) (tools.Equipment, error) {
	e.Launcher = r.commands(run)
	var err error
	e.Web, err = base.NewWeb(r.Fetch)
	return e, err
}

// budget is the user's limits as the loop counts them.
func (h *Session) budget() agent.Budget {
	limits := h.Settings.Limits
	return agent.Budget{
		Run:     agent.Allowance{Cost: limits.RunMaxCost, Tokens: int64(limits.RunMaxTokens)},
		Session: agent.Allowance{Cost: limits.MaxCost, Tokens: int64(limits.MaxTokens)},
	}
}

// fewest is the narrower of two limits, of which 0 is none.
func fewest(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// permit is agent.Kit's. In a folder that is not trusted no rule allows a command:
// what it runs may be somebody else's (git's settings, scripts). Bypass is the user's
// word for this very session, and stays.
func (r rules) permit(effect agent.Effect) agent.Decision {
	decision, reason := r.today().Decide(r.mode(), effect)
	switch {
	case decision != permission.Allow && r.reads(effect):
		return agent.Decision{Allow: true, Environ: git.Reading()}
	case decision == permission.Deny:
		return agent.Decision{Reason: reason}
	case decision == permission.Ask && permission.Protected(effect):
		return agent.Decision{Ask: true, Delicate: reason}
	case decision == permission.Ask && reason == "":
		return r.unasked(effect)
	case decision == permission.Ask:
		return agent.Decision{Ask: true, Reason: reason}
	case r.distrusted(effect):
		return agent.Decision{Ask: true, Reason: notTrusted}
	case r.unconfined(effect):
		return agent.Decision{Ask: true, Reason: noSandbox}
	}
	return agent.Decision{Allow: true}
}

// mode is the one that holds now.
func (r rules) mode() permission.Mode {
	if r.now != nil {
		return r.now()
	}
	return r.Mode
}

// distrusted says that an effect is a command in a folder that is not trusted.
func (r rules) distrusted(effect agent.Effect) bool {
	return r.Wary && effect.Kind == agent.EffectShell && r.mode() != permission.Bypass
}

// notTrusted is why a command is asked about that a rule or the mode would allow.
const notTrusted = "the folder is not trusted: its git settings or scripts may run something else with it"

// propose is agent.Kit's.
func (r rules) propose(effect agent.Effect) []string {
	var texts []string
	for _, rule := range r.proposed(effect) {
		texts = append(texts, rule.String())
	}
	return texts
}

// proposed are the rules that would allow an effect from now on.
func (r rules) proposed(effect agent.Effect) []permission.AllowRule {
	if r.Wary && effect.Kind == agent.EffectShell {
		return nil // it would not hold
	}
	return r.today().Propose(r.mode(), effect)
}

// bounds are the same rules for what is asked of a person.
func (r rules) bounds(run lifecycle.Run) grants.Bounds {
	return grants.Bounds{
		Today:  func() (permission.Rules, permission.Mode) { return r.today(), r.mode() },
		Permit: r.permit, Propose: r.proposed, Hooks: r.hooks(run),
		Exposed: func(effect agent.Effect) bool { return r.distrusted(effect) || r.unconfined(effect) },
	}
}

// bounds are those of a run, of today.
func (h *Session) bounds(run lifecycle.Run) (grants.Bounds, error) {
	r, err := h.rules(run)
	return r.bounds(run), err
}

// today are the rules with those that were added by answering.
func (r rules) today() permission.Rules {
	all := r.Permissions
	if r.always != nil {
		all.Allow = slices.Concat(all.Allow, r.always())
	}
	return all
}
