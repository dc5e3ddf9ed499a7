package project

import (
	"fmt"

	"pawl/tools/git"
	"pawl/tools/process"
)

// Repository returns git in this folder. The error says why it is not run there.
func (p *Project) Repository(launcher *process.Launcher) (git.Repository, error) {
	now := git.Look(p.folder)
	switch {
	case !p.Trusts(p.git):
		return git.Repository{}, fmt.Errorf("git is not run in %s: its settings start programs, and nobody has trusted them (pawl asks about it when it is opened there, --trust trusts it for one call)", p.folder)
	case now.Content != p.Checkout.Content:
		return git.Repository{}, fmt.Errorf("git is not run in %s: its settings start programs, and have changed since Pawl was opened: open it again", p.folder)
	}
	return git.Repository{Checkout: now, Folder: p.folder, Launcher: launcher}, nil
}
