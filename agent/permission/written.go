package permission

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// writtenAndRun reports whether a line runs a file as code that it also writes.
func (p commandPattern) writtenAndRun(line string, file *syntax.File) bool {
	written := writes(file)
	if len(written) == 0 {
		return false
	}
	among := func(w word) bool {
		return slices.ContainsFunc(written, func(target word) bool {
			return !target.known || w.known && path.Base(target.text) == path.Base(w.text)
		})
	}
	return slices.ContainsFunc(allCommands(file), func(c command) bool {
		return slices.ContainsFunc(c.tails(), func(tail command) bool {
			name := programName(tail[0].text)
			switch {
			case shells.has(name), buildTools.has(name):
				return len(tail) > 1 && slices.ContainsFunc(tail[1:], among)
			case scripts.has(name), tail.runsFiles():
				return slices.ContainsFunc(tail[1:], among) && p.namedIn(line)
			}
			return strings.Contains(tail[0].text, "/") && slices.ContainsFunc(written, func(target word) bool {
				return target.known && path.Base(target.text) == path.Base(tail[0].text)
			})
		})
	})
}

// writes are the files to which a line redirects output, or that it passes to tee.
func writes(file *syntax.File) (all []word) {
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Redirect:
			switch node.Op {
			case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut, syntax.DplOut:
				if target := wordOf(node.Word); !harmless(node) {
					all = append(all, target)
				}
			default:
			}
		case *syntax.CallExpr:
			if c := commandOf(node); len(c) > 1 && c[0].text == "tee" {
				all = append(all, c[1:]...)
			}
		}
		return true
	})
	return all
}
