package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/term"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/project"
	"pawl/store"
)

// examination is one look at all that Pawl needs.
type examination struct {
	world    base.World
	offline  bool
	env      func(string) string
	folders  settings.Folders
	settings settings.Settings
	models   *models.Set
	store    *store.Store // nil where there is none to read
	project  *project.Project
	sections []section
}

func examine(ctx context.Context, w base.World, offline bool) *examination {
	e := &examination{world: w, offline: offline, env: models.Lookup(w.Environ), models: models.New(w.Environ, base.Secrets(w.Environ), 0), folders: settings.FindFolders()}
	e.examineFolders()
	e.examineSettings()
	database := e.examineDatabase(ctx)
	if e.store != nil {
		defer e.store.Close() //nolint:errcheck // it was only read
	}
	e.examineProject(ctx)
	e.examineModels(ctx)
	e.examineTypes()
	e.examinePermissions()
	e.examineHooks()
	e.examineTelemetry()
	e.examineTerminal()
	e.sections = append(e.sections, database)
	e.examineSessions(ctx)
	e.examineServers(ctx)
	e.examineCheckout(ctx)
	e.examineWorktrees()
	e.examineProcesses(ctx)
	e.examineSandbox(ctx)
	return e
}

func (e *examination) add(title string, findings ...finding) {
	e.sections = append(e.sections, section{title, findings})
}

func (e *examination) examineSettings() {
	file := e.folders.ConfigFile()
	says := base.ShortPath(file)
	if !exists(file) {
		says += ": none; the built-in settings apply"
	}
	var err error
	e.settings, _, err = base.LoadSettings(file, e.world.Environ)
	e.models.With(e.settings.Models)
	if err != nil {
		var findings []finding
		for line := range strings.SplitSeq(err.Error(), "\n") {
			findings = append(findings, finding{Name: "file", Level: levelProblem, Says: line, Do: "fix it: Pawl does not start with settings that it cannot read", Value: file})
		}
		e.add("Settings", findings...)
		return
	}
	e.add("Settings", finding{Name: "file", Level: levelOK, Says: says, Value: file})
}

func (e *examination) examineTerminal() {
	look := base.LookOf(e.world)
	file, isFile := e.world.Out.(interface{ Fd() uintptr })
	if !isFile || !term.IsTerminal(file.Fd()) {
		e.add("Terminal", finding{Name: "output", Level: levelInfo, Says: "not a terminal: only the variables are checked"}, e.termVariable(), characters(look.UTF8), editorFinding(e.env))
		return
	}
	findings := []finding{e.termVariable(), characters(look.UTF8), {Name: "colours", Level: levelOK, Says: look.Colours}}
	width, height, err := term.GetSize(file.Fd())
	size := finding{Name: "size", Level: levelOK, Says: fmt.Sprintf("%d×%d", width, height), Value: []int{width, height}}
	switch {
	case err != nil:
		size = finding{Name: "size", Level: levelNote, Says: "the terminal does not report it: " + err.Error()}
	case width < 40 || height < 10:
		size.Level, size.Do = levelNote, "at least 40×10 is needed"
	}
	findings = append(findings, size, editorFinding(e.env))
	e.add("Terminal", append(findings, e.examineLooks(look.Screen)...)...)
}

func (e *examination) termVariable() finding {
	found := finding{Name: "TERM", Level: levelOK, Says: e.env("TERM"), Value: e.env("TERM")}
	switch e.env("TERM") {
	case "":
		found.Level, found.Says, found.Do = levelNote, "not set", "the terminal sets it; without it the screen may be drawn wrongly"
	case "dumb":
		found.Level, found.Do = levelNote, `it has no cursor to move: the screen is not shown, pawl -p "…" works`
	}
	return found
}

func characters(utf8 bool) finding {
	if utf8 {
		return finding{Name: "characters", Level: levelOK, Says: "UTF-8", Value: "UTF-8"}
	}
	return finding{Name: "characters", Level: levelNote, Says: "ASCII alone", Do: "set LANG to a UTF-8 locale, such as C.UTF-8, for signs and lines", Value: "ASCII"}
}

// blame words an error of the store's as a finding: its line says what to do.
func blame(name string, err error) finding {
	found := finding{Name: name, Level: levelProblem, Says: err.Error()}
	if errors.Is(err, store.ErrReadOnly) {
		found.Level = levelNote
	}
	return found
}
