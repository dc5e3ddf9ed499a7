package folderwatch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pawl/lifecycle"
	"pawl/tools/git"
	"pawl/tools/workspace"
)

// Bounds of a folder, and of the time that it may take to look at one.
const (
	maxFiles      = 200_000                // some 40 MB of memory
	maxUnreported = 90_000                 // of them in folders of which the kernel does not tell: some 150 ms a command on two processors
	firstLimit    = 10 * time.Second       // for the first walk, in the background
	walkLimit     = 2 * time.Second        // for each later one
	firstWait     = 500 * time.Millisecond // of a command, for that
	keepWait      = 250 * time.Millisecond // of the first command, until what nobody else has is kept
	freshFor      = 200 * time.Millisecond // a walk is not repeated within
	wholeAfter    = 30 * time.Second       // in the background all is looked at again, for what the kernel does not tell
)

var (
	errTooMany           = fmt.Errorf("it has more than %d files", maxFiles)
	errTooManyUnreported = fmt.Errorf("it has more than %d files, of whose changes the system does not tell", maxUnreported)
	errTooSlow           = errors.New("to look at its files takes too long")
	errNotRegular        = errors.New("not a regular file")
	errTooLarge          = errors.New("larger than 64 MB")
	errKeepLimit         = errors.New("too much was changed at once to keep all of it")
	errStopped           = errors.New("the command was stopped, and to look at its files took longer than a stop may")
	errInterrupted       = errors.New("a command has ended")
	errClosed            = errors.New("the session ends")
	errFAT               = errors.New("it is on a FAT file system, which does not tell when files were changed")
	errNoSuchSystem      = errors.New("this system does not tell when files were changed")
	errNotYetScanned     = errors.New("its files were still being looked at for the first time when the command began")
)

// Store keeps the bytes of files: a *filestore.Store.
type Store interface {
	Keep(content []byte, like string) (hash string, err error)
	Read(hash string) ([]byte, error)
	Has(hash string) bool
	Sync() error
}

// Options are what a Watch works with.
type Options struct {
	Store Store
	// Repository gives git for the bytes of files that are as they were committed or staged; the
	// error says why it is not run. Nil: there is none.
	Repository func() (git.Repository, error)
	// Readable refuses files, by their paths relative to the folder, of which nothing may be kept.
	// Nil refuses none.
	Readable func(path string) error
	// NetworkFileSystem names the network file system that a folder is on, whose times are those of
	// another machine; empty: it is local. Nil: all are.
	NetworkFileSystem func(folder string) (name string, err error)
	// Own are whole paths of Pawl's own folders, which are not looked into.
	Own []string

	deaf bool // the kernel is not asked to tell of changes
}

// Watch knows how the files of one folder stand. Its methods may be called from any goroutine.
type Watch struct {
	folder   string // absolute, without links
	options  Options
	budget   *budget
	files    *workspace.Workspace // for the rules of what is ignored
	own      map[string]bool      // relative paths that are not looked into
	checkout bool
	ready    chan struct{} // closed when the first walk is done
	learned  chan struct{} // closed when what nobody else has was first kept

	turn   sync.Mutex // of the one that walks: it guards the table and what follows
	top    *folder
	tells  bool         // the kernel may tell of changes
	asked  bool         // to do so
	events *events      // nil: it does not
	missed bool         // it may have told of something that was missed
	whole  time.Time    // when all was last looked at
	keeps  atomic.Bool  // a command was begun: before that nothing is kept
	fresh  atomic.Bool  // files may be of unknown content
	waits  atomic.Int32 // ends of commands that wait for the turn: whoever has it lets them

	mu         sync.Mutex        // guards what follows, and is never held while files are looked at
	off        error             // why nothing is watched
	commands   []*Command        // at work
	elsewhere  []lifecycle.RunID // whose commands other processes watch
	written    []written         // by file tools, and not yet in the table
	writing    map[string]int
	refreshing bool
	again      bool      // after that once more
	keepBy     time.Time // until when commands wait for learned
	looked     time.Time // when the last walk ended
	background sync.WaitGroup
	closed     bool
}

// budget bounds what a session takes: of bytes of files that are kept because nobody else has them, and
// of the kernel.
type budget struct {
	used         atomic.Int64 // bytes
	told, queues atomic.Int64 // folders of which the kernel tells, and queues in which it does
}

// newWatch opens a folder and begins to look at it.
func newWatch(path string, o Options, b *budget) *Watch {
	w := &Watch{
		folder: path, options: o, budget: b, own: map[string]bool{}, ready: make(chan struct{}), learned: make(chan struct{}),
		top: &folder{path: "."}, writing: map[string]int{},
	}
	if w.off = w.open(); w.off != nil {
		close(w.ready)
		return w
	}
	w.Refresh()
	return w
}

// open opens the folder. Its error says why it is not watched.
func (w *Watch) open() (err error) {
	if !supported {
		return errNoSuchSystem
	}
	if isFAT(w.folder) {
		return errFAT
	}
	if network := w.options.NetworkFileSystem; network != nil {
		if name, err := network(w.folder); err == nil && name != "" {
			return fmt.Errorf("it is on a network file system (%s)", name)
		}
	}
	if w.files, err = workspace.Open(w.folder); err != nil {
		return err
	}
	w.folder, w.checkout = w.files.Folder(), git.Look(w.folder).Top != ""
	w.tells = !w.options.deaf && isTold(w.folder)
	for _, one := range w.options.Own {
		if inside, ok := w.files.Inside(one); ok {
			w.own[inside] = true
		}
	}
	return nil
}

// close ends what goes on in the background, and waits for it.
func (w *Watch) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.background.Wait()
	w.turn.Lock()
	defer w.turn.Unlock()
	w.listenNoMore()
	if w.files != nil {
		_ = w.files.Close() // it was only read
	}
}

