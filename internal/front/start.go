//go:build !windows

package front

import (
	"os"

	"pawl/internal/tty"
)

// Start runs a command line that detaches (pawl -p --detach …) in a folder, with a host of its own as
// from a shell, and returns its exit code once its prompt is said. What it reads and writes are the
// files; the host may keep out and errs until it has said so. Any goroutine may call it.
func Start(args []string, folder string, in, out, errs *os.File) int {
	f := &front{in: in, out: out, errors: errs, terminals: tty.Find(int(in.Fd()), int(out.Fd())), signals: make(chan os.Signal)}
	return f.run(target{args: args, folder: folder})
}
