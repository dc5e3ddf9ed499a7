package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/agent/permission"
	"pawl/agent/permission/grants"
	"pawl/internal/base"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools"
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
	Sandbox     sandbox.Policy      `json:"sandbox"`  // of its commands
	Withheld    []string            `json:"withheld"` // variables that no program of a model gets
	Hide        bool                `json:"hide"`     // hide Pawl's memory from what it starts
	Fetch       []string            `json:"fetch"`    // what fetch may reach besides the open internet
	Hooks       []hook.Spec         `json:"hooks,omitempty"`
	Untrusted   bool                `json:"untrusted"` // the folder is not trusted: see permit
	Folder      string              `json:"folder"`
	Home        string              `json:"home"`  // the session's folder, where this is not the run's own
	Trees       string              `json:"trees"` // where the session's worktrees are

	// Room is what the tools of MCP servers may take: see tools.RoomForServers.
	Room int64 `json:"room"`

	// Narrow is what a command that a person typed leaves the run. Skills are those that its model is
	// told of.
	Narrow permission.Narrowing `json:"narrow,omitempty"`
	Skills skillsTold           `json:"skills"`

	// Alone: the run may be in the background, with nobody watching. If that is not so,
	// questions for this reason alone are answered by Session.bounds.
	Alone bool `json:"alone"`

	now func() permission.Mode // the current mode, which a run in another process asks this process for; nil: Mode
	// always returns the allow rules that the user has added by answering. They change while a
	// run works; a run in another process asks this process, which knows them.
	always    func() []permission.AllowRule
	tree      *worktree.Own                                           // the worktree that Pawl created for the run; nil: none
	today     func(context.Context) (lifecycle.DayCost, error)        // agent.Kit.Today
	asked     func(context.Context, agent.HookInput) agent.HookResult // runs the hooks elsewhere; nil: Hooks are run here
	hooksIn   string                                                  // the folder of the hooks of a run whose own is on another machine; empty: its own
	firstCall func() bool                                             // true for the first caller only; nil: never
	around    func(folder string) (ended func())                      // called around its commands; nil: the parent process does that
	refused   *refusedLines                                           // of its session, in this process; nil: nothing is remembered
}

// rules returns today's rules for a run, even if its session began under others.
func (h *Session) rules(run lifecycle.Run) (rules, error) {
	r := rules{
		Mode: h.Choices.Mode(), Permissions: h.Settings.Permissions, MaxSteps: h.Settings.Limits.MaxSteps, Budget: h.budget(),
		Containment: process.Containment(h.Settings.Tools.Containment), Fetch: h.Settings.Fetch.Allow, always: h.Allowed.Rules,
		Sandbox: base.Sandbox(h.Settings, h.Folders), Hide: !h.Settings.Tools.Debuggable, Alone: run.Background,
		Withheld: h.Models.Withheld(),
		Hooks:    h.Settings.Programs, firstCall: h.firstCall, Untrusted: h.untrusted,
		Folder: h.World.Folder, Home: h.World.Folder, Trees: filepath.Join(h.Folders.Worktrees(), string(h.Root)),
	}
	r.now, r.around, r.Sandbox.Keep = h.Choices.Mode, h.changes.Around, h.Project.Checkout.Included
	r.today, r.refused = h.today, &h.refused
	r.Room = tools.RoomForServers(h.Settings.Tools.Search, h.Models.Info(run.Model).Context)
	var err error
	if r.Narrow, err = permission.ParseNarrowing(run.Allowed); err != nil {
		return r, fmt.Errorf("the allowed-tools of the command that started this run cannot be read: %w", err)
	}
	if !run.Subagent() {
		r.Skills = h.tellSkills(nil)
		return r, nil
	}
	r.Folder = run.Folder
	r.Type, err = h.typeOf(run)
	r.Mode = permission.Stricter(r.Mode, permission.Mode(r.Type.Mode))
	r.now = func() permission.Mode { return permission.Stricter(h.Choices.Mode(), permission.Mode(r.Type.Mode)) }
	r.tree = h.trees.OwnOf(run)
	if run.Remote() {
		r.hooksIn = h.World.Folder
	}
	r.MaxSteps = stricter(r.Type.MaxSteps, r.MaxSteps)
	r.Skills = h.tellSkills(&r.Type)
	return r, err
}

// launcher starts Pawl's own programs, and those that the user has agreed to, for no run or for
// the one that owns what they start.
func (h *Session) launcher(owner lifecycle.RunID) *process.Launcher {
	return &process.Launcher{
		Owner: owner, Withheld: h.Models.Withheld(), Containment: process.Containment(h.Settings.Tools.Containment), Hide: !h.Settings.Tools.Debuggable,
		Writable: append([]string{h.World.Folder}, h.Settings.Sandbox.Paths()...),
	}
}

// launcher starts Pawl's own programs for a run, and those that the user has agreed to.
func (r rules) launcher(run lifecycle.Run) *process.Launcher {
	return &process.Launcher{Owner: run.ID, Withheld: r.Withheld, Containment: r.Containment, Hide: r.Hide, Writable: r.writable()}
}

// writable are the folders in which models may write, worktrees of others aside.
func (r rules) writable() []string { return slices.Concat([]string{r.Folder, r.Home}, r.Sandbox.Write) }

