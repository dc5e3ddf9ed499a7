package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestDoctorNamesFoldersThatCannotBeWritten(t *testing.T) {
	s := doctored(t)
	bind := func(flags uintptr) error { return unix.Mount(s.home, s.home, "", unix.MS_BIND|flags, "") }
	if err := bind(0); err != nil {
		t.Skipf("a read-only mount cannot be made here: %v", err)
	}
	defer func() { require.NoError(t, unix.Unmount(s.home, unix.MNT_DETACH)) }()
	require.NoError(t, bind(unix.MS_REMOUNT|unix.MS_RDONLY))

	_, d := s.examined(t, 1)
	require.Len(t, d.Problems, 2)
	require.Contains(t, d.Problems[0], "data cannot be written (read-only file system)")
	require.Contains(t, d.Problems[1], "pawl.db cannot be written (read-only file system)")
	require.Contains(t, d.Problems[1], "it can be read")
	require.Equal(t, levelNote, d.finding(t, "Folders", "state").Level)
	require.Equal(t, "sound", d.finding(t, "Database", "check").Says)
	out, errs, code := run(t, s.dir, s.env, "sessions")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "are you there?")
}
