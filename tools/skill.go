package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"pawl/agent"
)

// Skill is what the tool of that name gives: instructions for one kind of work.
type Skill struct {
	Name, Folder, Body string
}

// Skills find the skills of a session. The zero value has none.
type Skills struct {
	Names []string
	// Find gives a skill by one of Names; false: it is no longer there. It is called where the
	// session is kept.
	Find func(name string) (Skill, bool)
}

type skillInput struct {
	Name string `json:"name"`
}

// LoadSkill gives a model the instructions of a skill; home keeps the session where that is another
// process, and is nil else.
func LoadSkill(all Skills, home Home) agent.Tool {
	names, _ := json.Marshal(append([]string{}, all.Names...)) // texts have a form
	enum := `"enum": ` + string(names) + `, `
	if len(all.Names) == 0 {
		enum = ""
	}
	in := newInput[skillInput]("skill", `{"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
		"name": {"type": "string", `+enum+`"description": "the skill"}}}`)
	tool := reading(in, "name", func(_ context.Context, args skillInput) (agent.Result, error) {
		skill, ok := Skill{}, false
		if all.Find != nil {
			skill, ok = all.Find(args.Name)
		}
		if !ok {
			return agent.Result{}, fmt.Errorf("there is no skill %q here", args.Name)
		}
		text := fmt.Sprintf("The skill %s. Its folder is %s: paths in it are relative to that, read takes them behind it, and scripts there run with shell.\n\n%s\n", skill.Name, skill.Folder, strings.TrimSpace(skill.Body))
		return agent.Result{Text: text, View: agent.PlainView{Text: "skill " + skill.Name}}, nil
	})
	if home != nil {
		tool.Run = in.run(func(ctx context.Context, call agent.Invocation, _ skillInput) (agent.Result, error) {
			return home.Perform(ctx, skillName, call), nil
		})
	}
	return tool
}
