package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"pawl/internal/launch"
)

// refusals are what programs say when the system refuses to change a file.
var refusals = regexp.MustCompile(`(?i)read-only file system|permission denied|operation not permitted|device or resource busy|\b(EROFS|EACCES|EPERM|EBUSY)\b`)

// unreached are what programs say when they get no network.
var unreached = regexp.MustCompile(`(?i)network is unreachable|name resolution|could not resolve|no such host|getaddrinfo|EAI_AGAIN|ENETUNREACH|\bsockets?\b.*permission denied|permission denied.*\bsockets?\b`)

// pathIn finds what may be a path in such a line: whatever has a slash in it, between
// blanks, quotes, colons and brackets.
var pathIn = regexp.MustCompile("[^\\s'\"`:,()\\[\\]‘’]*/[^\\s'\"`:,()\\[\\]‘’]*")

// Hint says in a line what the sandbox keeps a command from, where that may be
// why it failed: the output of a command in folder names, as refused, a file that the command
// may not write and Pawl may. Else it is empty, as it is where c is nil.
func Hint(c *launch.Confinement, folder, output string) string {
	if c == nil {
		return ""
	}
	for line := range strings.Lines(output) {
		if c.NoNetwork && unreached.MatchString(line) {
			return `the sandbox is strict: commands reach only servers that they start themselves, and no Unix sockets; the user can choose sandbox = "auto" in Pawl's settings`
		}
		if !refusals.MatchString(line) {
			continue
		}
		// The last path is what was refused; before it stand programs and other names.
		names := pathIn.FindAllString(line, -1)
		if len(names) == 0 || strings.HasPrefix(names[len(names)-1], "//") { // of an address
			continue
		}
		path := beside(folder, names[len(names)-1])
		below := func(root string) bool { return within(root, path) || root+".lock" == path }
		switch {
		case slices.ContainsFunc(c.Freeze, below):
			return "the sandbox keeps commands from changing " + path + ": ask the user to do it, or to allow it with the file tools"
		case c.Landlock && !slices.ContainsFunc(c.Write, below) && writableHere(path):
			return fmt.Sprintf("the sandbox lets commands write only below %s, /tmp, the git folder, the caches of tools and sandbox.write; %s", folder, wayOut(filepath.Dir(path)))
		}
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
