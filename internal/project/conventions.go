package project

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"pawl/agent/commands"
	"pawl/agent/skills"
	"pawl/internal/base"
	"pawl/internal/trust"
	"pawl/internal/words"
)

// The files under which trust in a project's commands and skills is remembered.
const (
	commandsFile = ".pawl/commands"
	skillsFile   = ".pawl/skills"
)

// atTop stands before the name of a part of the checkout's top folder where those of one folder are
// compared.
const atTop = "^"

// conventionParts are the commands and skills of a project and of the user.
type conventionParts struct {
	read  *conventions
	parts map[string]*Part // of the project's, by file, atTop before it
}

// top is the checkout's top folder, if Pawl stands below it.
func (p *Project) top() string {
	if top := p.Checkout.Top; top != p.folder {
		return top
	}
	return ""
}

// Commands are the commands of files, trusted or not, and what is wrong with them.
func (p *Project) Commands() commands.Found {
	return p.complete().commands
}

// Skills are the skills, trusted or not, and what is wrong with them.
func (p *Project) Skills() skills.Found {
	return p.complete().skills
}

// complete reads commands and skills, once, and says of their parts what is in them. What is trusted
// as a whole need not be read before it is used. It gives what was read.
func (p *Project) complete() *conventions {
	if p.read == nil {
		return new(conventions) // of no folder
	}
	p.read.once.Do(func() {
		p.read.load()
		for _, one := range p.parts {
			p.describe(one)
		}
		p.use()
	})
	return p.read
}

// addConventions makes parts of what needs trust of commands and skills.
func (p *Project) addConventions(read *conventions) {
	p.read, p.parts = read, map[string]*Part{}
	for _, key := range slices.Sorted(maps.Keys(read.contents)) {
		file, top := strings.CutPrefix(key, atTop)
		one := Part{File: file, content: read.contents[key], top: top}
		if top {
			one.trust.Path = p.top()
		}
		p.parts[key] = p.add(one)
	}
}

// describeUntrusted reads what is not trusted, for a person to be shown, and leaves out what has
// nothing in it that could be used.
func (p *Project) describeUntrusted() {
	for _, one := range p.parts {
		if !p.Trusts(one) {
			p.complete()
			break
		}
	}
	p.Parts = slices.DeleteFunc(p.Parts, func(one *Part) bool { return p.parts[one.key()] == one && one.empty })
}

// describe says what is in a part.
func (p *Project) describe(one *Part) {
	where := ""
	if one.top {
		where = " of the checkout's top folder"
	}
	switch one.File {
	case commandsFile:
		all := p.commandsOf(one.top)
		one.Brief, one.Says = words.Count(len(all), "command")+where, saysOfCommands(all)
		one.wants = fmt.Sprintf("It has %s, texts that are sent when you type their names:", one.Brief)
	case skillsFile:
		all := p.skillsOf(one.top)
		one.Brief, one.Says = words.Count(len(all), "skill")+where, saysOfSkills(all, one.content)
		one.wants = fmt.Sprintf("It has %s, instructions that a model reads when its work calls for them:", one.Brief)
	}
	one.empty = len(one.Says) == 0
}

func (p *Project) commandsOf(top bool) (some []commands.Command) {
	for _, c := range p.read.commands.Commands {
		if c.Owner == "project" && c.AtTop == top {
			some = append(some, c)
		}
	}
	return some
}

func (p *Project) skillsOf(top bool) (some []skills.Skill) {
	for _, s := range p.read.skills.Skills {
		if s.Owner == "project" && s.AtTop == top {
			some = append(some, s)
		}
	}
	return some
}

// part is what needs trust for a file's command or skill; nil for the user's own.
func (p *Project) part(file, owner string, top bool) *Part {
	if owner != "project" {
		return nil
	}
	if top {
		file = atTop + file
	}
	return p.parts[file]
}

// TrustsCommand reports whether a command may be used.
func (p *Project) TrustsCommand(c commands.Command) bool {
	return p.Trusts(p.part(commandsFile, c.Owner, c.AtTop))
}

