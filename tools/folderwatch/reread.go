package folderwatch

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pawl/tools/workspace"
)

// around is what holds in a folder because of those around it.
type around struct {
	whose verdict         // on a folder that was moved to where it is
	due   due             // what must be looked at below it; dueRules: other ignore rules hold than before
	rules workspace.Rules // of the folder around
}

// chunk is how many files of one folder are looked at in one go.
const chunk = 256

// restat looks at the files of a folder in which no name has changed.
func (k *walk) restat(d *folder, at openDir, now stamp, from around) around {
	k.files.Add(int64(len(d.files)))
	var parts sync.WaitGroup
	var again, left atomic.Bool
	for part := range slices.Chunk(d.files, chunk) {
		k.side(&parts, func() {
			for i := range part {
				is, err := at.stat(part[i].name)
				switch {
				case err != nil:
					left.Store(true)
				case is.kind == nothing || is.kind == directory: // it was changed this very moment
					again.Store(true)
				case is != part[i].stamp || part[i].racy:
					if k.compare(d, &part[i], is, at, from.whose) {
						left.Store(true)
					}
				}
			}
		})
	}
	parts.Wait()
	d.again = again.Load()
	if left.Load() {
		d.due = dueItself
	}
	if ignore, found := slices.BinarySearchFunc(d.files, ignoreFile, byName); found && d.files[ignore].stamp != d.ignores {
		return k.reread(d, at, now, from)
	}
	from.rules = d.rules
	return from
}

// compare takes in what stands at the name of a file of the table, where that is not what stood
// there. It reports that it is to be looked at again.
func (k *walk) compare(d *folder, f *file, is stamp, at openDir, whose verdict) (again bool) {
	same := is.untouched(f.stamp) || is.kind == special && f.kind == special && is.inode == f.inode // it holds nothing
	if same && k.holdsStill(f, at) {
		k.noteLink(is, f.stamp)
		f.stamp, f.racy = is, k.racy(is)
		return false
	}
	if is.inode == f.inode && is.changed == f.changed {
		return true // its size goes before its time: somebody is about to change it
	}
	whose = max(whose, k.by.of(is.changed))
	path := d.at(f.name)
	if whose == own && k.w.isWritten(path) {
		whose = later
	}
	if whose == later {
		return true
	}
	k.noteLink(is, f.stamp)
	next := k.fileOf(f.name, is, at)
	if whose == own {
		k.report(difference{path: path, before: *f, after: next})
	}
	*f = next
	return false
}

// holdsStill says whether a file whose times alone may have changed holds what it held. What it
// held is not always known: then its times are believed.
func (k *walk) holdsStill(f *file, at openDir) bool {
	if f.kind != regularFile || f.held != kept && f.held != blob {
		return true
	}
	content, _, err := at.read(f.name, maxContent)
	return err == nil && f.holds(content)
}

// noteLink notes that a file has got a name here beside the one that it is known by.
func (k *walk) noteLink(is, was stamp) {
	if is.linked && (!was.linked || is.inode != was.inode) {
		k.links.Store(true)
	}
}

// fileOf is what the table has of a file that nobody has read yet.
func (k *walk) fileOf(name string, is stamp, at openDir) file {
	f := file{name: name, stamp: is, racy: k.racy(is)}
	switch is.kind {
	case regularFile:
		k.w.fresh.Store(true)
	case link:
		f.target, _ = at.readlink(name)
	case nothing, directory, special:
	}
	return f
}

const ignoreFile = ".gitignore"

