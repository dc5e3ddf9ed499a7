package git

import (
	"fmt"
	"slices"
	"strings"

	"pawl/tools/process"
)

// Command is git in a folder of this checkout, with options before its own that keep
// the checkout's settings from starting a program. It is for a trusted checkout all
// the same: not every way is known, and which of them an option reaches is git's to
// say. The error names what no option reaches.
func (c Checkout) Command(folder string, args ...string) (process.Command, error) {
	quiet, err := c.quiet()
	if err != nil {
		return process.Command{}, err
	}
	options := []string{"--no-pager"}
	for _, setting := range quiet {
		options = append(options, "-c", setting)
	}
	return process.Command{
		Name: "git", Args: append(options, args...), Folder: folder,
		Environ: append(alone(), "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"),
	}, nil
}

// alone are the variables with which git asks nobody, and fetches nothing.
func alone() []string {
	return []string{"GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1"}
}

// quiet are the settings, as key=value, under which no other one starts a program.
func (c Checkout) quiet() ([]string, error) {
	settings := []string{
		"core.fsmonitor=false",
		"core.hooksPath=/dev/null",
		"core.pager=cat",
		"core.editor=false",
		"core.askPass=",
		"core.sshCommand=false",
		"core.gitProxy=",
		"diff.external=",
		"credential.helper=",
		"protocol.allow=never",
		"safe.bareRepository=explicit",
		"submodule.recurse=false",
		"log.showSignature=false",
	}
	for _, name := range c.filters {
		if strings.Contains(name, "=") || strings.Contains(name, "\n") { // where the option's name would end
			return nil, fmt.Errorf("its filter %q cannot be switched off: git is not run", name)
		}
		for _, key := range []string{"clean=", "smudge=", "process=", "required=false"} {
			settings = append(settings, "filter."+name+"."+key)
		}
	}
	return settings, nil
}

// Status counts what is changed, and reads no submodule.
func Status() []string {
	return []string{"status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=all", "--no-renames"}
}

// Diff has the options that keep it from starting programs.
func Diff(args ...string) []string {
	return append([]string{"diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}, args...)
}

// Environ is an environment without git's own variables: they may name another
// checkout, or programs.
func Environ(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") })
}
