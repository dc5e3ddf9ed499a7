package host

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/types"
	"pawl/export/formats"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/mcp"
	"pawl/ui"
)

// askedOnScreen is how long a server may take to list its models for the screen, which shows
// known ones from the start.
const askedOnScreen = 5 * time.Second

// screenCommands gives the screen what its typed commands need.
func (h *screen) screenCommands(options *ui.Options) {
	options.Commands = ui.Commands{
		Sessions: h.listSessions, Peek: h.peekSession, Prompts: h.prompts, Fork: h.fork,
		Openable: func(ctx context.Context, session lifecycle.SessionID) error { return openable(ctx, h.Base, session) },
		Models:   h.listModels, SetModel: h.setModel, Priced: func(model string) bool {
			traits := h.Models.Info(model)
			return traits.Priced() || traits.Free
		},
		Efforts: h.listEfforts, SetEffort: h.setEffort,
		Types: h.listTypes, Servers: h.listServers, Context: h.Context,
		Modes: modesSaid(), SetMode: h.setMode,
		Others: h.otherCommands, IsOther: h.IsCommand,
		Formats: formats.All(), Nearest: words.Nearest, Hello: h.hello,
	}
}

// otherCommands are the commands of files, skills and servers.
func (h *screen) otherCommands() []ui.Other {
	var all []ui.Other
	for _, c := range h.TypedCommands() {
		all = append(all, ui.Other{Name: c.Name, Description: c.Description, Hint: c.Hint, Source: base.ShortPath(c.Source)})
	}
	return all
}

// listModels returns the known models at once or, if ask is set, what the servers offer. For a
// server that cannot be asked it returns what Pawl and the user's settings know.
func (h *screen) listModels(ctx context.Context, ask bool) ui.Models {
	inUse := h.Choices.Model()
	set := h.Models.Servers(inUse)
	var asked []models.Listing
	if ask {
		asked = h.Models.List(ctx, set, askedOnScreen)
	}
	found := models.NewCatalog(h.Models, asked, inUse, "", false)
	var list ui.Models
	named := map[string]bool{}
	for _, one := range append(found.Models, unaskedOf(h.Models, set, asked, inUse)...) {
		if !named[one.Model] && h.Models.Missing(one.Model) == "" {
			named[one.Model] = true
			list.Known = append(list.Known, h.said(one))
		}
	}
	for _, f := range found.Failed {
		list.Trouble = append(list.Trouble, f.Explained())
	}
	if len(set) == 0 {
		list.Trouble = []string{"no key is set: " + words.Alternatives(found.Unset) + " opens others, when Pawl is started again; so does pawl login NAME, in a shell, at once"}
	}
	return list
}