// TrustsSkill reports whether a skill may be used.
func (p *Project) TrustsSkill(s skills.Skill) bool {
	return p.Trusts(p.part(skillsFile, s.Owner, s.AtTop))
}

// UsedSkills are the skills that may be used, each name once.
func (p *Project) UsedSkills() []skills.Skill {
	return p.complete().usedSkills
}

// UsedCommands are the commands that can be typed, each name once: those of files, before Pawl's
// own, before the skills.
func (p *Project) UsedCommands() []commands.Command {
	return p.complete().usedCommands
}

// use finds out what may be used.
func (p *Project) use() {
	p.read.usedSkills = skills.Used(kept(p.read.skills.Skills, p.TrustsSkill))
	p.read.usedCommands = commands.Used(kept(p.read.commands.Commands, p.TrustsCommand), skills.Commands(p.read.usedSkills)...)
}

// kept are those of a list for which a condition holds.
func kept[T any](all []T, holds func(T) bool) (some []T) {
	for _, one := range all {
		if holds(one) {
			some = append(some, one)
		}
	}
	return some
}

// ReadAhead reads what is left to be read of commands and skills, beside what the caller goes on with.
func (p *Project) ReadAhead() { p.complete() }

// leftOf is the file of a part for what is remembered of its content, whichever folder it is in.
func leftOf(key string) string { return strings.TrimPrefix(key, atTop) }

// key tells parts of a folder apart.
func (one *Part) key() string {
	if one.top {
		return atTop + one.File
	}
	return one.File
}

// saysOfCommands describes each command in lines: what it is for, what it may run, and what it leaves
// its run.
func saysOfCommands(all []commands.Command) []string {
	var lines []string
	for _, c := range all {
		lines = append(lines, fmt.Sprintf("/%s (%s): %s", c.Name, c.Source, c.Description))
		for _, line := range c.Programs() {
			lines = append(lines, "    runs, as your rules allow: "+words.CutLine(line, 200))
		}
		if more := bindings(c); more != "" {
			lines = append(lines, "    "+more)
		}
	}
	return lines
}

// bindings is what a command binds its run to, in a line.
func bindings(c commands.Command) string {
	var parts []string
	if c.Model != "" {
		parts = append(parts, "model: "+c.Model)
	}
	if c.Effort != "" {
		parts = append(parts, "effort: "+c.Effort)
	}
	if c.Allowed != nil {
		parts = append(parts, "may at most: "+strings.Join(c.Allowed, ", "))
	}
	return strings.Join(parts, "; ")
}

// saysOfSkills describes each skill in lines: what it is for, and what stands beside its text.
func saysOfSkills(all []skills.Skill, content string) []string {
	var lines []string
	for _, s := range all {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", s.Name, s.Source, words.CutLine(s.Description, 200)))
		name := strings.TrimLeft(path.Dir(s.Source), "./")
		if others, scripts := besideSkill(content, "."+name); others > 0 {
			line := "    with " + words.CountOf(others, "other file", "other files")
			if scripts > 0 {
				line += ", of which " + words.CountOf(scripts, "can be run", "can be run")
			}
			lines = append(lines, line)
		}
		for _, line := range s.Command.Programs() {
			lines = append(lines, "    runs when it is typed, as your rules allow: "+words.CutLine(line, 200))
		}
	}
	return lines
}

// WrongConventions is one line about commands and skills that cannot be used; empty if there are none.
func (p *Project) WrongConventions() string {
	typed := p.Commands().Problems
	problems := slices.Concat(typed, p.Skills().Problems)
	if len(problems) == 0 {
		return ""
	}
	line := base.Remark(problems[0])
	if more := len(problems) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: pawl skills)", more)
	}
	return cmp.Or(map[bool]string{true: "command "}[len(typed) > 0], "skill ") + line
}

// sumsOf are digests of contents, by file.
func sumsOf(contents map[string]string) map[string]string {
	sums := map[string]string{}
	for key, content := range contents {
		sums[key] = trust.Digest(content)
	}
	return sums
}
