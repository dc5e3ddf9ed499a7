package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging: "+err.Error())
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("name the folder of the release: go run ./internal/packaging dist")
	}
	r, err := readRelease(args[0], ownerOf(os.Getenv))
	if err != nil {
		return err
	}
	if err := r.writeNPM(); err != nil {
		return err
	}
	return r.writeTexts()
}

// owner is what the owner of the releases has chosen, all of it by variables.
type owner struct {
	address  string // of the newest release
	key      string // minisign's public key
	homepage string
	npm      string // the name of the package
}

func ownerOf(env func(string) string) owner {
	o := owner{address: env("PAWL_RELEASE_ADDRESS"), key: env("PAWL_RELEASE_KEY"), homepage: env("PAWL_HOMEPAGE"), npm: env("PAWL_NPM_NAME")}
	if o.npm == "" {
		o.npm = "pawl"
	}
	return o
}

// write puts a file below the folder of the release.
func (r *release) write(name string, text []byte, mode os.FileMode) error {
	path := filepath.Join(r.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // whatever the umask says
}
