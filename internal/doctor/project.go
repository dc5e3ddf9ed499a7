package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/project"
	"pawl/internal/trust"
	"pawl/internal/words"
	"pawl/tools/git"
	"pawl/tools/process"
)

// examineProject reports for each thing in this folder that needs trust whether it is trusted,
// and which of its files cannot be used. From here on the examination uses what is trusted.
func (e *Examination) examineProject(ctx context.Context) {
	b := base.Base{World: e.world, Folders: e.folders, Models: e.Models, Settings: e.settings, Store: e.store}
	var err error
	if e.project, err = project.Read(ctx, &b, false); err != nil {
		e.add("This folder", blame("trust", err))
		b.Store = nil
		e.project, _ = project.Read(ctx, &b, false) // it cannot fail without a database
		return
	}
	var findings []Finding
	for _, one := range e.project.Parts {
		findings = append(findings, partFinding(one))
	}
	for _, line := range e.project.Problems {
		findings = append(findings, Finding{Name: "not used", Level: levelNote, Says: line, Value: line})
	}
	if foreign := project.ForeignFiles(e.world.Folder); len(foreign) > 0 {
		findings = append(findings, Finding{Name: "of other tools", Level: levelInfo, Says: "not used by Pawl: " + words.List(foreign), Value: foreign})
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "trust", Level: levelOK, Says: "nothing in it needs trust"}}
	}
	e.add("This folder", findings...)
	if p := e.project; p.Settings != nil && p.Trusts(p.Settings) {
		if merged, err := settings.Load(e.folders.ConfigFile(), e.world.Environ, p.Layer); err == nil { // otherwise it was reported for the user's own settings
			e.settings = merged
		}
	}
}

func partFinding(one *project.Part) Finding {
	found := Finding{Name: one.File, Level: levelOK, Says: one.Brief + ": trusted", Do: "/permissions in pawl takes that back", Value: string(one.Said), More: one.Says}
	switch one.Said {
	case trust.Trusted:
	case trust.Distrusted:
		found.Level, found.Says = levelInfo, one.Brief+": not trusted, you said never"
	case trust.Unseen:
		found.Level, found.Says, found.Do = levelNote, one.Brief+": not trusted yet", "pawl asks about it when you open it here"
		if one.Shown != nil {
			found.Says = one.Brief + ": not trusted any more, it has changed since you answered"
		}
		if one.Left {
			found.Says += "; it appeared or changed while Pawl ran a command, so --trust does not cover it"
		}
		found.Next = "open pawl here and say whether you trust " + one.File + ", for until then it is not used"
	}
	return found
}

// gitLimit is how long git may take.
const gitLimit = 10 * time.Second

// examineCheckout runs git in a trusted checkout, with the checkout's own settings switched off,
// and reports the result. In others it does not run git and says so.
func (e *Examination) examineCheckout(ctx context.Context) {
	p := e.project
	switch {
	case p.Checkout.Top == "":
		e.add("Checkout", Finding{Name: "git", Level: levelInfo, Says: "this folder is in no checkout"})
		return
	case p.Untrusted():
		e.add("Checkout", Finding{Name: "git", Level: levelInfo, Says: "was not run: this folder is not trusted", Value: "untrusted"})
		return
	}
	version, _, err := e.git(ctx, "--version")
	if err != nil {
		e.add("Checkout", Finding{Name: "git", Level: levelNote, Says: err.Error(), Do: "Pawl works without it; models look at what has changed with it"})
		return
	}
	findings := []Finding{{Name: "git", Level: levelOK, Says: strings.TrimSpace(strings.TrimPrefix(version, "git version ")), Value: strings.TrimSpace(version)}}
	changed, whole, err := e.git(ctx, git.Status()...)
	found := Finding{Name: "changes", Level: levelOK}
	n := strings.Count(changed, "\x00")
	if found.Says, found.Value = words.Count(n, "changed file"), n; !whole {
		found.Says = "more than " + found.Says
	}
	if err != nil {
		found = Finding{Name: "changes", Level: levelNote, Says: err.Error()}
	}
	e.add("Checkout", append(findings, found)...)
}

// git runs git in this folder and returns what it prints; whole is false if that was cut.
func (e *Examination) git(ctx context.Context, args ...string) (text string, whole bool, err error) {
	command, err := e.project.Checkout.Command(e.world.Folder, args...)
	if err != nil {
		return "", false, err
	}
	command.Limit = gitLimit
	launcher := &process.Launcher{
		Containment: process.Containment(e.settings.Tools.Containment), Withheld: e.Models.Withheld(),
		Environ: func() []string { return git.Environ(os.Environ()) },
	}
	done, err := launcher.Run(ctx, command)
	const kept = 30_000 // characters
	text, cut := done.Output.Text(kept)
	switch {
	case err != nil:
		return "", false, fmt.Errorf("git does not start: %w", err)
	case done.Stopped != process.NotStopped:
		return "", false, fmt.Errorf("git took longer than %s", gitLimit)
	case done.ExitCode != 0:
		return "", false, fmt.Errorf("git ended with exit code %d: %s", done.ExitCode, base.OneLine(text))
	}
	return text, cut == 0, nil
}
