package sandbox

import (
	"fmt"
	"os"
	"strings"

	"pawl/internal/launch"
)

// SeatbeltProgram runs another one under a profile, on macOS.
const SeatbeltProgram = "/usr/bin/sandbox-exec"

// SeatbeltArguments are the arguments of SeatbeltProgram, its name included, for a program.
func SeatbeltArguments(profile, path string, argv ...string) []string {
	return append([]string{"sandbox-exec", "-p", profile, "--", path}, argv[min(1, len(argv)):]...)
}

// Profile is a confinement in the language of Seatbelt, in which a later rule wins. The paths are
// as they really are: the kernel compares them after it has followed links. An error names a path
// that cannot be written down, whose command must not be started.
func Profile(c *launch.Confinement) (string, error) {
	p := profile{}
	p.line("(version 1)", "(allow default)")
	if c.Landlock {
		p.line("(deny file-write*)")
		p.rule("allow file-write*", c.Write)
	}
	p.rule("deny file-write*", c.Freeze)
	for _, path := range c.Pin { // neither moved nor removed
		p.line(fmt.Sprintf("(deny file-write-unlink (literal %s))", p.quoted(path)))
	}
	p.rule("deny file-read* file-write*", c.Hide)
	if len(c.Hide) > 0 {
		p.line(`(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))`)
	}
	p.line(
		"(deny signal)", "(allow signal (target same-sandbox))",
		"(deny mach-priv-task-port)", "(allow mach-priv-task-port (target same-sandbox))",
		"(deny job-creation)", "(deny appleevent-send)", "(deny lsopen)", // by which others start programs for it
	)
	if c.NoNetwork {
		p.line("(deny network*)", "(deny system-socket)")
	}
	return p.text.String(), p.wrong
}

// profile is one that is being written.
type profile struct {
	text  strings.Builder
	wrong error
}

func (p *profile) line(lines ...string) {
	for _, line := range lines {
		p.text.WriteString(line + "\n")
	}
}

// rule writes one for paths: folders with all they hold, and anything else for itself. What is not
// there may become a folder.
func (p *profile) rule(what string, paths []string) {
	if len(paths) == 0 {
		return
	}
	p.text.WriteString("(" + what)
	for _, path := range paths {
		filter := "subpath"
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			filter = "literal"
		}
		fmt.Fprintf(&p.text, "\n  (%s %s)", filter, p.quoted(path))
	}
	p.text.WriteString(")\n")
}

// quoted is a path as a string of the language, which has two characters to escape.
func (p *profile) quoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		p.wrong = fmt.Errorf("not started, because its sandbox cannot be made: the name %q holds a control character", path)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
