package app

import (
	"strings"

	"pawl/agent"
	"pawl/agent/commands"
	"pawl/agent/skills"
	"pawl/tools"
)

// skillsTold is what a run's model is told of skills, in whichever process it works.
type skillsTold struct {
	Names   []string `json:"names,omitempty"`
	List    string   `json:"list,omitempty"` // the lines of its prompt
	Folders []string `json:"folders,omitempty"`
}

// tellSkills are the skills for a type of subagents; nil for the parent. A type without the tool is
// told of none.
func (h *Session) tellSkills(kind *agent.Type) skillsTold {
	var names []string
	if kind != nil {
		names = kind.Skills
		if !kind.Allows("skill") && len(names) == 0 {
			return skillsTold{}
		}
	}
	all := skills.ForModels(h.Project.UsedSkills(), names)
	told := skillsTold{List: skills.List(all)}
	for _, s := range all {
		told.Names, told.Folders = append(told.Names, s.Name), append(told.Folders, s.Folder)
	}
	return told
}

// sessionSkills finds the skills of the session, which their folder's trust covers as they were read.
func (h *Session) sessionSkills() tools.Skills {
	return tools.Skills{Find: func(name string) (tools.Skill, bool) {
		s, ok := skills.Find(skills.ForModels(h.Project.UsedSkills(), nil), name)
		return tools.Skill{Name: s.Name, Folder: s.Folder, Body: s.Body}, ok
	}}
}

// narrowed says why a call is denied that a command leaves its run no room for.
func (r rules) narrowed() string {
	leaves := []string{"reading"}
	for _, rule := range r.Narrow {
		if text := rule.String(); text != commands.ReadsAlways {
			leaves = append(leaves, text)
		}
	}
	return "the command the user typed limits this run to: " + strings.Join(leaves, ", ")
}

// skillFolders are the folders of the skills that models are told of.
func (h *Session) skillFolders() []string { return h.tellSkills(nil).Folders }
