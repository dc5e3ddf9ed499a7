package types

import "pawl/agent/frontmatter"

// source is a folder with types. The zero value has none.
type source struct {
	frontmatter.Source
	folder    string // inside it
	claude    bool   // written for Claude Code
	isProject bool   // it is the project's
}

// userFolder is the folder of the user's own types.
func userFolder(config string) source {
	return source{Source: frontmatter.UserFolder(config), folder: "agents"}
}

// projectFolder is the source of a project's types.
func projectFolder(folder string) (_ source, done func()) {
	files, done := frontmatter.ProjectFolder(folder)
	return source{Source: files, isProject: true}, done
}

// at is a folder inside the source.
func (s source) at(folder string, claude bool) source {
	s.folder, s.claude = folder, claude
	return s
}
