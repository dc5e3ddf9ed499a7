package doctor

import (
	"os"
	"path/filepath"
	"syscall"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/store"
)

// examineFolders checks the folders in which Pawl keeps its files, and whether it can write
// there.
func (e *Examination) examineFolders() {
	home := Finding{Name: "PAWL_HOME", Level: levelInfo, Says: "not set: the folders follow the XDG rules"}
	if set := e.env("PAWL_HOME"); set != "" {
		home = Finding{Name: "PAWL_HOME", Level: levelOK, Says: base.ShortPath(set), Value: set}
	}
	if err := settings.CheckHome(); err != nil {
		home.Level, home.Says = levelProblem, err.Error()
	}
	data := folder("data", e.folders.Data, levelProblem)
	if name, err := store.NetworkFileSystem(nearest(e.folders.Data)); err == nil && name != "" {
		data.Level = levelProblem
		data.Says += " is on a network file system (" + name + ")"
		data.Do = "set PAWL_HOME to a folder on a local disk"
	}
	// Pawl works without the other two: it only reads settings, and the log is for diagnosis.
	e.add("Folders", home, folder("config", e.folders.Config, levelInfo), data, space(e.folders.Data), folder("state", e.folders.State, levelNote))
}

// folder reports whether one of Pawl's folders can be written or could be made; if not, the
// finding has the level unfit.
func folder(name, path string, unfit level) Finding {
	found := Finding{Name: name, Level: levelOK, Says: base.ShortPath(path), Value: path}
	there := nearest(path)
	err := system.CheckWritable(there)
	if info, statErr := os.Stat(there); statErr == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil && there == path && unfit != levelInfo { // Pawl writes only rules into config
		err = refuses(path)
	}
	if err != nil {
		found.Level = unfit
		found.Says += " cannot be written (" + base.Reason(err) + ")"
		if there != path {
			found.Says = base.ShortPath(path) + " cannot be made: " + base.ShortPath(there) + " cannot be written (" + base.Reason(err) + ")"
		}
		if full := whyFull(err); full != "" {
			found.Do = full
		} else if unfit != levelInfo {
			found.Do = "make it writable, or set PAWL_HOME to another folder"
		}
		return found
	}
	if there != path {
		found.Level = levelInfo
		found.Says += ", made when it is needed"
	}
	return found
}

// nearest is the path itself or its nearest parent that exists.
func nearest(path string) string {
	for ; path != filepath.Dir(path); path = filepath.Dir(path) {
		if system.Exists(path) {
			break
		}
	}
	return path
}
