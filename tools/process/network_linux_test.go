package process

import (
	"bytes"
	little "encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// needsStrict skips where strict is refused, with why.
func needsStrict(t *testing.T) {
	t.Helper()
	needsLandlock(t)
	if err := launch.FilterPossible(); err != nil {
		t.Skipf("this kernel has no filters of system calls: %v", err)
	}
}

// confined is how a command of the cage is kept.
func (c cage) confined(t *testing.T, mode launch.Mode) helperSetup {
	t.Helper()
	if err := possible(t.Context(), mode); err != nil {
		t.Skip(err)
	}
	confinement, _, err := c.sandbox.Confinement(powersFor(t.Context(), c.sandbox, mode), c.folder, os.Environ())
	require.NoError(t, err)
	return helperSetup{mode: mode, confinement: confinement}
}

func TestStrictReachesNobodyOutside(t *testing.T) {
	needsStrict(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t)
		o := listenBeside(t, c.folder)
		how := c.confined(t, mode)
		said := o.tries(t, how, c.folder)
		require.Subset(t, o.came(t), []string{"TCP", "path", "UDP"}, "without it they are reached: %v", said)

		c.sandbox.Mode = sandbox.Strict
		for _, own := range []bool{true, false} {
			o, how = listenBeside(t, t.TempDir()), c.confined(t, mode)
			if own && !how.confinement.Loopback {
				t.Logf("a network of its own was not tried: %v", trial{mode: mode, network: true}.answer(t.Context()))
				continue
			}
			how.confinement.Loopback = own
			said = o.tries(t, how, c.folder)
			require.Empty(t, o.came(t), "own network %v: %v", own, said)
			for name, kind := range families {
				ip := kind[0] == syscall.AF_INET || kind[0] == syscall.AF_INET6
				if !own || !ip {
					require.Equal(t, denied, said["socket "+name], name)
				}
			}
			require.Equal(t, unknown, said["io_uring"])
			require.Equal(t, unknown, said["key"])
			require.Equal(t, fine, said["pair"])
			require.Equal(t, fine, said["list of interfaces"])
			require.Contains(t, said["dial path"], denied)
			require.Contains(t, said["dial abstract"], denied)
			if own {
				require.Equal(t, fine, said["itself"], "tests of programs work")
				require.Contains(t, said["dial TCP"], "refused", "nobody listens there")
				require.Contains(t, []string{"operation not permitted", "protocol not supported"}, said["socket raw"])
			} else {
				require.Contains(t, said["itself"], denied)
				require.Contains(t, said["fast open MPTCP"], denied)
			}
		}
	})
}

// A network that was not made for a command is not taken for one that was.
func TestALoopbackOfOthersIsNoNetworkOfItsOwn(t *testing.T) {
	needsStrict(t)
	c := shellCommand("touch ran")
	c.Folder = t.TempDir()
	p := newProcess(t.Context(), c, helperSetup{mode: launch.Group}, os.Environ(), "loopback")
	p.confinement = &launch.Confinement{NoNetwork: true, Loopback: true} // after its start was laid out without
	p.cmd.Args = launch.Arguments(launch.Group, p.confinement, p.path, "sh", "-c", "touch ran")
	require.ErrorContains(t, p.live(), "no network of its own could be made")
	require.NoFileExists(t, filepath.Join(c.Folder, "ran"))
}

// foreign are calls that a filter for one architecture alone would not understand, in
// the machine's own words: they make a TCP socket and end with 0 where they got one.
var foreign = map[string][]byte{
	// socket of i386, by int 0x80
	"32 bits": {0xb8, 0x67, 0x01, 0, 0, 0xbb, 2, 0, 0, 0, 0xb9, 1, 0, 0, 0, 0x31, 0xd2, 0xcd, 0x80},
	// socketcall of i386, its arguments on the stack, which lies beyond what it can name
	"32 bits, socketcall": {0xb8, 0x66, 0, 0, 0, 0xbb, 1, 0, 0, 0, 0x89, 0xe1, 0xcd, 0x80},
	// socket of x32, by syscall
	"x32": {0xb8, 0x29, 0, 0, 0x40, 0xbf, 2, 0, 0, 0, 0xbe, 1, 0, 0, 0, 0x31, 0xd2, 0x0f, 0x05},
}

// program is a small ELF file that makes a call and ends with 1 where it failed.
func program(code []byte) []byte {
	code = append(bytes.Clone(code), 0x89, 0xc7, 0xc1, 0xef, 0x1f, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05) // exit(result >> 31)
	const base, head = 0x400000, 64 + 56
	var file bytes.Buffer
	for _, part := range []any{
		[16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1},
		[2]uint16{2, 62},
		uint32(1), uint64(base + head), uint64(64), uint64(0), uint32(0),
		[6]uint16{64, 56, 1, 64},
		[2]uint32{1, 5},
		[6]uint64{0, base, base, uint64(head + len(code)), uint64(head + len(code)), 4096},
		code,
	} {
		_ = little.Write(&file, little.LittleEndian, part) // into memory
	}
	return file.Bytes()
}

func TestStrictEndsWhatSpeaksAnotherArchitecture(t *testing.T) {
	needsStrict(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("its words are written for amd64")
	}
	for name, code := range foreign {
		c := newCage(t)
		require.NoError(t, os.WriteFile(filepath.Join(c.folder, "p"), program(code), 0o755))
		without, ends := c.run(t, launch.Group, "./p").ExitCode, 128+int(syscall.SIGSYS)
		if without == 128+int(syscall.SIGSEGV) { // this kernel does not take it at all
			ends = without
		}
		t.Logf("%s: without strict it ends with %d", name, without)
		c.sandbox.Mode = sandbox.Strict
		require.Equal(t, ends, c.run(t, launch.Group, "./p").ExitCode, name)
	}
}

func TestStrictTakesTheCaches(t *testing.T) {
	needsStrict(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t)
		cache := filepath.Join(c.outside, "go-build")
		require.NoError(t, os.Mkdir(cache, 0o755))
		line := `echo x > $GOCACHE/x`
		c.says(t, mode, line, "GOCACHE="+cache)
		c.sandbox.Mode = sandbox.Strict
		done := c.run(t, mode, line, "GOCACHE="+cache)
		require.NotZero(t, done.ExitCode)
		text, _ := done.Output.Text(most)
		require.Contains(t, text, "go-build")
	})
}

func TestWhatStrictTakesOfTheNetworkIsTold(t *testing.T) {
	needsStrict(t)
	c := newCage(t)
	c.sandbox.Mode = sandbox.Strict
	done := c.run(t, launch.Group, "exec 3<>/dev/udp/192.0.2.1/9")
	require.NotZero(t, done.ExitCode)
	require.Contains(t, done.Sandboxed, "the sandbox is strict", done.Output.Head)
}