// reread reads the names of a folder and brings its part of the table up to them.
func (k *walk) reread(d *folder, at openDir, now stamp, from around) around {
	names, err := at.names(filepath.Join(k.w.folder, filepath.FromSlash(d.path)))
	if err != nil {
		d.again, d.due = true, max(d.due, from.due)
		return from
	}
	slices.SortFunc(names, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	from = k.readRules(d, at, names, from)
	r := reading{walk: k, d: d, at: at, dir: now, whose: from.whose, names: names}
	r.readFiles()
	r.readFolders()
	d.files, d.folders, d.again = r.files, r.folders, r.again
	d.stamp, d.racy = now, k.racy(now)
	return from
}

// readRules reads the ignore file of a folder where that has changed.
func (k *walk) readRules(d *folder, at openDir, names []fs.DirEntry, from around) around {
	var is stamp
	if hasName(names, ignoreFile) {
		is, _ = at.stat(ignoreFile)
	}
	if is != d.ignores {
		from.due = dueRules
	}
	if from.due == dueRules {
		d.ignores, d.rules = is, from.rules
		switch {
		case d == k.w.top:
			d.rules = k.w.files.RulesAt(".")
		case is.kind != nothing:
			d.rules = k.w.files.RulesIn(d.path, from.rules)
		}
	}
	from.rules = d.rules
	return from
}

func hasName(names []fs.DirEntry, name string) bool {
	_, found := slices.BinarySearchFunc(names, name, func(e fs.DirEntry, name string) int { return cmp.Compare(e.Name(), name) })
	return found
}

// reading is one folder whose names are read.
type reading struct {
	*walk
	d     *folder
	at    openDir
	dir   stamp
	whose verdict
	names []fs.DirEntry // all of them, in order

	files   []file
	folders []*folder
	again   bool
}

// shows says that a name is watched.
func (r *reading) shows(name string, folder bool) bool {
	path := r.d.at(name)
	temporary := strings.HasPrefix(name, ".pawl-") && strings.HasSuffix(name, ".tmp") // of the workspace
	return !temporary && !r.w.own[path] && !r.d.rules.Hides(path, folder)
}

func (r *reading) readFiles() {
	r.files = make([]file, 0, len(r.names))
	for _, entry := range r.names {
		name := entry.Name()
		if entry.IsDir() || !r.shows(name, false) {
			continue
		}
		is, err := r.at.stat(name)
		if err != nil || is.kind == nothing || is.kind == directory { // it was changed this very moment
			r.again = true
			continue
		}
		r.walk.files.Add(1)
		if old, found := slices.BinarySearchFunc(r.d.files, name, byName); found {
			f := r.d.files[old]
			if is != f.stamp || f.racy {
				r.again = r.compare(r.d, &f, is, r.at, r.whose) || r.again
			}
			r.files = append(r.files, f)
			continue
		}
		r.newFile(name, is)
	}
	var stay []file
	for _, f := range r.d.files {
		if _, there := slices.BinarySearchFunc(r.files, f.name, byName); !there && !r.goneFile(f) {
			stay = append(stay, f)
		}
	}
	r.files = append(r.files, stay...)
	slices.SortFunc(r.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

func (r *reading) newFile(name string, is stamp) {
	whose, path := max(r.whose, r.by.of(is.changed)), r.d.at(name)
	if whose == own && r.w.isWritten(path) {
		whose = later
	}
	if whose == later {
		r.again = true
		return
	}
	r.noteLink(is, stamp{})
	f := r.fileOf(name, is, r.at)
	if whose == own {
		r.report(difference{path: path, after: f})
	}
	r.files = append(r.files, f)
}

// goneFile says that a file goes out of the table that stands there no more, or is ignored by now.
func (r *reading) goneFile(f file) bool {
	return r.gone(f.name, false, func() { r.report(difference{path: r.d.at(f.name), before: f}) })
}

// gone says that what stood at a name goes out of the table, and reports it where that is the
// ended command's doing.
func (r *reading) gone(name string, folder bool, report func()) bool {
	if hasName(r.names, name) && !r.shows(name, folder) {
		return true
	}
	whose := r.by.of(r.dir.changed)
	if whose == own && r.w.isWritten(r.d.at(name)) {
		whose = later
	}
	switch whose {
	case later:
		r.again = true
	case own:
		report()
	case others:
	}
	return whose != later
}

func (r *reading) readFolders() {
	for _, entry := range r.names {
		name := entry.Name()
		if !entry.IsDir() || !r.shows(name, true) {
			continue
		}
		if old, found := slices.BinarySearchFunc(r.d.folders, name, folderByName); found {
			r.folders = append(r.folders, r.d.folders[old])
			continue
		}
		r.folders = append(r.folders, &folder{name: name, path: r.d.at(name)})
	}
	var stay []*folder
	for _, below := range r.d.folders {
		if _, there := slices.BinarySearchFunc(r.folders, below.name, folderByName); there {
			continue
		}
		if r.goneFolder(below) {
			r.w.events.drop(below)
		} else {
			stay = append(stay, below)
		}
	}
	r.folders = append(r.folders, stay...)
	slices.SortFunc(r.folders, func(a, b *folder) int { return cmp.Compare(a.name, b.name) })
}

func (r *reading) goneFolder(below *folder) bool {
	return r.gone(below.name, true, func() {
		below.each(func(in *folder, f *file) { r.report(difference{path: in.at(f.name), before: *f}) })
	})
}
