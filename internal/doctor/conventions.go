package doctor

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"pawl/agent/skills"
	"pawl/internal/base"
	"pawl/internal/words"
)

// examineConventions says how many commands and skills there are, which files cannot be used, and
// that something is not trusted yet.
func (e *Examination) examineConventions() {
	p := e.project
	var findings []Finding
	count := func(name, text string, all, trusted int) {
		f := Finding{Name: name, Level: levelOK, Says: text}
		if left := all - trusted; left > 0 {
			f.Level, f.Says = levelNote, fmt.Sprintf("%s; %s not trusted yet and not used", text, words.CountOf(left, "is", "are"))
			f.Do = "pawl asks about it when you open it here"
		}
		findings = append(findings, f)
	}
	typed := 0
	for _, c := range p.Commands().Commands {
		if p.TrustsCommand(c) {
			typed++
		}
	}
	if n := len(p.Commands().Commands); n > 0 {
		count("commands", words.CountOf(n, "of a file", "of files")+" (pawl skills lists them)", n, typed)
	}
	if n := len(p.Skills().Skills); n > 0 {
		used := p.UsedSkills()
		text := fmt.Sprintf("%d (pawl skills lists them)", n)
		if list := skills.List(skills.ForModels(used, nil)); list != "" {
			text = fmt.Sprintf("%d, whose lines take %s of each prompt (pawl skills lists them)", n, words.CountGrouped(utf8.RuneCountInString(list), "character"))
		}
		count("skills", text, n, n-len(slices.DeleteFunc(slices.Clone(p.Skills().Skills), p.TrustsSkill)))
	}
	for _, bad := range slices.Concat(p.Commands().Problems, p.Skills().Problems) {
		findings = append(findings, Finding{Name: "file", Level: levelProblem, Says: base.Remark(bad), Do: "fix it or move it away; the others work without it", Value: bad.Where})
	}
	if n := len(p.Commands().Notes) + len(p.Skills().Notes); n > 0 {
		findings = append(findings, Finding{Name: "notes", Level: levelOK, Says: words.CountOf(n, "key or file has no effect", "keys and files have no effect") + ": pawl skills says which"})
	}
	if len(findings) > 0 {
		e.add("Commands and skills", findings...)
	}
}
