package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

// twoFolders are one that a command is confined to and one beside it, with a file in it.
func twoFolders(t *testing.T) (folder, outside string) {
	t.Helper()
	base := t.TempDir()
	folder, outside = filepath.Join(base, "in"), filepath.Join(base, "out")
	require.NoError(t, os.Mkdir(folder, 0o755))
	write(t, outside, "kept", "as it was\n")
	return folder, outside
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// A command that failed for another reason is not told of the sandbox: the model
// would look for a way around it.
func TestWhatTheSandboxStoppedIsTold(t *testing.T) {
	folder, outside := twoFolders(t)
	temporary := t.TempDir()
	confinement := &launch.Confinement{
		Landlock: true, Write: []string{folder, temporary}, Freeze: []string{folder + "/.git/config", folder + "/.git/hooks"},
	}
	below := "the sandbox lets commands write only below " + folder
	for line, want := range map[string]string{
		"touch: cannot touch '" + outside + "/new': Permission denied":                              below,
		"touch: cannot touch '../out/new': Permission denied":                                       below,
		"open " + outside + "/a/b/new: permission denied":                                           below,
		"mkdir: cannot create directory ‘" + outside + "/new’: Read-only file system":               below,
		"Error: EACCES: permission denied, open '" + outside + "/new'":                              below,
		"mv: cannot move 'x' to '" + outside + "/kept': Operation not permitted":                    below,
		"error: could not write config file .git/config: Device or resource busy":                   "the sandbox keeps commands from changing " + folder + "/.git/config",
		"error: could not lock config file .git/config.lock: Read-only file system":                 "the sandbox keeps commands from changing " + folder + "/.git/config.lock",
		"bash: .git/hooks/pre-commit: Read-only file system":                                        "the sandbox keeps commands from changing " + folder + "/.git/hooks/pre-commit",
		"bash: ./own: Permission denied":                                                            "",
		"/usr/bin/bash: line 1: ./own: Permission denied":                                           "",
		"fatal: unable to access 'https://github.com/a': Permission denied":                         "",
		"touch: cannot touch '" + temporary + "/other/x': Permission denied":                        "",
		outside + "/new: No such file or directory":                                                 "",
		"--- FAIL: TestX: " + outside + " is not what was wanted":                                   "",
		"Permission denied (publickey).":                                                            "",
		"the sandbox of " + outside + "\nfatal: something else, permission denied":                  "",
		"remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://github.com/'": "",
	} {
		got := RefusedBy(confinement, folder, line).Hint()
		if want == "" {
			require.Empty(t, got, line)
			continue
		}
		require.Contains(t, got, want, line)
		require.NotContains(t, got, "\n")
	}
	require.Empty(t, RefusedBy(nil, folder, "touch: cannot touch '"+outside+"/new': Permission denied").Hint(), "nothing confined it")
	if os.Getuid() != 0 {
		require.Empty(t, RefusedBy(confinement, folder, "touch: cannot touch '/etc/new': Permission denied").Hint(), "Pawl may not either")
	}
}

// Who copies what stands there does not open the home folder for a file in it.
func TestTheHomeFolderIsNotNamedAsOneToOpen(t *testing.T) {
	folder, outside := twoFolders(t)
	t.Setenv("HOME", outside)
	confinement := &launch.Confinement{Landlock: true, Write: []string{folder}}
	for path, named := range map[string]bool{"out/.gnupg": false, "new": false, "out/.gnupg/x": true} {
		said := RefusedBy(confinement, folder, "gpg: can't create '../"+path+"': Permission denied").Hint()
		require.Contains(t, said, "the sandbox lets commands write only below", path)
		require.Equal(t, named, strings.Contains(said, "sandbox.write = ["), said)
	}
}

func TestAStrictSandboxThatCannotBeIsRefusedInALine(t *testing.T) {
	strict := Policy{Mode: Strict}
	for name, row := range map[string]struct {
		powers Powers
		want   string
	}{
		"no Landlock":  {Powers{why: syscall.ENOSYS}, "this kernel has no Landlock (Linux 5.13)"},
		"switched off": {Powers{why: syscall.EOPNOTSUPP}, "it was switched off at boot (lsm=)"},
		"no filters":   {Powers{landlock: 7, filter: syscall.EINVAL}, "the network cannot be closed here, because system calls cannot be filtered (seccomp: invalid argument)"},
	} {
		err := strict.possible(row.powers)
		require.ErrorContains(t, err, row.want, name)
		require.ErrorContains(t, err, `sandbox = "auto"`, name)
		require.NotContains(t, err.Error(), "\n")
		require.NoError(t, Policy{}.possible(row.powers), "auto takes what there is")
	}
	require.NoError(t, strict.possible(Powers{landlock: 1, Loopback: syscall.EPERM}), "without a network of its own it has none")
}
