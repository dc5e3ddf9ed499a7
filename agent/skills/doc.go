// Package skills reads skills by the open form of SKILL.md: a folder with instructions for one kind
// of work, of which a model is told a line, and the whole when it needs it.
//
//	Load: folders ─► Found (Skills, problems, notes)
//	List: the lines of a prompt, within a budget ─► the model calls the tool skill ─► Skill.Body
//	Skill.Command: what a person types behind a slash
package skills
