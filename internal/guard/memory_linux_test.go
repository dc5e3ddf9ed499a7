package guard

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fileMemory is how much of files this process has mapped in, in kB.
func fileMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "RssFile:" {
			size, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return size
		}
	}
	t.Skip("this kernel does not tell what memory is a file's")
	return 0
}

// What a start looks at and the guard does not need again: 4 MB of this program's file,
// however much of it a build of this kind needs besides.
const (
	line64  = "what a start looks at and the guard needs no more, all of it ok\n"
	kB1     = line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64 + line64
	kB16    = kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1 + kB1
	kB256   = kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16 + kB16
	ballast = kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256 + kB256
)

func TestTheGuardGivesBackWhatItsStartMapped(t *testing.T) {
	lines, before := 0, 0
	for tries := 0; before < lines/16 || lines == 0; tries++ {
		if tries == 100 {
			t.Skip("this kernel takes back at once what was looked at")
		}
		lines = 0
		for i := 63; i < len(ballast); i += 64 {
			if ballast[i] == '\n' {
				lines++
			}
		}
		before = fileMemory(t)
	}
	releaseProgram()
	if after := fileMemory(t); before-after < lines/16 {
		t.Errorf("%d kB of files are mapped in, and were %d kB: %d kB were looked at once", after, before, lines/16)
	}
}

func TestOnlyWhatWasNeverWrittenToIsGivenBack(t *testing.T) {
	const smaps = `00400000-00500000 r-xp 00001000 fe:00 77                         /usr/bin/pawl
Rss:                 512 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me
00500000-00600000 r--p 00101000 fe:00 77                         /usr/bin/pawl
Anonymous:             8 kB
Swap:                  0 kB
00600000-00700000 r--p 00201000 fe:00 77                         /usr/bin/pawl
Anonymous:             0 kB
Swap:                  4 kB
00700000-00800000 rw-p 00301000 fe:00 77                         /usr/bin/pawl
Anonymous:             0 kB
00800000-00900000 r--p 00401000 fe:00 77                         /usr/bin/pawl (deleted)
Anonymous:             0 kB
Swap:                  0 kB
c000000000-c000400000 rw-p 00000000 00:00 0
Anonymous:            64 kB
7ffd0000-7ffd2000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
`
	want := []mapping{{0x400000, 0x100000}, {0x800000, 0x100000}}
	if got := unwritten(smaps); !slices.Equal(got, want) {
		t.Errorf("%x, not %x", got, want)
	}
}
