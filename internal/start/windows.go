//go:build windows

package start

import "os"

// Main tells whoever has installed Pawl on Windows what to do. It returns the exit code of bad
// usage.
func Main() int {
	_, _ = os.Stderr.WriteString("pawl: Windows is not supported yet: install WSL (wsl --install), and use Pawl in there as on Linux\n")
	return 2
}
