package doctor

import (
	"os"

	"pawl/internal/instructions"
	"pawl/internal/words"
)

// examineInstructions lists the files that every prompt here has, in the order in which models are
// told them, and what is wrong with them.
func (e *Examination) examineInstructions() {
	home, _ := os.UserHomeDir() // without one there is nothing of the user's own in it
	place := instructions.Place{
		Folder: e.world.Folder, Config: e.folders.Config, Home: home, Readable: e.settings.Permissions.Reading,
	}
	var findings []Finding
	for _, one := range place.Read() {
		found := Finding{Name: one.Source, Level: levelOK, Says: words.Size(one.Size), Value: one.File}
		switch {
		case one.Aside:
			found.Level = levelInfo
		case one.Note != "":
			found.Level = levelNote
		}
		if one.Own {
			found.Says += ", your own"
		}
		if one.By != "" && one.Text != "" {
			found.Says += ", included by " + one.By
		}
		switch {
		case one.Text == "":
			found.Says = one.Note
		case one.Note != "":
			found.Says += ": " + one.Note
		}
		findings = append(findings, found)
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "files", Level: levelInfo, Says: "none: AGENTS.md or CLAUDE.md here, up to the checkout's root, or of your own in " + e.folders.Config}}
	}
	e.add("Instructions", findings...)
}