// Folder is what it watches: absolute, without links.
func (w *Watch) Folder() string { return w.folder }

// Unwatched says why the folder is not watched; empty: it is.
func (w *Watch) Unwatched() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.off == nil {
		return ""
	}
	return w.off.Error()
}

// Refresh takes in, in the background, what others have changed. It costs little where nothing was,
// and nothing where one is under way or just was. It never waits.
func (w *Watch) Refresh() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = w.again || w.refreshing && w.fresh.Load()
	if w.closed || w.off != nil || w.refreshing || time.Since(w.looked) < freshFor && !w.fresh.Load() {
		return
	}
	w.refreshing = true
	w.background.Go(w.refresh)
}

func (w *Watch) refresh() {
	w.turn.Lock()
	first := w.isFirst()
	limit, helpers := walkLimit, 0
	if first {
		limit, helpers = firstLimit, runtime.GOMAXPROCS(0)-1
	}
	deadline := time.Now().Add(limit)
	w.takeWritten()
	k := &walk{w: w, whole: time.Since(w.whole) > wholeAfter, by: judge{first: w.firstMark}, helpers: make(chan struct{}, helpers), halted: func() error { return w.halted(deadline, first) }}
	err := k.run()
	w.refreshed(err)
	if err == nil {
		if first {
			close(w.ready)
		}
		w.learn()
	}
	w.turn.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refreshing = w.again && !w.closed && w.off == nil
	if w.again = false; w.refreshing {
		w.background.Go(w.refresh)
	}
}

func (w *Watch) isFirst() bool {
	select {
	case <-w.ready:
		return false
	default:
		return true
	}
}

// halted says why a walk in the background goes no further.
func (w *Watch) halted(deadline time.Time, first bool) error {
	w.mu.Lock()
	closed := w.closed
	w.mu.Unlock()
	switch {
	case closed:
		return errClosed
	case !first && w.waits.Load() > 0:
		return errInterrupted
	case time.Now().After(deadline):
		return errTooSlow
	}
	return nil
}

// refreshed notes how a walk has ended.
func (w *Watch) refreshed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err == nil:
		w.looked = time.Now()
	case errors.Is(err, errInterrupted) || errors.Is(err, errStopped) || errors.Is(err, errClosed):
	default:
		w.off = err
		w.listenNoMore()
		if w.isFirst() {
			close(w.ready)
		}
	}
}

// listen takes in what the kernel has told, which it is asked to do from the first command on. It
// reports whether all must be looked at. Its caller has the turn, as that of listenNoMore.
func (w *Watch) listen() (all bool) {
	if w.tells && !w.asked && w.keeps.Load() {
		w.asked, w.missed = true, true
		w.events = newEvents(w.folder, w.budget)
	}
	if w.events == nil {
		return true
	}
	w.missed = w.events.take() || w.missed
	return w.missed
}

func (w *Watch) listenNoMore() {
	w.events.close()
	w.events = nil
}

// firstMark is when the first of the commands began that are at work.
func (w *Watch) firstMark() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := int64(math.MaxInt64)
	for _, one := range w.commands {
		first = min(first, one.mark.now())
	}
	return first
}

// Begin notes that a command begins in the folder. call is empty for a shell in the background.
// It waits, shortly, for the first look at the folder, and the first time until what nobody else has of
// it is kept. Call End when nothing of the command is left.
func (w *Watch) Begin(ctx context.Context, run lifecycle.RunID, call lifecycle.CallID) *Command {
	c := &Command{w: w, run: run, call: call}
	await(ctx, w.ready, firstWait)
	w.keep(ctx)
	w.mu.Lock()
	switch {
	case w.off != nil:
		c.unwatched = w.off
	case w.isFirst():
		c.unwatched = errNotYetScanned
	default:
		c.mark = newMark()
		w.commands = append(w.commands, c)
	}
	w.mu.Unlock()
	if c.unwatched == nil {
		w.Refresh()
	}
	return c
}

func await(ctx context.Context, what <-chan struct{}, most time.Duration) {
	limit := time.NewTimer(most)
	defer limit.Stop()
	select {
	case <-what:
	case <-ctx.Done():
	case <-limit.C:
	}
}

// keep waits until what nobody else has is kept. It was not before the first command: many sessions
// only read.
func (w *Watch) keep(ctx context.Context) {
	w.mu.Lock()
	first := !w.keeps.Swap(true)
	if first {
		w.keepBy = time.Now().Add(keepWait)
	}
	watched, most := w.off == nil && !w.isFirst(), time.Until(w.keepBy)
	w.mu.Unlock()
	if first {
		w.fresh.Store(true)
		w.Refresh()
	}
	if watched {
		await(ctx, w.learned, most)
	}
}

// leave takes a command out of those at work, and gives the runs of the others.
func (w *Watch) leave(c *Command) (beside []lifecycle.RunID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.commands = slices.DeleteFunc(w.commands, func(one *Command) bool { return one == c })
	for _, one := range w.commands {
		beside = append(beside, one.run)
	}
	beside = slices.DeleteFunc(append(beside, w.elsewhere...), func(run lifecycle.RunID) bool { return run == c.run })
	slices.Sort(beside)
	return slices.Compact(beside)
}

// Beside says that a run works in the folder from another process, which finds what its commands
// change, until done is called: commands that end meanwhile name it.
func (w *Watch) Beside(run lifecycle.RunID) (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.elsewhere = append(w.elsewhere, run)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if i := slices.Index(w.elsewhere, run); i >= 0 {
			w.elsewhere = slices.Delete(w.elsewhere, i, i+1)
		}
	}
}
