package front

import (
	"fmt"
	"os"

	"pawl/internal/system"
)

// Start fails: this system has no hosts.
func Start(_ []string, _ string, _, _, errs *os.File) int {
	fmt.Fprintln(errs, "pawl: sessions in the background need Linux, macOS or FreeBSD")
	return system.ExitError
}
