package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"pawl/agent/mask"
	"pawl/agent/settings"
	"pawl/internal/guard"
)

// bug makes a panic the one line that errors have, and keeps its stack in the
// crash file. It is called while the panic is being recovered.
func bug(what any) error {
	path := settings.FindFolders().CrashFile()
	hide := mask.New(secretsIn(os.Environ()))
	said := hide.Text(fmt.Sprintf("a bug in Pawl ended it (%v)", what))
	file, err := guard.OpenCrashFile(path)
	if err != nil {
		return fmt.Errorf("%s", said)
	}
	defer file.Close()
	fmt.Fprintf(file, "%s pawl %s: %s\n%s\n", time.Now().UTC().Format(time.RFC3339), versionText(), said, hide.Text(string(debug.Stack())))
	return fmt.Errorf("%s; the trace is in %s", said, path)
}
