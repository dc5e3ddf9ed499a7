package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"pawl/internal/launch"
)

// refusals are what programs say when the system refuses to change a file.
var refusals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)read-only file system|permission denied|operation not permitted|device or resource busy|\b(EROFS|EACCES|EPERM|EBUSY)\b`)
})

// unreached are what programs say when they get no network.
var unreached = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)network is unreachable|name resolution|could not resolve|no such host|getaddrinfo|EAI_AGAIN|ENETUNREACH|\bsockets?\b.*permission denied|permission denied.*\bsockets?\b`)
})

// unserved are what programs say, besides, when a server of this machine does not answer: in a
// network of its own a command does not reach it.
var unserved = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)connection refused|\bECONNREFUSED\b|cannot connect to the docker daemon`)
})

// pathIn finds what may be a path in such a line: whatever has a slash in it, between
// blanks, quotes, colons and brackets.
var pathIn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[^\\s'\"`:,()\\[\\]‘’]*/[^\\s'\"`:,()\\[\\]‘’]*")
})

// Refused is what a sandbox seems to have refused a command, by what the command wrote.
type Refused struct {
	Network bool
	Path    string // the file that it may not change; empty: none
	frozen  bool   // no command may
	strict  bool   // the caches of tools are closed too
	folder  string // in which it ran
}

// Any reports whether there is anything.
func (r Refused) Any() bool { return r.Network || r.Path != "" }

// What names it, for people: the network, or to change a file. Empty where nothing was refused.
func (r Refused) What() string {
	switch {
	case r.Network:
		return "the network"
	case r.Path != "":
		return "changing " + r.Path
	}
	return ""
}

// ClosedRefused looks for what the confinement of a closed command may have refused it.
func ClosedRefused(c *launch.Confinement, folder, output string) Refused {
	if refused := RefusedBy(c, folder, output); refused.Any() {
		return refused
	}
	return Refused{Network: c != nil && c.NoNetwork && unserved().MatchString(output)}
}

// RefusedBy looks for what a confinement may have refused a command, in its output: a network,
// or a file that the command may not write and Pawl may. A nil c refuses nothing.
func RefusedBy(c *launch.Confinement, folder, output string) Refused {
	if c == nil {
		return Refused{}
	}
	for line := range strings.Lines(output) {
		if c.NoNetwork && unreached().MatchString(line) {
			return Refused{Network: true}
		}
		if !refusals().MatchString(line) {
			continue
		}
		// The last path is what was refused; before it stand programs and other names.
		names := pathIn().FindAllString(line, -1)
		if len(names) == 0 || strings.HasPrefix(names[len(names)-1], "//") { // of an address
			continue
		}
		path := beside(folder, names[len(names)-1])
		below := func(root string) bool { return within(root, path) || root+".lock" == path }
		switch {
		case slices.ContainsFunc(c.Freeze, below):
			return Refused{Path: path, frozen: true, folder: folder}
		case c.Landlock && !slices.ContainsFunc(c.Write, below) && writableHere(path):
			return Refused{Path: path, strict: c.NoNetwork, folder: folder}
		}
	}
	return Refused{}
}

// Hint says in a line what a sandbox keeps a command from, for the model of a command that
// failed. Empty where nothing was refused.
func (r Refused) Hint() string {
	switch {
	case r.Network:
		return `the sandbox is strict: commands reach only servers that they start themselves, and no Unix sockets; the user can choose sandbox = "auto" in Pawl's settings`
	case r.frozen:
		return "the sandbox keeps commands from changing " + r.Path + ": ask the user to do it, or to allow it with the file tools"
	case r.Path != "":
		caches := ", the caches of tools"
		if r.strict {
			caches = ""
		}
		return fmt.Sprintf("the sandbox lets commands write only below %s, /tmp, the git folder%s and sandbox.write; %s", r.folder, caches, wayOut(filepath.Dir(r.Path)))
	}
	return ""
}

// wayOut is what the user can do about a folder. Nobody is to open his home, or what is
// around it, because one file of it was refused.
func wayOut(folder string) string {
	if home, err := os.UserHomeDir(); err == nil && within(folder, filepath.Clean(home)) {
		return "the user can do it, or add a folder of its own to sandbox.write in Pawl's settings"
	}
	return fmt.Sprintf("the user can add a folder: sandbox.write = [%q] in Pawl's settings", folder)
}

// writableHere says whether Pawl itself could write a path, or make it.
func writableHere(path string) bool {
	for {
		err := writeAccess(path)
		if err == nil {
			return true
		}
		if !errors.Is(err, syscall.ENOENT) || path == "/" {
			return false
		}
		path = filepath.Dir(path)
	}
}

// Refusal words a step of a confinement that the helper could not take; nil where it was
// none of those.
func Refusal(report launch.Report) error {
	about := map[string]string{
		launch.StepTold:      "the helper was not told what to confine it to",
		launch.StepFreeze:    `protected files could not be mounted read-only; tools.containment = "subreaper" works without that`,
		launch.StepHide:      "keys could not be hidden",
		launch.StepTerminals: "no terminals of its own could be made",
		launch.StepLandlock:  "Landlock could not be put in force",
		launch.StepFilter:    "sockets could not be refused",
		launch.StepLoopback:  "no network of its own could be made",
	}[report.Step]
	if about == "" {
		return nil
	}
	return fmt.Errorf("not started, because its sandbox cannot be made: %s: %w", about, report.Errno)
}
