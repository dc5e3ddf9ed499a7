package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Browse opens an address of the web in the user's browser, and does not wait for it. It is the
// user's own program, as the Editor is, outlives Pawl, and does not come from folder, in which models may
// write. The error says that there is none.
func Browse(address, folder string) error {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return errors.New("no address of the web")
	}
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	} else if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("no desktop")
	}
	program, err := new(Launcher).own(Command{Name: name, Folder: folder})
	if err != nil || !filepath.IsAbs(program.Name) {
		return errors.New("no " + name)
	}
	cmd := exec.Command(program.Name, address)                         //nolint:noctx // it outlives whoever asked
	cmd.Env = append(browserEnviron(os.Environ()), program.Environ...) // it is a script, which starts others
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // so that nothing of it is left behind while Pawl goes on
	return nil
}

// browserEnviron is an environment without secrets.
func browserEnviron(environ []string) (clean []string) {
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); !secret(name) {
			clean = append(clean, entry)
		}
	}
	return clean
}
