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

// rememberLimit is how long the start or end of a command may wait for a busy database, so that
// a stop does not take longer.
const rememberLimit = 500 * time.Millisecond

// CommandChanges remembers which files that need trust were created or changed by commands. Perhaps
// nobody meant them, so --trust does not cover them, in whatever folder they turn up; a person's
// yes to the question does.
//
//	before a command: the digests of what is there ─► the fact "commands:FOLDER"
//	after it: what is new is a fact by its content, "left:FILE:DIGEST", and the first one goes
//
// While the first fact is there a command is running, or its Pawl has died: whoever opens the
// folder then compares.
type CommandChanges struct {
	base   *base.Base
	mu     sync.Mutex
	before map[string]map[string]string // of running commands: by folder, the digests by file
	alive  map[string]int               // running commands, by folder
	dirty  bool                         // something could not be stored
	trees  *trees                       // of what a session has read when it was opened
}

// NewCommandChanges returns an empty CommandChanges that stores to the database of b.
func NewCommandChanges(b *base.Base) *CommandChanges {
	return &CommandChanges{base: b, before: map[string]map[string]string{}, alive: map[string]int{}, trees: newTrees()}
}

// Around implements the field of tools.Launcher. A command in a worktree may change the
// session's own folder too if its sandbox is off.
func (l *CommandChanges) Around(folder string) (ended func()) {
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

func (l *CommandChanges) begin(folder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.alive[folder]++; l.alive[folder] > 1 {
		return // changes since then may be the other command's
	}
	l.before[folder] = l.sums(folder)
	l.keep(folder, l.before[folder])
}

func (l *CommandChanges) end(folder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.alive[folder]--
	now := l.sums(folder)
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

// keep stores the first fact. Once something could not be stored it leaves that fact as it is,
// for the next start to find.
func (l *CommandChanges) keep(folder string, sums map[string]string) {
	if l.dirty {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), rememberLimit)
	defer cancel()
	l.note(noteSums(ctx, l.base, folder, sums))
}

func (l *CommandChanges) note(err error) {
	if err != nil {
		l.dirty = true
		slog.Error("remember what commands leave", "error", err)
	}
}

// sums are the digests of what needs trust in a folder, by file.
func (l *CommandChanges) sums(folder string) map[string]string {
	there := *l.base
	there.World.Folder = folder
	p := readParts(&there, false)
	sums := sumsOf(l.trees.conventions(p.folder, p.top()))
	for _, one := range p.Parts {
		sums[one.File] = trust.Digest(one.content)
	}
	return sums
}

// Know takes over what was read of a folder's files when a session was opened, so that the first
// command need not wait for that.
func (l *CommandChanges) Know(p *Project) { l.trees = p.read.trees }

func leftName(file, sum string) string { return "left:" + leftOf(file) + ":" + sum }

// markLeft stores what is there now and was not before.
func markLeft(ctx context.Context, b *base.Base, before, now map[string]string) error {
	var all []error
	for file, sum := range now {
		if before[file] != sum {
			all = append(all, b.Facts().SetFact(ctx, leftName(file, sum), "yes"))
		}
	}
	return errors.Join(all...)
}

// noteSums stores what was in a folder before a command; nil if none runs. It does not write an
// unchanged value.
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

// markLost marks what commands left whose Pawl has died, and returns which files of a folder these
// are. If that cannot be stored, it holds for this call.
func markLost(ctx context.Context, b *base.Base, folder string, now map[string]string) (map[string]bool, error) {
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
		slog.Warn("remember what a command left", "error", err) // a read-only database
		return files, nil
	}
	if err := noteSums(ctx, b, folder, now); err != nil {
		slog.Warn("remember what a command left", "error", err)
	}
	return files, nil
}
