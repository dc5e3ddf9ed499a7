package doctor

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
	"pawl/internal/system"
	"pawl/store"
)

// Examination is one examination of everything that Pawl needs.
type Examination struct {
	world    base.World
	offline  bool
	env      func(string) string
	folders  settings.Folders
	settings settings.Settings
	Models   *models.Set
	store    *store.Store // nil if there is none
	project  *project.Project
	sections []Section
}

// Examine examines everything. If offline is set it asks no server and starts none.
func Examine(ctx context.Context, w base.World, offline bool) *Examination {
	e := &Examination{world: w, offline: offline, env: models.Lookup(w.Environ), folders: settings.FindFolders()}
	e.Models = base.ModelsOf(w, e.folders, settings.Settings{}, 0)
	e.examineFolders()
	e.examineSettings()
	database := e.examineDatabase(ctx)
	if e.store != nil {
		defer e.store.Close() //nolint:errcheck // it was only read
	}
	e.examineProject(ctx)
	e.examineInstructions()
	e.examineModels(ctx)
	e.examineTypes()
	e.examineConventions()
	e.examinePermissions()
	e.examineHooks()
	e.examineTelemetry()
	e.examineTerminal()
	e.sections = append(e.sections, database)
	e.examineSessions(ctx)
	e.examineHosts(ctx)
	e.examineBudget(ctx)
	e.examineServers(ctx)
	e.examineCheckout(ctx)
	e.examineWorktrees()
	e.examineWatch(ctx)
	e.examineMachines(ctx)
	e.examineProcesses(ctx)
	e.examineSandbox(ctx)
	return e
}

func (e *Examination) add(title string, findings ...Finding) {
	e.sections = append(e.sections, Section{title, findings})
}

func (e *Examination) examineSettings() {
	file := e.folders.ConfigFile()
	says := base.ShortPath(file)
	if !system.Exists(file) {
		says += ": none; the built-in settings apply"
	}
	var err error
	e.settings, _, err = base.LoadSettings(file, e.world.Environ)
	e.Models = base.ModelsOf(e.world, e.folders, e.settings, 0)
	if err != nil {
		var findings []Finding
		for line := range strings.SplitSeq(err.Error(), "\n") {
			findings = append(findings, Finding{Name: "file", Level: levelProblem, Says: line, Do: "fix it: Pawl does not start with settings that it cannot read", Next: "mend the settings, for Pawl does not start with them: " + line, Value: file})
		}
		e.add("Settings", findings...)
		return
	}
	e.add("Settings", Finding{Name: "file", Level: levelOK, Says: says, Value: file})
}

func (e *Examination) examineTerminal() {
	look := base.LookOf(e.world)
	file, isFile := e.world.Out.(interface{ Fd() uintptr })
	if !isFile || !term.IsTerminal(file.Fd()) {
		e.add("Terminal", Finding{Name: "output", Level: levelInfo, Says: "not a terminal: only the variables are checked"}, e.termVariable(), characters(look.UTF8), editorFinding(e.env))
		return
	}
	findings := []Finding{e.termVariable(), characters(look.UTF8), {Name: "colours", Level: levelOK, Says: look.Colours}}
	width, height, err := term.GetSize(file.Fd())
	size := Finding{Name: "size", Level: levelOK, Says: fmt.Sprintf("%d×%d", width, height), Value: []int{width, height}}
	switch {
	case err != nil:
		size = Finding{Name: "size", Level: levelNote, Says: "the terminal does not report it: " + err.Error()}
	case width < 40 || height < 10:
		size.Level, size.Do = levelNote, "at least 40×10 is needed"
	}
	findings = append(findings, size, editorFinding(e.env))
	e.add("Terminal", append(findings, e.examineLooks(look.Screen)...)...)
}

func (e *Examination) termVariable() Finding {
	found := Finding{Name: "TERM", Level: levelOK, Says: e.env("TERM"), Value: e.env("TERM")}
	switch e.env("TERM") {
	case "":
		found.Level, found.Says, found.Do = levelNote, "not set", "the terminal sets it; without it the screen may be drawn wrongly"
	case "dumb":
		found.Level, found.Do = levelNote, `it has no cursor to move: the screen is not shown, pawl -p "…" works`
	}
	return found
}

func characters(utf8 bool) Finding {
	if utf8 {
		return Finding{Name: "characters", Level: levelOK, Says: "UTF-8", Value: "UTF-8"}
	}
	return Finding{Name: "characters", Level: levelNote, Says: "ASCII alone", Do: "set LANG to a UTF-8 locale, such as C.UTF-8, for signs and lines", Value: "ASCII"}
}

// blame turns an error of the store into a finding: its text says what to do.
func blame(name string, err error) Finding {
	found := Finding{Name: name, Level: levelProblem, Says: err.Error()}
	if errors.Is(err, store.ErrReadOnly) {
		found.Level = levelNote
	}
	return found
}
