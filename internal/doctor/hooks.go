package doctor

import (
	"cmp"
	"fmt"
	"os"

	"pawl/internal/base"
	"pawl/tools/process"
)

// examineHooks lists the hooks and reports whether their programs exist. It runs none.
func (e *Examination) examineHooks() {
	home, _ := os.UserHomeDir() // if there is none, Program says so when it needs one
	findings := []Finding{}
	for _, spec := range e.settings.Programs {
		about := cmp.Or(string(spec.Match), "all")
		found := Finding{
			Name: string(spec.Event), Level: levelOK, Value: spec.Name(),
			Says: fmt.Sprintf("%s: %s (%s, %s, at most %s)", about, spec.Name(), spec.Source, base.ShortPath(spec.Where), spec.Limit),
		}
		program, _, err := spec.Program(home)
		if err == nil {
			err = process.CheckProgram(program)
		}
		if err != nil {
			found.Level, found.Says, found.Do = levelNote, found.Says+": "+err.Error(), "until it exists this hook fails each time, and a failed hook allows nothing"
		}
		findings = append(findings, found)
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "hooks", Level: levelInfo, Says: "none: add programs that may deny calls under [[hooks]] in config.toml"}}
	}
	e.add("Hooks", findings...)
}
