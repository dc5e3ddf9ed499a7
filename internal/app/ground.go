package app

import (
	"os"
	"path/filepath"
	"strings"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/tools/git"
	"pawl/tools/process"
)

// reads says whether an effect is a command line that only reads, in a folder that is
// trusted and inside the sandbox: it needs no question then, in no mode.
func (r rules) reads(effect agent.Effect) bool {
	return effect.Kind == agent.EffectShell && !r.Wary && r.Folder != "" && r.Sandbox.InForce() &&
		r.today().Reads(effect, permission.Workdir{Locate: r.locate, Checkout: r.checkout, Foreign: r.foreign})
}

// locate is permission.Workdir's: links are followed as far as there is something.
func (r rules) locate(name string) (string, bool) {
	folder, err := filepath.EvalSymlinks(r.Folder)
	if err != nil {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = folder + "/" + name
	}
	real, err := followed(name)
	if err != nil {
		return "", false
	}
	located, err := filepath.Rel(folder, real)
	if err != nil || located == ".." || strings.HasPrefix(located, "../") {
		return "", false
	}
	return filepath.ToSlash(located), true
}

// followed is the path of a file whose links are followed; what is not there stands
// behind the last folder that is. A link that leads nowhere, or .. behind what is not
// there, is an error.
func followed(name string) (string, error) {
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

// foreign is permission.Workdir's: the PATH of a virtual environment, say, leads into the
// folder, where whoever may write there makes programs. A shell's own are in no folder.
func (r rules) foreign(name string) bool {
	found, here := process.ProgramPath(name)
	if found == "" || here {
		return !here
	}
	_, inside := r.locate(found)
	return !inside
}

// checkout is permission.Workdir's: with a file HEAD the folder itself may look like a git
// folder, settings and all, and any file tool can make it so. A .git beside it is no proof:
// git passes over one that it finds unfit.
func (r rules) checkout() bool {
	_, err := os.Lstat(filepath.Join(r.Folder, "HEAD"))
	return os.IsNotExist(err) && !git.Look(r.Folder).Submodules()
}
