package folderwatch

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"time"
	"unicode/utf8"

	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// Bounds of what one command's changes may take.
const (
	maxContent   = 64 << 20        // bytes of one file
	maxBatch     = 32 << 20        // bytes that are held at once
	maxChanges   = 5000            // files that are told
	keepLimit    = 3 * time.Second // to read and keep what was changed
	stoppedLimit = 500 * time.Millisecond
)

// keeping makes changes of differences: it finds what files held, and keeps it and what they hold.
type keeping struct {
	w       *Watch
	ctx     context.Context
	top     openDir
	git     *fromGit // started already; nil: not
	changes []lifecycle.FileChange
	kept    bool // something was
}

// changesOf tells differences as changes. git may be started already. Its caller has the turn.
func (w *Watch) changesOf(ctx context.Context, found []difference, git *fromGit) (changes []lifecycle.FileChange, unwatched string) {
	k := &keeping{w: w, git: git}
	defer k.endGit()
	if len(found) == 0 {
		return nil, ""
	}
	ending := ctx
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit)
	defer cancel()
	defer context.AfterFunc(ending, func() { time.AfterFunc(stoppedLimit, cancel) })()
	top, err := openTop(w.folder)
	if err != nil {
		return nil, err.Error()
	}
	defer top.close()
	k.ctx, k.top = ctx, top
	if len(found) > maxChanges {
		unwatched = fmt.Sprintf("it changed %d files: the first %d are told", len(found), maxChanges)
		found = found[:maxChanges]
	}
	for len(found) > 0 {
		found = found[k.batch(found):]
	}
	if k.kept {
		if err := w.options.Store.Sync(); err != nil {
			unwatched = "what the files hold could not be kept: " + err.Error()
		}
	}
	return k.changes, unwatched
}

// batch makes changes of the first differences, as many as can be held in memory at once.
func (k *keeping) batch(found []difference) (done int) {
	var all []*content
	var size int64
	for _, one := range found {
		size += one.before.size + one.after.size
		if done > 0 && size > maxBatch {
			break
		}
		done++
		all = append(all, k.read(one))
	}
	k.askGit(all)
	for _, c := range all {
		if c.same() {
			k.note(c, c.before.held, c.before.sum)
		} else {
			k.tell(c)
		}
	}
	return done
}

// content is a difference with what is known of what it is about.
type content struct {
	difference
	was, is []byte // nil: not known
	hash    string // of was, where it is kept already
	why     string // why it is not covered
	unread  string // why what it holds now was not read
}

// read reads what a file holds now, and what is kept of what it held.
func (k *keeping) read(d difference) *content {
	c := &content{difference: d}
	switch {
	case d.nested:
		c.why = "a git repository of its own: nobody looks into it"
		return c
	case d.before.kind == special || d.after.kind == special:
		c.why = "a pipe, a socket or a device: such files are not kept"
	case d.before.kind == regularFile && d.before.size > maxContent:
		c.why = errTooLarge.Error()
	}
	switch d.after.kind {
	case link:
		c.is = []byte(d.after.target)
	case regularFile:
		k.readFile(c)
	case nothing, directory, special:
	}
	switch {
	case c.before.kind == link:
		c.was = []byte(c.before.target)
	case c.before.kind != regularFile:
	case c.before.held == kept && k.w.options.Store.Has(c.before.hash()):
		c.hash = c.before.hash()
	case c.is != nil && c.after.kind == regularFile && c.isStill():
		c.was = c.is
	}
	return c
}

// isStill says that a file holds what it held, as far as that is known.
func (c *content) isStill() bool {
	return c.before.held == blob && c.before.holds(c.is) || c.before.untouchedBut(c.after.stamp)
}

// untouchedBut reports that of a file nothing but mode and ctime have changed.
func (f *file) untouchedBut(now stamp) bool {
	now.perm = f.perm
	return now.untouched(f.stamp)
}

// same says that nothing has changed but times.
func (c *content) same() bool {
	if c.before.kind != c.after.kind || c.before.perm != c.after.perm && c.after.kind == regularFile {
		return false
	}
	switch {
	case c.nested || c.after.kind == special:
		return false
	case c.after.kind == link:
		return c.before.target == c.after.target
	case c.hash != "":
		return c.is != nil && filestore.Hash(c.is) == c.hash
	}
	return c.was != nil && c.is != nil && string(c.was) == string(c.is)
}

