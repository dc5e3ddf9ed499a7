package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNetworkFileSystemsAreKnownByNumberAndFUSEByName(t *testing.T) {
	for _, test := range []struct {
		magic   uint32
		mounted string
		want    string
	}{
		{0xef53, "", ""},
		{0x01021994, "", ""},
		{0x794c7630, "", ""}, // ext4, tmpfs, overlay
		{0x6969, "", "nfs"},
		{0xff534d42, "", "smb"},
		{0xfe534d42, "", "smb"},
		{0x01021997, "", "9p"},
		{0x00c36400, "", "ceph"},
		{magicFUSE, "virtiofs", "virtiofs"},
		{magicFUSE, "fuse.sshfs", "fuse.sshfs"},
		{magicFUSE, "fuse.rclone", "fuse.rclone"},
		{magicFUSE, "fuse.gocryptfs", ""},
		{magicFUSE, "fuseblk", ""},
		{magicFUSE, "", ""},
	} {
		require.Equal(t, test.want, networkName(test.magic, test.mounted), test.mounted)
	}
}

func TestTheMountOfAFolderIsTheLongestAboveIt(t *testing.T) {
	require.Equal(t, "proc", mountType("/proc/self"))
	require.NotEmpty(t, mountType("/"))
	name, err := NetworkFileSystem(t.TempDir())
	require.NoError(t, err)
	require.Empty(t, name)
	_, err = NetworkFileSystem("/nowhere/at/all")
	require.Error(t, err)
}
