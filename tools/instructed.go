package tools

import (
	"context"
	"encoding/json"
	"slices"

	"pawl/agent"
	"pawl/tools/workspace"
)

// touches reports whether a call of a tool is about one file, whose instructions go with its result.
func touches(tool string) bool { return tool == "read" || tool == "write" || tool == "edit" }

// Instructed adds to the results of the tools that read or change one file what below gives for
// its located path: the instructions of the folders on the way to it.
func Instructed(all []agent.Tool, w *workspace.Workspace, below func(path string) []agent.Instruction) []agent.Tool {
	instructed := make([]agent.Tool, len(all))
	for i, tool := range all {
		if touches(tool.Spec.Name) {
			run := tool.Run
			tool.Run = func(ctx context.Context, call agent.Invocation) agent.Result {
				result := run(ctx, call)
				if path, inside := touched(w, call.Input); inside && !result.IsError {
					result.Instructions = slices.DeleteFunc(below(path), func(one agent.Instruction) bool {
						return tool.Spec.Name == "read" && one.Source == path // the result shows it
					})
				}
				return result
			}
		}
		instructed[i] = tool
	}
	return instructed
}

// touched is the located path of the file that a call is about; false where that is not in the
// folder, as of kept outputs.
func touched(w *workspace.Workspace, input json.RawMessage) (string, bool) {
	var args struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(input, &args) != nil || w.ForReading(args.Path) != w {
		return "", false
	}
	path, err := w.Locate(args.Path)
	return path, err == nil
}
