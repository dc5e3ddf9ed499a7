package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/tools/git"
	"pawl/tools/process"
)

// reads reports whether an effect is a command line that only reads, in a trusted folder and
// inside the sandbox: such a command needs no question in any mode. git in the background does: there it
// gets no variables that keep it from reaching others.
func (r rules) reads(effect agent.Effect) bool {
	checkout := func() bool { return !effect.Background && r.checkout() }
	return effect.Kind == agent.EffectShell && !r.Untrusted && r.Folder != "" && r.Sandbox.InForce() &&
		r.current().Reads(effect, permission.Workdir{Locate: r.locate, Checkout: checkout, Foreign: r.foreign})
}

// read is the decision about a command line that only reads. Where the closed sandbox is whole it runs in
// that, and cannot change anything: git may be led to more than Workdir.Checkout can know of, to programs
// even, and there they reach nobody, meet no keys and leave nothing.
func (r rules) read() agent.Decision {
	whole := process.CheckClosed(context.Background(), r.Containment, r.Sandbox, r.Folder) == nil
	return agent.Decision{Allow: true, Environ: git.Reading(), Closed: whole, Reads: whole}
}

// locate implements permission.Workdir.Locate: it follows links as far as the path exists.
func (r rules) locate(name string) (string, bool) {
	folder, err := filepath.EvalSymlinks(r.Folder)
	if err != nil {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = folder + "/" + name
	}
	real, err := resolveLinks(name)
	if err != nil {
		return "", false
	}
	located, err := filepath.Rel(folder, real)
	if err != nil || located == ".." || strings.HasPrefix(located, "../") {
		return "", false
	}
	return filepath.ToSlash(located), true
}

// resolveLinks resolves the links of a path; the part that does not exist is appended to the last
// folder that does. A link to nothing, or .. after the part that does not exist, is an error.
func resolveLinks(name string) (string, error) {
	rest := ""
	for at := strings.TrimRight(name, "/"); ; {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			return real + rest, nil
		}
		_, missing := os.Lstat(at)
		folder, last := filepath.Split(at)
		if missing == nil || last == ".." || folder == "" || folder == "/" {
			return "", err
		}
		rest, at = "/"+last+rest, strings.TrimRight(folder, "/")
	}
}

// foreign implements permission.Workdir.Foreign: whether a program comes from the folder, where
// anybody who can write there can make programs, as with the PATH of a virtual environment. A
// shell's builtins are in no folder.
func (r rules) foreign(name string) bool {
	found, here := process.ProgramPath(name)
	if found == "" || here {
		return !here
	}
	return !process.Inside(found, r.writable()...)
}

// checkout implements permission.Workdir.Checkout.
func (r rules) checkout() bool {
	found := git.Look(r.Folder)
	return found.Enclosed() && !found.Submodules()
}
