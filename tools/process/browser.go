package process

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Browse opens an address of the web in the user's browser, and does not wait for it. It is the
// user's own program, as the Editor is, and outlives Pawl. The error says that there is none.
func Browse(address string) error {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		return errors.New("no address of the web")
	}
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	} else if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("no desktop")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return errors.New("no " + name)
	}
	cmd := exec.Command(path, address) //nolint:noctx // it outlives whoever asked
	cmd.Env = browserEnviron(os.Environ())
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
