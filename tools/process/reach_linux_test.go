package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

// What one command leaves does not decide where the next one writes.
func TestNoLinkOfACommandLetsTheNextOneOut(t *testing.T) {
	needsLandlock(t)
	const bad = "echo bad > "
	t.Run("in place of a cache", func(t *testing.T) {
		c := newCage(t)
		home := filepath.Join(filepath.Dir(c.folder), "home")
		require.NoError(t, os.Symlink(c.folder, home), "a home by another name than where it is")
		c.says(t, launch.Group, "ln -s "+c.outside+" .npm", "HOME="+home)
		require.NotZero(t, c.run(t, launch.Group, bad+c.outside+"/new", "HOME="+home).ExitCode)
	})
	t.Run("in place of the folder", func(t *testing.T) {
		c := newCage(t)
		inner := c
		inner.folder = filepath.Join(c.folder, "inner")
		require.NoError(t, os.Mkdir(inner.folder, 0o755))
		inner.sandbox.Write = []string{c.folder}
		inner.says(t, launch.Group, bad+"new && cd .. && mv inner old && ln -s "+c.outside+" inner")
		command := shellCommand(bad + "new")
		command.Folder = inner.folder
		_, err := (&Launcher{Containment: ContainGroup, Sandbox: &inner.sandbox}).Run(t.Context(), command)
		require.ErrorContains(t, err, inner.folder+" is a symbolic link in a folder where commands may write")
		require.NoFileExists(t, c.outside+"/new")
	})
}

// A link that was put in a way after it was looked at opens nothing.
func TestAWayThatHasBecomeALinkIsNotGranted(t *testing.T) {
	needsLandlock(t)
	c := newCage(t)
	require.NoError(t, os.Symlink(c.outside, c.folder+"/link"))
	command := shellCommand("echo bad > ../out/new")
	command.Folder = c.folder
	how := helperSetup{mode: launch.Group, confinement: &launch.Confinement{Landlock: true, Write: []string{c.folder + "/link"}}}
	p := newProcess(t.Context(), command, how, os.Environ(), "link")
	require.NoError(t, p.live())
	require.NotZero(t, p.report.Code)
	require.NoFileExists(t, c.outside+"/new")
}

// What the screen is kept from by the sanitiser must not get there over the terminal
// itself.
func TestInANamespaceACommandReachesNoTerminalOfTheUser(t *testing.T) {
	if err := (trial{mode: launch.Namespace, mounts: true}).answer(t.Context()); err != nil {
		t.Skip(err)
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	defer master.Close()
	c := newCage(t)
	said := c.says(t, launch.Namespace, "ls /dev/pts && : > /dev/null && exec 3<>/dev/ptmx && ls /dev/pts")
	require.Equal(t, "ptmx\n0\nptmx", strings.TrimSpace(said), "none but its own")
}