// commands starts what a run's model wants to run.
func (r rules) commands(run lifecycle.Run) *process.Launcher {
	l := r.launcher(run)
	l.Sandbox, l.Around, l.Hidden, l.Refused = &r.Sandbox, r.around, r.hidden, r.refused.note
	return l
}

// userCommands starts what the user wants to run themselves. It is as in their own shell: there is no
// sandbox, no rule and no question, in a folder that is not trusted too, and they see their other
// processes. Two things are not: no key of a provider is in its environment, and nothing of it outlives
// Pawl.
func (r rules) userCommands(run lifecycle.Run) *process.Launcher {
	l := r.launcher(run)
	l.Containment = l.Containment.Unsealed()
	return l
}

// typeOf is the current type of a subagent's run. A type that no longer exists is an error:
// otherwise its restrictions would be lost.
func (h *Session) typeOf(run lifecycle.Run) (agent.Type, error) {
	kind, known := agent.FindType(h.Types.Types, run.Type)
	if !known {
		return kind, fmt.Errorf("its type %q no longer exists: pawl agents lists the types; restore its file, or start another subagent", run.Type)
	}
	return kind, nil
}

// equip adds to a run's equipment what it does not share.
func (r rules) equip(run lifecycle.Run, e tools.Equipment) (tools.Equipment, error) {
	e.Launcher = r.commands(run)
	var err error
	e.Web, err = base.NewWeb(r.Fetch)
	return e, err
}

func (h *Session) budget() agent.Budget {
	limits := h.Settings.Limits
	return agent.Budget{
		Run:     agent.Allowance{Cost: limits.RunMaxCost, Tokens: int64(limits.RunMaxTokens)},
		Session: agent.Allowance{Cost: limits.MaxCost, Tokens: int64(limits.MaxTokens)},
		Day:     limits.DayMaxCost,
	}
}

// today implements agent.Kit.Today, from what every process has written to the database.
func (h *Session) today(ctx context.Context) (lifecycle.DayCost, error) {
	return h.Store.DayCost(ctx, time.Now())
}

// stricter is the stricter of two limits, where 0 means none.
func stricter(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// permit implements agent.Kit.Permit. In an untrusted folder no rule allows a command: it may
// run something else (git's settings, scripts). Bypass was chosen by the user for this very
// session and still applies.
func (r rules) permit(effect agent.Effect) agent.Decision {
	decision, reason := r.current().Decide(r.mode(), effect)
	switch {
	case !r.Narrow.Covers(effect) && !r.reads(effect):
		return agent.Decision{Reason: r.narrowed()}
	case decision != permission.Allow && r.reads(effect):
		return r.read()
	case decision == permission.Deny:
		return agent.Decision{Reason: reason}
	case decision == permission.Ask && permission.Protected(effect):
		return agent.Decision{Ask: true, AlwaysAsk: reason}
	case decision == permission.Ask && reason == "":
		return r.unspoken(effect)
	case decision == permission.Ask:
		return agent.Decision{Ask: true, Reason: reason}
	case r.distrusted(effect):
		return agent.Decision{Ask: true, Reason: notTrusted}
	case r.unconfined(effect):
		return agent.Decision{Ask: true, Reason: noSandbox}
	}
	return agent.Decision{Allow: true}
}

// search implements agent.Kit.Search.
func (r rules) search() *agent.WebSearch {
	if !r.Type.Allows(agent.WebSearchTool) || !r.Narrow.Search() {
		return nil
	}
	return r.current().Search(r.mode())
}

func (r rules) mode() permission.Mode {
	if r.now != nil {
		return r.now()
	}
	return r.Mode
}

// distrusted reports that an effect is a command in an untrusted folder.
func (r rules) distrusted(effect agent.Effect) bool {
	return r.Untrusted && effect.Kind == agent.EffectShell && r.mode() != permission.Bypass
}

// notTrusted is why a command is asked about although a rule or the mode would allow it.
const notTrusted = "the folder is not trusted: its git settings or scripts may run something else with it"

// propose implements agent.Kit.Propose.
func (r rules) propose(effect agent.Effect) []string {
	var texts []string
	for _, rule := range r.proposed(effect) {
		texts = append(texts, rule.String())
	}
	return texts
}

// proposed are the rules that would allow an effect from now on.
func (r rules) proposed(effect agent.Effect) []permission.AllowRule {
	if r.Untrusted && effect.Kind == agent.EffectShell {
		return nil // such a rule would not apply
	}
	return r.current().Propose(r.mode(), effect)
}

func (r rules) bounds(run lifecycle.Run) grants.Bounds {
	return grants.Bounds{
		Today:  func() (permission.Rules, permission.Mode) { return r.current(), r.mode() },
		Permit: r.permit, Propose: r.proposed, Hooks: r.hooks(run),
		Exposed: func(effect agent.Effect) bool { return r.distrusted(effect) || r.unconfined(effect) },
	}
}

// bounds returns the current rules of a run for questions to a person.
func (h *Session) bounds(run lifecycle.Run) (grants.Bounds, error) {
	r, err := h.rules(run)
	return r.bounds(run), err
}

// current returns the rules including those added by answering.
func (r rules) current() permission.Rules {
	all := r.Permissions
	if r.always != nil {
		all.Allow = slices.Concat(all.Allow, r.always())
	}
	return all
}
