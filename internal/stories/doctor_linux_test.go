package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestDoctorNamesFoldersThatCannotBeWritten(t *testing.T) {
	s := doctored(t)
	bind := func(flags uintptr) error { return unix.Mount(s.Home, s.Home, "", unix.MS_BIND|flags, "") }
	if err := bind(0); err != nil {
		t.Skipf("a read-only mount cannot be made here: %v", err)
	}
	defer func() { require.NoError(t, unix.Unmount(s.Home, unix.MNT_DETACH)) }()
	require.NoError(t, bind(unix.MS_REMOUNT|unix.MS_RDONLY))

	_, d := examined(t, s, 1)
	require.Len(t, d.Problems, 2)
	require.Contains(t, d.Problems[0], "data cannot be written (read-only file system)")
	require.Contains(t, d.Problems[1], "pawl.db cannot be written (read-only file system)")
	require.Contains(t, d.Problems[1], "it can be read")
	require.Equal(t, "note", d.finding(t, "Folders", "state").Level)
	require.Equal(t, "sound", d.finding(t, "Database", "check").Says)
	out, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "are you there?")
}

// A full disk and one without room for one file more look writable until something is written.
func TestDoctorFindsADiskThatTakesNothingMore(t *testing.T) {
	for name, fill := range map[string]string{
		"no byte":  `! cat /dev/zero > %[1]s/ballast 2>/dev/null`,
		"no inode": `mount -o remount,nr_inodes=$(df --output=iused %[1]s | tail -1 | tr -d ' ') %[1]s`,
	} {
		t.Run(name, func(t *testing.T) {
			d := mountDisk(t)
			s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
			d.do("mkdir -p %[1]s/home/data %[1]s/home/state", d.path)
			out, errs, code := outcome(t, d.command(s, "doctor", "--offline"))
			require.Equal(t, 0, code, out+errs)
			require.Contains(t, out, "MiB free", "2 MB are little, and said")
			d.do(fill, d.path)
			out, errs, code = outcome(t, d.command(s, "doctor", "--offline"))
			require.Equal(t, 1, code, out+errs)
			require.Contains(t, out, "data cannot be written (no space left on device)")
			require.Contains(t, out, "make room on its disk")
			d.do("! ls %s/home/data/.pawl-doctor-* 2>/dev/null", d.path)
		})
	}
}
