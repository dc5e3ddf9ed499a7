package doctor

import (
	"fmt"

	"pawl/internal/base"
	"pawl/internal/trust"
	"pawl/internal/words"
)

// examineAllowed reports the permanent rules: how many there are, where they are kept, and which
// apply in this folder.
func (e *Examination) examineAllowed() []Finding {
	a := trust.NewAllowed(e.folders, e.world.Folder)
	all, err := a.Read()
	if err != nil {
		return []Finding{{Name: "always", Level: levelProblem, Says: err.Error(), Do: "until then Pawl asks", Value: a.Path}}
	}
	count := 0
	for _, folder := range all {
		count += len(folder.Allow)
	}
	if count == 0 {
		return nil
	}
	here := all[a.Folder].Allow
	findings := []Finding{{
		Name: "always", Level: levelOK, Value: a.Path,
		Says: fmt.Sprintf("%s of this folder, %d in all: %s; delete a line there to be asked again", words.Count(len(here), "rule"), count, base.ShortPath(a.Path)),
	}}
	for _, rule := range here {
		findings = append(findings, Finding{Name: "always", Level: levelOK, Says: rule.String(), Value: rule.String()})
	}
	return findings
}
