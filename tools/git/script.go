package git

import (
	"context"
	"os"
	"slices"
)

// script is several git commands as one program: what starts one and keeps it together costs three
// times what git itself takes. They run in sh, which git needs too, with args as $1, $2 and so on; what
// args hold is never read as a command. in and out may be nil: nothing to read, and the output is
// returned.
func (r Repository) script(ctx context.Context, s scripted, text string, args ...string) (string, error) {
	command, err := r.Checkout.Command(s.folder)
	if err != nil {
		return "", err
	}
	settings, err := r.Checkout.safeSettings()
	if err != nil {
		return "", err
	}
	settings = append(settings, s.settings...)
	settings = append(settings, "gc.auto=0", "maintenance.auto=false", "advice.addEmbeddedRepo=false", "commit.gpgSign=false")
	command.Name, command.Args = "sh", append([]string{"-c", text, "git"}, args...)
	command.Environ = slices.Concat(command.Environ, s.environ, []string{"GIT_CONFIG_PARAMETERS=" + parameters(settings)})
	command.Limit, command.Stdin = gitLimit, s.in
	if s.long {
		command.Limit = packLimit
	}
	launcher := *r.Launcher
	launcher.Environ = func() []string { return Environ(os.Environ()) }
	if s.out == nil {
		output, err := wholeOutput(ctx, &launcher, command)
		return string(output), err
	}
	command.Stdout = s.out
	done, err := launcher.Run(ctx, command)
	return "", commandError(ctx, command, done, err)
}

// scripted says where and with what a script runs.
type scripted struct {
	folder   string
	environ  []string
	settings []string // of git, as key=value
	in, out  *os.File
	long     bool // it may take as long as whole repositories take
}

// aside are the variables under which commits are the same wherever they are made of the same: who
// makes them and when does not count.
func aside() []string {
	const date = "@1000000000 +0000"
	return []string{
		"GIT_AUTHOR_NAME=Pawl", "GIT_AUTHOR_EMAIL=pawl@localhost", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=Pawl", "GIT_COMMITTER_EMAIL=pawl@localhost", "GIT_COMMITTER_DATE=" + date,
	}
}
