package tools

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/launch"
)

// A command that failed for another reason is not told of the sandbox: the model
// would look for a way around it.
func TestWhatTheSandboxStoppedIsTold(t *testing.T) {
	c := newCage(t)
	put(t, c.folder, ".git/config", "")
	put(t, c.folder, "own", "")
	confinement := &launch.Confinement{
		Landlock: true, Write: []string{c.folder, "/tmp"}, Freeze: []string{c.folder + "/.git/config", c.folder + "/.git/hooks"},
	}
	below := "the sandbox lets commands write only below " + c.folder
	for line, want := range map[string]string{
		"touch: cannot touch '" + c.outside + "/new': Permission denied":                            below,
		"touch: cannot touch '../out/new': Permission denied":                                       below,
		"open " + c.outside + "/a/b/new: permission denied":                                         below,
		"mkdir: cannot create directory ‘" + c.outside + "/new’: Read-only file system":             below,
		"Error: EACCES: permission denied, open '" + c.outside + "/new'":                            below,
		"mv: cannot move 'x' to '" + c.outside + "/kept': Operation not permitted":                  below,
		"error: could not write config file .git/config: Device or resource busy":                   "the sandbox keeps commands from changing " + c.folder + "/.git/config",
		"error: could not lock config file .git/config.lock: Read-only file system":                 "the sandbox keeps commands from changing " + c.folder + "/.git/config.lock",
		"bash: .git/hooks/pre-commit: Read-only file system":                                        "the sandbox keeps commands from changing " + c.folder + "/.git/hooks/pre-commit",
		"bash: ./own: Permission denied":                                                            "",
		"/usr/bin/bash: line 1: ./own: Permission denied":                                           "",
		"fatal: unable to access 'https://github.com/a': Permission denied":                         "",
		"touch: cannot touch '/tmp/other/x': Permission denied":                                     "",
		c.outside + "/new: No such file or directory":                                               "",
		"--- FAIL: TestX: " + c.outside + " is not what was wanted":                                 "",
		"Permission denied (publickey).":                                                            "",
		"the sandbox of " + c.outside + "\nfatal: something else, permission denied":                "",
		"remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://github.com/'": "",
	} {
		got := stoppedBy(confinement, c.folder, line)
		if want == "" {
			require.Empty(t, got, line)
			continue
		}
		require.Contains(t, got, want, line)
		require.NotContains(t, got, "\n")
	}
	require.Empty(t, stoppedBy(nil, c.folder, "touch: cannot touch '"+c.outside+"/new': Permission denied"), "nothing confined it")
	if os.Getuid() != 0 {
		require.Empty(t, stoppedBy(confinement, c.folder, "touch: cannot touch '/etc/new': Permission denied"), "Pawl may not either")
	}
}

// Who copies what stands there does not open the home folder for a file in it.
func TestTheHomeFolderIsNotNamedAsOneToOpen(t *testing.T) {
	c := newCage(t)
	t.Setenv("HOME", c.outside)
	confinement := &launch.Confinement{Landlock: true, Write: []string{c.folder}}
	for path, named := range map[string]bool{"out/.gnupg": false, "new": false, "out/.gnupg/x": true} {
		said := stoppedBy(confinement, c.folder, "gpg: can't create '../"+path+"': Permission denied")
		require.Contains(t, said, "the sandbox lets commands write only below", path)
		require.Equal(t, named, strings.Contains(said, "sandbox.write = ["), said)
	}
}

func TestTheShellTellsTheModelWhatTheSandboxStopped(t *testing.T) {
	needsLandlock(t)
	c := newCage(t)
	w, err := NewWorkspace(c.folder)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	shell := Shell(w, &Launcher{Sandbox: &Sandbox{}})
	result := use(t, shell, args{"command": "echo bad > ../out/new"})
	require.True(t, result.IsError)
	require.Contains(t, result.Text, "[exit code 1; the sandbox lets commands write only below "+c.folder)
	require.Contains(t, result.Text, `sandbox.write = ["`+c.outside+`"]`)
	require.Equal(t, "the sandbox may be why", result.View.(agent.CommandView).Note, "for people")
	require.NotContains(t, use(t, shell, args{"command": "echo bad > ../out/new; true"}).Text, "sandbox", "it did not fail")
}

func TestAStrictSandboxThatCannotBeIsRefusedInALine(t *testing.T) {
	strict := Sandbox{Mode: SandboxStrict}
	for name, row := range map[string]struct {
		powers powers
		want   string
	}{
		"no Landlock":  {powers{why: syscall.ENOSYS}, "this kernel has no Landlock (Linux 5.13)"},
		"switched off": {powers{why: syscall.EOPNOTSUPP}, "it was switched off at boot (lsm=)"},
		"no filters":   {powers{landlock: 7, filter: syscall.EINVAL}, "the network cannot be closed here, because system calls cannot be filtered (seccomp: invalid argument)"},
	} {
		err := strict.possible(row.powers)
		require.ErrorContains(t, err, row.want, name)
		require.ErrorContains(t, err, `sandbox = "auto"`, name)
		require.NotContains(t, err.Error(), "\n")
		require.NoError(t, Sandbox{}.possible(row.powers), "auto takes what there is")
	}
	require.NoError(t, strict.possible(powers{landlock: 1, loopback: syscall.EPERM}), "without a network of its own it has none")
}
