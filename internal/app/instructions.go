package app

import (
	"os"

	"pawl/agent"
	"pawl/internal/instructions"
	"pawl/lifecycle"
)

// around is what the model of a run is told about where it works. Instructions are read anew for
// each run, so that a change of them holds from the next one on; else nothing in it changes while
// the session is open, so that prompts stay cacheable.
func (h *Session) around(run lifecycle.Run, r rules) agent.Surroundings {
	around := h.surroundings
	if run.Subagent() {
		around = aroundOf(run, r, around)
	}
	around.Instructions = h.instructionsAt(placeOf(r, around.Folder))
	return around
}

// instructionsAt are those of a place, with the user's own.
func (h *Session) instructionsAt(place instructions.Place) []agent.Instruction {
	home, _ := os.UserHomeDir() // without one there is nothing of the user's own in it
	place.Config, place.Home = h.Folders.Config, home
	return place.Read()
}

// placeOf is where the instructions for a run's folder are, but for the user's own.
func placeOf(r rules, folder string) instructions.Place {
	return instructions.Place{Folder: folder, Readable: r.Permissions.Reading}
}

// nested finds the instructions of folders below for tools.Instructed.
func nested(r rules, around agent.Surroundings) func(path string) []agent.Instruction {
	place := placeOf(r, around.Folder)
	return func(path string) []agent.Instruction { return place.Below(path, around.Instructions) }
}
