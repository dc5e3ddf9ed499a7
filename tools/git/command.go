package git

import (
	"fmt"
	"slices"
	"strings"

	"pawl/tools/process"
)

// Command returns a git command for a folder of this checkout, with options that keep the
// checkout's settings from starting a program. Use it for trusted checkouts only all the same:
// not every way is known, and options are git's to honour. The error names a setting that no
// option turns off.
func (c Checkout) Command(folder string, args ...string) (process.Command, error) {
	quiet, err := c.safeSettings()
	if err != nil {
		return process.Command{}, err
	}
	options := []string{"--no-pager"}
	for _, setting := range quiet {
		options = append(options, "-c", setting)
	}
	return process.Command{
		Name: "git", Own: true, Args: append(options, args...), Folder: folder,
		Environ: append(noPrompt(), "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"),
	}, nil
}

// noPrompt are the variables that keep git from asking for input and from fetching.
func noPrompt() []string {
	return []string{"GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1"}
}

// safeSettings are the settings, as key=value, that keep all others from starting a program.
func (c Checkout) safeSettings() ([]string, error) {
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
		"index.threads=1", // with more it begins at places that the index names
	}
	for _, name := range c.filters {
		if strings.Contains(name, "=") || strings.Contains(name, "\n") { // it would end the option's name
			return nil, fmt.Errorf("its filter %q cannot be switched off: git is not run", name)
		}
		for _, key := range []string{"clean=", "smudge=", "process=", "required=false"} {
			settings = append(settings, "filter."+name+"."+key)
		}
	}
	return settings, nil
}

// Status are the arguments that list what is changed, without reading submodules.
func Status() []string {
	return []string{"status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=all", "--no-renames"}
}

// Diff are the arguments of a diff that starts no program.
func Diff(args ...string) []string {
	return append([]string{"diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}, args...)
}

// Environ is an environment without git's own variables, which may name another checkout or
// programs.
func Environ(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") })
}
