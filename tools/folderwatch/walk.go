package folderwatch

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// difference is a file that does not stand as the table had it, and was changed by the command
// that has ended.
type difference struct {
	path          string
	before, after file // kind nothing: there is none
	nested        bool // path is a folder with a repository of its own, and before and after its index
}

// walk brings the table up to what stands in the folder now. What a command that is still at work
// may have changed is left for its end. It looks where something was changed, as far as the kernel
// tells that, else everywhere.
type walk struct {
	w          *Watch
	by         judge
	whole      bool          // it looks everywhere
	began      int64         // by the clock for files: what is changed from here on is racy
	halted     func() error  // an error: go no further
	blobs      func()        // called when a file was found that git has; nil: nobody
	helpers    chan struct{} // holds one for each further goroutine at work
	all        sync.WaitGroup
	files      atomic.Int64 // that it looked at
	unreported atomic.Int64 // of them in folders of which the kernel does not tell
	links      atomic.Bool  // a file has got another name: what it was known by may be anywhere

	mu    sync.Mutex
	found []difference
	err   error
}

// run looks at the folder. Its caller has the turn.
func (k *walk) run() error {
	k.began = fileNow()
	k.whole = k.w.listen() || k.whole
	if !k.whole {
		k.w.top.seek()
	}
	err := k.pass()
	if err == nil && !k.whole && k.links.Load() {
		k.whole = true
		err = k.pass()
	}
	if err == nil && k.whole {
		k.w.missed, k.w.whole = false, time.Now()
	}
	slices.SortStableFunc(k.found, func(a, b difference) int { return cmp.Compare(a.path, b.path) })
	return err
}

func (k *walk) pass() error {
	top, err := openTop(k.w.folder)
	if err != nil {
		return err
	}
	k.files.Store(0)
	k.unreported.Store(0)
	k.visit(k.w.top, top, around{})
	k.all.Wait()
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
	switch {
	case err != nil:
	case k.files.Load() > maxFiles:
		err = errTooMany
	case k.unreported.Load() > maxUnreported && (k.w.asked || !k.w.tells):
		err = errTooManyUnreported
	default:
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

// visit looks at a folder, and at those below it in which there is something to look at.
func (k *walk) visit(d *folder, at openDir, from around) {
	defer at.close()
	if k.stopped() {
		return
	}
	looks := k.whole || d.looks()
	if looks {
		k.watch(d, at) // before anything is looked at: what is changed from then on is told
	}
	now, err := at.stamp()
	if err != nil {
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
		d.due = dueRules
		if !looks {
			k.watch(d, at)
		}
		looks = true
	}
	if !looks {
		from.rules, from.due = d.rules, dueNothing
		k.descend(d, at, from, false)
		return
	}
	reread := d.due == dueRules || d.again || d.racy || now != d.stamp
	if (reread || d.nested.kind != nothing) && k.nested(d, at, from) {
		return
	}
	from.due, d.due = d.due, dueNothing
	if reread {
		from = k.reread(d, at, now, from)
	} else {
		from = k.restat(d, at, now, from)
	}
	d.linked = slices.ContainsFunc(d.files, func(f file) bool { return f.linked })
	if d.told == 0 {
		k.unreported.Add(int64(len(d.files)))
	}
	k.descend(d, at, from, k.whole || reread || from.due >= dueBelow)
}

// watch has the kernel tell of a folder. If it has not told of it until now, it may be another one than
// the table has, with all below it.
func (k *walk) watch(d *folder, at openDir) {
	if !k.w.events.watch(d, at) {
		d.due = max(d.due, dueBelow)
	}
}

// descend visits the folders in a folder: all, or those with something to look at.
func (k *walk) descend(d *folder, at openDir, from around, all bool) {
	for _, below := range d.folders {
		if from.due >= dueBelow {
			below.due = max(below.due, from.due) // also where nobody gets to it now
		}
		if !all && !below.inner && !below.looks() {
			continue
		}
		to, err := at.open(below.name)
		switch {
		case errors.Is(err, fs.ErrPermission): // nobody looks into it
		case err != nil: // it has gone since
			d.again = true
		default:
			k.side(&k.all, func() { k.visit(below, to, from) })
		}
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
	for _, below := range d.folders {
		k.w.events.drop(below)
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
