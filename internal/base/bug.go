package base

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"pawl/agent/mask"
	"pawl/agent/settings"
	"pawl/internal/guard"
)

// ReportBug turns a panic into a one-line error and writes its stack to the crash file. Call it
// while the panic is being recovered.
func ReportBug(what any) error {
	path := settings.FindFolders().CrashFile()
	hide := mask.New(Secrets(os.Environ()))
	said := hide.Text(fmt.Sprintf("a bug in Pawl ended it (%v)", what))
	file, err := guard.OpenCrashFile(path)
	if err != nil {
		return fmt.Errorf("%s", said)
	}
	defer file.Close()
	fmt.Fprintf(file, "%s pawl %s: %s\n%s\n", time.Now().UTC().Format(time.RFC3339), VersionText(), said, hide.Text(string(debug.Stack())))
	return fmt.Errorf("%s; the trace is in %s", said, path)
}
