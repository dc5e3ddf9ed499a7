package remote

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"pawl/lifecycle"
)

// WorkIn says where the run works on this machine: an absolute path without links. What is
// recorded names the run's own folder instead. It is called before the loop begins.
func (p *Port) WorkIn(folder string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.folder = folder
}

// Folder is the run's own folder, as all but this process know it.
func (p *Port) Folder() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run.Folder
}

// here is a path in the run's own folder as it is on this machine. The lock is held.
func (p *Port) here(path string) string {
	if p.folder == "" {
		return path
	}
	return Moved(path, p.run.Folder, p.folder)
}

// atHome is a path on this machine as it is in the run's own folder.
func (p *Port) atHome(path string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.folder == "" {
		return path
	}
	return Moved(path, p.folder, p.run.Folder)
}

// textAtHome is what a model wrote, for the hooks of home: paths in the run's folder are its own.
func (p *Port) textAtHome(text []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.folder == "" || len(text) == 0 {
		return text
	}
	return []byte(MovedText(string(text), p.folder, p.run.Folder))
}

// eventsAtHome are events with the paths of the run's own folder.
func (p *Port) eventsAtHome(events []lifecycle.Event) []lifecycle.Event {
	moved := make([]lifecycle.Event, len(events))
	for i, e := range events {
		switch e := e.(type) {
		case lifecycle.FilesChanged:
			e.Folder = p.atHome(e.Folder)
			moved[i] = e
		case lifecycle.ToolEnded:
			e.Wrote = p.atHome(e.Wrote)
			moved[i] = e
		default:
			moved[i] = e
		}
	}
	return moved
}

// ownFolder refuses changes of files outside of a run's own folder by a process on another machine. A
// rewind would carry them out in that folder.
func ownFolder(run lifecycle.Run, events []lifecycle.Event) error {
	for _, e := range events {
		if e, ok := e.(lifecycle.FilesChanged); ok && e.Folder != run.Folder {
			return fmt.Errorf("its process records changes in %s, which is not its folder %s", e.Folder, run.Folder)
		}
	}
	return nil
}

// Moved is a path in one folder as it is in another that has the same content; a path that is
// not in it stays.
func Moved(path, from, to string) string {
	if path == "" {
		return ""
	}
	rel, err := filepath.Rel(from, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.Join(to, rel)
}

// MovedText is a text in which all paths of one folder are those of another.
func MovedText(text, from, to string) string {
	if from == "" || !strings.Contains(text, from) {
		return text
	}
	whole := regexp.MustCompile(regexp.QuoteMeta(from) + `([/\\"'\s):,;]|$)`)
	return whole.ReplaceAllString(text, strings.ReplaceAll(to, "$", "$$")+"$1")
}
