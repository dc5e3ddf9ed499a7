package project

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"pawl/internal/base"
	"pawl/internal/trust"
)

// rememberLimit is how long a command's start or end may wait for a database that
// somebody else keeps: a stop takes no longer.
const rememberLimit = 500 * time.Millisecond

// Leavings remembers what commands have left of the files that need trust: content
// that appeared, or changed, while one ran. Nobody may have meant it, so --trust does not
// cover it, in whichever folder it turns up; a person's yes in the question does.
//
//	before a command: the sums of what is there ─► the fact "commands:FOLDER"
//	after it: what is new is a fact by its content, "left:FILE:SUM", and the first one goes
//
// Where that stands, a command runs just now, or its Pawl has died: who opens the folder
// then compares.
type Leavings struct {
	base   *base.Base
	mu     sync.Mutex
	before map[string]map[string]string // by folder, the sums by file; of commands that run
	alive  map[string]int               // commands, by folder
	dirty  bool                         // something could not be remembered
}

// NewLeavings remembers nothing yet; what it remembers goes to the database of b.
func NewLeavings(b *base.Base) *Leavings {
	return &Leavings{base: b, before: map[string]map[string]string{}, alive: map[string]int{}}
}

// Around is process.Launcher's. A command in a worktree may change the session's own folder
// too, where its sandbox is off.
func (l *Leavings) Around(folder string) (ended func()) {
	folders := []string{l.base.World.Folder}
	if folder != "" && folder != l.base.World.Folder {
		folders = append(folders, folder)
	}
	for _, one := range folders {
		l.begin(one)
	}
	return func() {
		for _, one := range folders {
			l.end(one)
		}
	}
}

func (l *Leavings) begin(folder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alive[folder]++; l.alive[folder] > 1 {
		return // what is there by now may be the other's
	}
	l.before[folder] = sums(l.base, folder)
	l.keep(folder, l.before[folder])
}

func (l *Leavings) end(folder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alive[folder]--
	now := sums(l.base, folder)
	ctx, cancel := context.WithTimeout(context.Background(), rememberLimit)
	defer cancel()
	l.note(markLeft(ctx, l.base, l.before[folder], now))
	l.before[folder] = now
	if l.alive[folder] == 0 {
		l.keep(folder, nil)
		delete(l.before, folder)
		delete(l.alive, folder)
	}
}

// keep writes the first fact. Once something could not be remembered it stays as it is,
// so that the next start finds that.
func (l *Leavings) keep(folder string, sums map[string]string) {
	if l.dirty {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), rememberLimit)
	defer cancel()
	l.note(noteSums(ctx, l.base, folder, sums))
}

func (l *Leavings) note(err error) {
	if err != nil {
		l.dirty = true
		slog.Error("remember what commands leave", "error", err)
	}
}

// sums are those of what needs trust in a folder, by file.
func sums(b *base.Base, folder string) map[string]string {
	there := *b
	there.World.Folder = folder
	sums := map[string]string{}
	for _, one := range wishes(&there, false).Parts {
		sums[one.File] = trust.Digest(one.content)
	}
	return sums
}

func leftName(file, sum string) string { return "left:" + file + ":" + sum }

// markLeft remembers what is there now and was not before.
func markLeft(ctx context.Context, b *base.Base, before, now map[string]string) error {
	var all []error
	for file, sum := range now {
		if before[file] != sum {
			all = append(all, b.Facts().SetFact(ctx, leftName(file, sum), "yes"))
		}
	}
	return errors.Join(all...)
}

// noteSums keeps what was in a folder before a command; nil: none runs. What stands
// there already is not written again.
func noteSums(ctx context.Context, b *base.Base, folder string, sums map[string]string) error {
	name, value := trust.Folder{Path: folder}.FactName("commands:", ""), ""
	if sums != nil {
		lines := []string{"before"}
		for _, file := range slices.Sorted(maps.Keys(sums)) {
			lines = append(lines, sums[file]+" "+file)
		}
		value = strings.Join(lines, "\n")
	}
	if now, err := b.Facts().Fact(ctx, name); err == nil && now == value {
		return nil
	}
	return b.Facts().SetFact(ctx, name, value)
}

// lost marks what a command left whose Pawl has died, and says which files of a folder
// are such. What cannot be remembered is so for this call.
func lost(ctx context.Context, b *base.Base, folder string, now map[string]string) (map[string]bool, error) {
	value, err := b.Facts().Fact(ctx, trust.Folder{Path: folder}.FactName("commands:", ""))
	if err != nil || value == "" {
		return nil, err
	}
	before := map[string]string{}
	for _, line := range strings.Split(value, "\n")[1:] {
		sum, file, _ := strings.Cut(line, " ")
		before[file] = sum
	}
	files := map[string]bool{}
	for file, sum := range now {
		files[file] = before[file] != sum
	}
	if err := markLeft(ctx, b, before, now); err != nil {
		slog.Warn("remember what a command left", "error", err) // a database that is only read
		return files, nil
	}
	if err := noteSums(ctx, b, folder, now); err != nil {
		slog.Warn("remember what a command left", "error", err)
	}
	return files, nil
}