// readFile reads a file as it is now, which may no longer be as it was a moment ago.
func (k *keeping) readFile(c *content) {
	if err := k.w.readable(c.path); err != nil {
		c.unread = err.Error()
		return
	}
	if c.after.size > maxContent {
		c.unread = errTooLarge.Error()
		return
	}
	if k.ctx.Err() != nil {
		c.unread = errKeepLimit.Error()
		return
	}
	in, err := k.top.below(path.Dir(c.path))
	if err != nil {
		c.unread = err.Error()
		return
	}
	defer in.close()
	text, now, err := in.read(path.Base(c.path), maxContent)
	if err != nil {
		c.unread = err.Error()
		return
	}
	c.is, c.after.stamp = text, now
}

// askGit finds what files held that were as git has them.
func (k *keeping) askGit(all []*content) {
	var ids [][20]byte
	for _, c := range all {
		if c.wanted() && k.w.readable(c.path) != nil {
			c.why = errUnreadable.Error()
		}
		if c.wanted() {
			ids = append(ids, [20]byte(c.before.sum[:]))
		}
	}
	if len(ids) == 0 || k.w.options.Repository == nil {
		return
	}
	git := k.git
	if k.git = nil; git == nil {
		git = k.w.startGit(k.ctx)
	}
	answer := git.ask(k.ctx, ids)
	for _, c := range all {
		if !c.wanted() {
			continue
		}
		if answer.err != nil {
			c.why = answer.err.Error()
			continue
		}
		c.was = asCheckedOut(answer.blobs[[20]byte(c.before.sum[:])], c.before.size)
	}
}

// endGit lets a git that nobody has asked end.
func (k *keeping) endGit() {
	if k.git != nil {
		k.git.ask(k.ctx, nil)
	}
}

func (c *content) wanted() bool {
	return c.before.kind == regularFile && c.before.held == blob && c.was == nil && c.why == ""
}

// tell keeps what a file held and holds, and adds the change.
func (k *keeping) tell(c *content) {
	change := lifecycle.FileChange{Path: c.path, Before: c.before.state(), After: c.after.state()}
	if c.hash == "" && c.was != nil && c.before.kind != nothing {
		hash, err := k.keep(c.was, "")
		if err == nil {
			c.hash = hash
		} else {
			c.why = err.Error()
		}
	}
	change.Before.Hash = c.hash
	if c.is != nil {
		hash, err := k.keep(c.is, c.hash)
		change.After.Hash, change.After.Size = hash, int64(len(c.is))
		if err == nil {
			k.note(c, kept, sumOf(c.is))
		} else {
			k.note(c, unkept, [32]byte{})
		}
	}
	change.Uncovered = c.uncovered()
	if !utf8.ValidString(change.Path) {
		change.Path, change.Uncovered = strconv.Quote(change.Path), lifecycle.Nameless
	}
	k.changes = append(k.changes, change)
}

// note puts into the table what is known of what a file holds.
func (k *keeping) note(c *content, held holding, sum [32]byte) {
	if f := k.w.top.find(c.path); f != nil && f.kind == regularFile {
		f.racy = f.racy || f.stamp != c.after.stamp // it was changed since the walk
		f.stamp, f.held, f.sum = c.after.stamp, held, sum
	}
}

func (k *keeping) keep(text []byte, like string) (string, error) {
	hash, err := k.w.options.Store.Keep(text, like)
	k.kept = k.kept || err == nil
	return hash, err
}

// uncovered says why a file cannot be put back as it was.
func (c *content) uncovered() string {
	switch {
	case c.why != "":
		return c.why
	case c.unread != "":
		return c.unread
	case c.before.kind == nothing || c.hash != "":
		return ""
	}
	return c.before.held.reason()
}

func (h holding) reason() string {
	switch h {
	case tooLarge:
		return "what it held before is not kept: it was larger than 1 MB and not in git"
	case forbidden:
		return errUnreadable.Error()
	case tooMuch:
		return "what it held before is not kept: 64 MB of files that are not in git are kept already"
	case blob:
		return "what it held before is not what git holds of it"
	case unknown, kept, unkept:
	}
	return "what it held before was not known"
}