// unaskedOf lists the models that Pawl itself knows, of servers that have not answered.
func unaskedOf(m *models.Set, set []models.Provider, asked []models.Listing, inUse string) []models.Row {
	var rows []models.Row
	for _, p := range set {
		if slices.ContainsFunc(asked, func(l models.Listing) bool { return l.Err == nil && l.Provider.Name == p.Name }) {
			continue
		}
		var names []string
		if p.Fallback != "" {
			names = append(names, p.Name+"/"+p.Fallback)
		}
		for _, name := range agent.ListedModels() {
			if m.Sells(p, name) {
				names = append(names, p.Name+"/"+name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(m.Table)) {
			if strings.HasPrefix(name, p.Name+"/") && !strings.HasSuffix(name, "*") {
				names = append(names, name)
			}
		}
		for _, name := range names {
			rows = append(rows, m.NewRow(name, m.Info(name), inUse))
		}
	}
	return rows
}

func (h *screen) said(one models.Row) ui.Model {
	row := one.Cells()
	return ui.Model{
		Name: one.Model, Context: one.Context, Takes: row[3], Price: row[4],
		Demo: one.Model == models.Demo, Unready: h.Models.Unready(one.Model),
	}
}

// setModel sets and stores the model of the parent's next runs.
func (h *screen) setModel(ctx context.Context, model string) (ui.Model, error) {
	if err := h.Models.Check(model); err != nil {
		return ui.Model{}, err
	}
	if _, err := h.Opening.Wait(ctx); err != nil {
		return ui.Model{}, err
	}
	if err := h.Supervisor.SetModel(h.Root, model); err != nil {
		return ui.Model{}, err
	}
	h.Choices.SetModel(model)
	now := h.said(h.Models.NewRow(model, h.Models.Info(model), model))
	if err := h.Store.ChooseModel(context.WithoutCancel(ctx), h.Root, model); err != nil {
		return now, fmt.Errorf("the model is %s until you quit; it could not be saved: %w", model, err)
	}
	return now, nil
}

// listEfforts lists the levels of effort, with what becomes of each for the model in use.
func (h *screen) listEfforts() []ui.Mode {
	model := h.Choices.Model()
	list := []ui.Mode{{Name: app.NoEffort, Means: "the model decides"}}
	for _, level := range lifecycle.Efforts() {
		sent, instead := agent.FitEffort(h.Models.Info(model).Efforts, level)
		means := ""
		switch {
		case instead != "":
			means = model + " " + instead
		case sent != level:
			means = model + " is asked for " + sent
		}
		list = append(list, ui.Mode{Name: level, Means: means})
	}
	return list
}

// setEffort sets and stores the effort of the parent's next runs.
func (h *screen) setEffort(ctx context.Context, level string) error {
	if err := app.CheckEffort(level); err != nil {
		return err
	}
	if _, err := h.Opening.Wait(ctx); err != nil {
		return err
	}
	h.Choices.SetEffort(level)
	if err := h.Supervisor.SetEffort(h.Root, h.Choices.Effort()); err != nil {
		return err
	}
	if err := h.KeepEffort(context.WithoutCancel(ctx), level); err != nil {
		return fmt.Errorf("the effort is %s until you quit; it could not be saved: %w", level, err)
	}
	return nil
}

// listTypes lists the types. Runs use those that existed when the session was opened.
func (h *screen) listTypes(context.Context) (all []ui.Type, problems []string) {
	for _, t := range h.Types.Types {
		all = append(all, ui.Type{
			Name: t.Name, Description: t.Description, Tools: types.ToolWords(t), Model: strings.TrimSpace(cmp.Or(t.Model, "main agent's") + " " + t.Effort), Source: base.ShortPath(t.Source),
		})
	}
	for _, r := range h.Types.Problems {
		problems = append(problems, base.Remark(r))
	}
	if !h.Project.Trusts(h.Project.Kinds) {
		problems = append(problems, h.Project.Kinds.Brief+" of this folder: not trusted yet, and not used")
	}
	return all, problems
}

func (h *screen) listServers() []ui.Server {
	var list []ui.Server
	for _, s := range h.Servers.Status() {
		row := ui.Server{Name: s.Name, From: s.From, State: string(s.State), Down: s.State == mcp.Down, Tools: s.Tools, Prompts: s.Prompts, Resources: s.Resources, Why: s.Why, Said: s.Said}
		switch {
		case s.Login != "":
			row.Down = true // what is said is the command
		case s.Why != "":
			row.Do = fmt.Sprintf("fix it in %s; pawl doctor starts it and shows more", s.From)
		}
		list = append(list, row)
	}
	return list
}

func modesSaid() []ui.Mode {
	means := map[permission.Mode]string{
		permission.Default:     "reading needs no question, everything else asks",
		permission.AcceptEdits: "changing files needs no question either",
		permission.Plan:        "reading only, whatever the rules say",
		permission.Bypass:      "asks only where a rule restricts, and for git's and Pawl's own files",
	}
	var list []ui.Mode
	for _, mode := range permission.Modes() {
		list = append(list, ui.Mode{Name: string(mode), Means: means[mode]})
	}
	return list
}

func (h *screen) setMode(name string) error {
	mode, err := permission.ParseMode(name)
	if err != nil {
		return err
	}
	h.Choices.SetMode(mode)
	return nil
}
