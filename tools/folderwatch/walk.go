package folderwatch

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
)

// difference is a file that does not stand as the table had it, and was changed by the command
// that has ended.
type difference struct {
	path          string
	before, after file // kind nothing: there is none
	nested        bool // path is a folder with a repository of its own, and before and after its index
}

// walk brings the table up to what stands in the folder now. What a command that is still at work
// may have changed is left for its end.
type walk struct {
	w       *Watch
	by      judge
	began   int64         // by the clock for files: what is changed from here on is racy
	halted  func() error  // an error: go no further
	blobs   func()        // called when a file was found that git has; nil: nobody
	helpers chan struct{} // holds one for each further goroutine at work
	all     sync.WaitGroup
	files   atomic.Int64

	mu    sync.Mutex
	found []difference
	err   error
}

// run walks the whole folder.
func (k *walk) run() error {
	top, err := openTop(k.w.folder)
	if err != nil {
		return err
	}
	k.began = fileNow()
	k.visit(k.w.top, top, around{})
	k.all.Wait()
	slices.SortFunc(k.found, func(a, b difference) int { return cmp.Compare(a.path, b.path) })
	return k.err
}

// side runs something on another goroutine where one is free, else here.
func (k *walk) side(group *sync.WaitGroup, do func()) {
	select {
	case k.helpers <- struct{}{}:
		group.Go(func() {
			defer func() { <-k.helpers }()
			do()
		})
	default:
		do()
	}
}

func (k *walk) stopped() bool {
	err := k.halted()
	if err == nil && k.files.Load() > maxFiles {
		err = errTooMany
	}
	if err == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = cmp.Or(k.err, err)
	return true
}

func (k *walk) racy(s stamp) bool { return latest(s.changed) >= k.began }

func (k *walk) report(d difference) {
	if k.blobs != nil && d.before.held == blob {
		k.blobs()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.found = append(k.found, d)
}

// visit looks at a folder and at all below it.
func (k *walk) visit(d *folder, at openDir, from around) {
	defer at.close()
	now, err := at.stamp()
	if err != nil || k.stopped() {
		return
	}
	if now.inode != d.stamp.inode { // it is new, or was moved here
		whose := k.by.of(now.changed)
		if whose == later && d != k.w.top {
			d.again = true
			return
		}
		if d != k.w.top {
			from.whose = max(from.whose, whose)
		}
		from.stale = true
	}
	reread := from.stale || d.again || d.racy || now != d.stamp
	if (reread || d.nested.kind != nothing) && k.nested(d, at, from) {
		return
	}
	if reread {
		from = k.reread(d, at, now, from)
	} else {
		from = k.restat(d, at, now, from)
	}
	for _, below := range d.folders {
		k.descend(d, below, at, from)
	}
}

// descend visits a folder that is among those of d.
func (k *walk) descend(d, below *folder, at openDir, from around) {
	to, err := at.open(below.name)
	switch {
	case errors.Is(err, fs.ErrPermission): // nobody looks into it
	case err != nil: // it has gone since
		d.again = true
	default:
		k.side(&k.all, func() { k.visit(below, to, from) })
	}
}

// nested says that a folder is that of a repository inside a checkout: git keeps its files apart,
// so nobody looks into it.
func (k *walk) nested(d *folder, at openDir, from around) bool {
	if !k.w.checkout || d == k.w.top {
		return false
	}
	now, err := at.stat(".git")
	if err != nil || now.kind == nothing {
		d.nested = stamp{}
		return false
	}
	if index, err := at.below(".git"); err == nil {
		now, _ = index.stat("index")
		index.close()
	}
	if now == d.nested {
		return true
	}
	switch whose := max(from.whose, k.by.of(now.changed)); whose {
	case later:
		return true
	case own:
		k.report(difference{path: d.path, nested: true, before: nestedFile(d.nested), after: nestedFile(now)})
	case others:
	}
	d.nested, d.files, d.folders, d.again = now, nil, nil, true
	return true
}

func nestedFile(is stamp) file {
	if is.kind != nothing {
		is.kind = special
	}
	return file{stamp: is}
}
