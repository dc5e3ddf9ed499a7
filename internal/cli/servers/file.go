package servers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/pelletier/go-toml/v2"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/regular"
	"pawl/tools/mcp"
	"pawl/tools/process"
)

// longestFile limits a file that is changed, in bytes.
const longestFile = 1 << 20

// changeFile reads a file, changes its text and replaces it whole. One that a link leads to is
// replaced where it is. It ends with these permissions; 0: its owner's alone.
func changeFile(path string, mode os.FileMode, change func(text string) (string, error)) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := regular.Read(path, longestFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	next, err := change(string(text))
	if err != nil {
		return err
	}
	if err := regular.Replace(path, []byte(next)); err != nil {
		return fmt.Errorf("write %s: %w", base.ShortPath(path), err)
	}
	if mode != 0 {
		return os.Chmod(path, mode)
	}
	return nil
}

// changeProject changes the list of servers of a folder's file. A link out of the folder is not followed:
// the file there is another program's.
func changeProject(folder string, change func([]member) ([]member, error)) error {
	path := filepath.Join(folder, mcp.ProjectFile)
	if _, err := os.Stat(path); err == nil && !process.Inside(path, folder) {
		return fmt.Errorf("%s leads outside the folder through a symbolic link: replace it by a file, or change that by hand", mcp.ProjectFile)
	}
	return changeFile(path, modeOf(path), func(text string) (string, error) { return withList(text, change) })
}

// changeSettings changes the servers of a config.toml. What else it says must be the same
// afterwards, or nothing is written.
func changeSettings(path, name string, want *settings.Server, change func(text string) (string, error)) error {
	return changeFile(path, 0, func(text string) (string, error) {
		next, err := change(text)
		if err != nil {
			return "", err
		}
		was, before := decoded(text)
		is, after := decoded(next)
		if before != nil || after != nil || !sameBut(was, is, name, want) {
			return "", fmt.Errorf("%s is written in a way that this command does not change safely: edit [mcp.%s] by hand", base.ShortPath(path), name)
		}
		return next, nil
	})
}

func decoded(text string) (all map[string]any, err error) {
	return all, toml.Unmarshal([]byte(text), &all)
}

// sameBut reports whether two contents differ in one server alone, which is want in the second.
func sameBut(was, is map[string]any, name string, want *settings.Server) bool {
	wanted := map[string]any{}
	if want != nil {
		if all, err := decoded(tableOf(name, *want)); err == nil {
			wanted = all["mcp"].(map[string]any) //nolint:forcetypeassert // it was just written
		}
	}
	if found, ok := serversOf(is)[name]; ok != (want != nil) || ok && !reflect.DeepEqual(found, wanted[name]) {
		return false
	}
	return reflect.DeepEqual(without(was, name), without(is, name))
}

func serversOf(all map[string]any) map[string]any {
	servers, _ := all["mcp"].(map[string]any)
	return servers
}

// without is a content without a server, and without a table of servers that is empty then.
func without(all map[string]any, name string) map[string]any {
	rest := map[string]any{}
	for key, value := range all {
		rest[key] = value
	}
	servers := map[string]any{}
	for key, value := range serversOf(all) {
		if key != name {
			servers[key] = value
		}
	}
	if rest["mcp"] = servers; len(servers) == 0 {
		delete(rest, "mcp")
	}
	return rest
}
