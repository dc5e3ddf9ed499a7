package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Model is a model that can answer.
type Model struct {
	Name    string // as in anthropic/claude-…
	Context int    // tokens; 0 where that is not known
	Price   string // in words
	Takes   string // what it takes beside text, in words
	Demo    bool   // it is a script
	Unready string // why it cannot be asked, and what to do; empty where it can
}

// Models is a list of them, and in one line each what could not be asked.
type Models struct {
	Known   []Model
	Trouble []string
}

// modelTyped lists the models, or takes the one that is named.
func (m *model) modelTyped(name string) tea.Cmd {
	switch {
	case m.options.Commands.SetModel == nil:
		return m.unavailable("choose a model with")
	case name != "":
		return m.setModel(name, retype{m.open, "/model " + name})
	case m.options.Commands.Models == nil:
		return m.unavailable("list models with")
	}
	p := &picker{Title: "Model", Empty: "reading"}
	return tea.Batch(m.offer(p), m.listModels(p, false))
}

// listModels shows at once what is known, and then what the servers say.
func (m *model) listModels(p *picker, ask bool) tea.Cmd {
	ctx, read := m.ctx, m.options.Commands.Models
	return func() tea.Msg { return loaded{p, m.modelsRead(read(ctx, ask), p, ask)} }
}

// modelsRead takes a list of models in.
func (m *model) modelsRead(found Models, p *picker, asked bool) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.knowModels(found)
		p.Aside = "loading models"
		if asked {
			p.Aside = ""
		}
		if len(found.Trouble) > 0 {
			p.Aside = sanitize.Line(found.Trouble[0])
		}
		p.Refill(m.modelRows(found.Known))
		if asked {
			return nil
		}
		return m.listModels(p, true)
	}
}

// namesModel says that words name a model with its server, which need not be listed.
func namesModel(words string) bool { return strings.Contains(words, "/") }

// learnModels reads the names of the models that are known without asking anybody.
func (m *model) learnModels() tea.Cmd {
	ctx, read := m.ctx, m.options.Commands.Models
	if read == nil || len(m.modelNames) > 0 {
		return nil
	}
	return func() tea.Msg {
		found := read(ctx, false)
		return loaded{nil, func(m *model) tea.Cmd {
			m.knowModels(found)
			m.suggestAgain()
			return nil
		}}
	}
}

func (m *model) knowModels(found Models) {
	m.modelNames = nil
	for _, known := range found.Known {
		m.modelNames = append(m.modelNames, known.Name)
	}
}

func (m *model) modelRows(known []Model) []entry {
	if !slices.ContainsFunc(known, func(k Model) bool { return k.Name == m.options.Model }) {
		known = append([]Model{{Name: m.options.Model, Context: m.options.Context, Demo: m.options.Demo}}, known...)
	}
	var rows []entry
	for _, k := range known {
		size := sanitize.Text("")
		if k.Context > 0 {
			size = draw.Tokens(int64(k.Context))
		}
		rows = append(rows, entry{
			Name: sanitize.Line(k.Name), On: k.Name == m.options.Model,
			More: []sanitize.Text{size, sanitize.Line(k.Price), sanitize.Line(k.Takes)},
			Do:   func(m *model) tea.Cmd { return m.setModel(k.Name, retype{}) },
		})
	}
	return rows
}

// setModel makes the coming runs use another model. A line that was typed for it is back where that fails.
func (m *model) setModel(name string, typed retype) tea.Cmd {
	ctx, set := m.ctx, m.options.Commands.SetModel
	return func() tea.Msg {
		now, err := set(ctx, name)
		return loaded{nil, func(m *model) tea.Cmd {
			if err != nil {
				return m.failedTyped(typed, err)
			}
			m.useModel(now)
			m.seat.Tell("model", modelElsewhere(now))
			words := draw.Sprintf("model: %s", now.Name)
			if m.runs.Alive(m.runs.Root()) {
				words = draw.Sprintf("%s from the next run", words)
			}
			m.remark(words)
			return nil
		}}
	}
}

// modelWords are the model of the coming runs with the effort that it is asked for.
func (m *model) modelWords() sanitize.Text {
	words := sanitize.Line(m.options.Model)
	if m.options.Effort != "" {
		words += " " + sanitize.Line(m.options.Effort)
	}
	return words
}

// defaultEffort is the word for leaving the effort to the model.
const defaultEffort = "default"

func effortName(level string) sanitize.Text { return sanitize.Line(cmp.Or(level, defaultEffort)) }

// effortTyped lists the levels of effort, or takes the one that is named.
func (m *model) effortTyped(level string) tea.Cmd {
	switch {
	case m.options.Commands.SetEffort == nil:
		return m.unavailable("choose an effort with")
	case level != "":
		return m.setEffort(level, retype{m.open, "/effort " + level})
	}
	p := &picker{Title: "Effort", Empty: "no levels"}
	for _, one := range m.options.Commands.Efforts() {
		p.Rows = append(p.Rows, entry{
			Name: sanitize.Line(one.Name), On: one.Name == cmp.Or(m.options.Effort, defaultEffort), More: []sanitize.Text{sanitize.Line(one.Means)},
			Do: func(m *model) tea.Cmd { return m.setEffort(one.Name, retype{}) },
		})
	}
	return m.offer(p)
}

func (m *model) effortNames() []string {
	if m.options.Commands.Efforts == nil {
		return nil
	}
	var names []string
	for _, one := range m.options.Commands.Efforts() {
		names = append(names, one.Name)
	}
	return names
}

// setEffort makes the coming runs ask for another effort. A line that was typed for it is back where that fails.
func (m *model) setEffort(level string, typed retype) tea.Cmd {
	ctx, set := m.ctx, m.options.Commands.SetEffort
	return func() tea.Msg {
		err := set(ctx, level)
		return loaded{nil, func(m *model) tea.Cmd {
			if err != nil {
				return m.failedTyped(typed, err)
			}
			m.options.Effort = strings.TrimSuffix(level, defaultEffort)
			m.seat.Tell("effort", effortElsewhere(m.options.Effort))
			words := draw.Sprintf("effort: %s", level)
			if m.runs.Alive(m.runs.Root()) {
				words = draw.Sprintf("%s from the next run", words)
			}
			m.remark(words)
			return nil
		}}
	}
}

func (m *model) useModel(now Model) {
	m.options.Model, m.options.Demo, m.options.Context, m.options.Unready = now.Name, now.Demo, now.Context, now.Unready
}
