package update

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// mounted is a program on a file system of its own, of some pages; the second function makes that
// read-only.
func mounted(t *testing.T, version string) (p Program, readOnly func()) {
	t.Helper()
	p = installed(t, version)
	folder := filepath.Dir(p.Path)
	if err := syscall.Mount("pawl-test", folder, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("this user may not mount a file system: ", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	p.put(t, version)
	return p, func() {
		require.NoError(t, syscall.Mount("pawl-test", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	}
}

func TestOnAFullDiskTheProgramStands(t *testing.T) {
	p, _ := mounted(t, "1.0.0")
	large := saying("1.1.0") + "exit\n" + strings.Repeat("# much\n", 20_000)
	err := publish(t, "1.1.0", large).install(t, p)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, "1.0.0", says(t, p.Path))
	alone(t, p, "pawl")
}

func TestInAReadOnlyFolderTheProgramStands(t *testing.T) {
	p, readOnly := mounted(t, "1.0.0")
	r := publish(t, "1.1.0", saying("1.1.0"))
	delete(r.files, r.archive()) // it is found out before anything is fetched
	readOnly()
	err := r.install(t, p)
	require.ErrorIs(t, err, syscall.EROFS)
	require.ErrorContains(t, err, "nothing can be written to its folder")
	require.Equal(t, "1.0.0", says(t, p.Path))
}

func TestWithoutTheRightToWriteTheProgramStands(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	p := installed(t, "1.0.0")
	require.NoError(t, os.Chmod(filepath.Dir(p.Path), 0o555))
	require.ErrorIs(t, publish(t, "1.1.0", saying("1.1.0")).install(t, p), syscall.EACCES)
	require.NoError(t, os.Chmod(filepath.Dir(p.Path), 0o755))
	require.Equal(t, "1.0.0", says(t, p.Path))
}
