package bench

import (
	"debug/elf"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

// mostProgram is what the installed program may measure, in bytes: 36 MB, and 3 MB for work on other
// machines, of which NATS's client is the most.
const mostProgram = 39e6

// The program that is installed has no symbols and no line table for debuggers: what it
// measures are the sections that are loaded. They are looked at in the one that is built
// for the tests anyway, without the race detector, and so are its symbols.
func TestTheInstalledProgramIsSmall(t *testing.T) {
	t.Parallel()
	path, err := harness.WithFailpoints()
	require.NoError(t, err)
	program, err := elf.Open(path)
	require.NoError(t, err)
	defer program.Close()
	var size uint64
	for _, section := range program.Sections {
		if section.Flags&elf.SHF_ALLOC != 0 && section.Type != elf.SHT_NOBITS {
			size += section.FileSize
		}
	}
	symbols, err := program.Symbols()
	require.NoError(t, err)
	for _, symbol := range symbols { // exported, of a type that is in many interfaces, and called by nobody
		require.NotEqual(t, "os.(*File).Chdir", symbol.Name, "the linker keeps every method of every type: "+
			"go build -ldflags=-dumpdep . 2>&1 | grep -m1 ReflectMethod says who looks methods up by a name that only the running program knows")
	}
	require.Less(t, size, uint64(mostProgram))
}
