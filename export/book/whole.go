package book

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// gather reads all runs once and keeps them without long texts, as they stood at record Upto.
// Those that have ended and were not changed since are used as they are; all others are folded
// from their records.
func (b *Book) gather(ctx context.Context) error {
	moved := map[lifecycle.RunID]bool{}
	for run, err := range b.Source.EachRun(ctx, b.Root) {
		if err != nil {
			return err
		}
		if run.Seq > b.Upto || !run.State.Terminal() {
			moved[run.ID] = true
		}
		b.Runs = append(b.Runs, b.short(run))
	}
	if err := b.fold(ctx, moved); err != nil {
		return err
	}
	then := b.Runs[:0]
	for _, run := range b.Runs {
		if moved[run.ID] {
			run = b.short(b.restless[run.ID])
		}
		if run.State != "" { // otherwise it was spawned later
			then = append(then, run)
		}
	}
	clear(b.Runs[len(then):])
	b.Runs = then
	return nil
}

// fold rebuilds some runs from the records as this export writes them, so that whoever folds
// those gets the same run. It starts at the time when the first of them was spawned; if that
// misses a beginning, because a clock was set back, it starts at the first record.
func (b *Book) fold(ctx context.Context, some map[lifecycle.RunID]bool) error {
	if len(some) == 0 {
		return nil
	}
	first, err := b.firstOf(ctx, some)
	if err != nil {
		return err
	}
	begun, err := b.foldAfter(ctx, some, first-1)
	if err == nil && first > 1 && begun < len(some) {
		_, err = b.foldAfter(ctx, some, 0)
	}
	return err
}

// firstOf is the first record at or after the time at which the first of some runs was spawned.
func (b *Book) firstOf(ctx context.Context, some map[lifecycle.RunID]bool) (lifecycle.Seq, error) {
	var first time.Time
	for _, run := range b.Runs {
		if some[run.ID] && (first.IsZero() || run.SpawnedAt.Before(first)) {
			first = run.SpawnedAt
		}
	}
	first = first.Truncate(time.Microsecond) // the database's precision
	var failed error
	n := sort.Search(int(b.Upto), func(n int) bool {
		if failed != nil {
			return true
		}
		rec, err := b.Source.Records(ctx, b.Root, lifecycle.Seq(n), 1)
		if failed = err; err != nil || len(rec) == 0 {
			return true
		}
		return !rec[0].Time.Before(first)
	})
	if failed != nil {
		return 0, fmt.Errorf("look for a run in the log: %w", failed)
	}
	return lifecycle.Seq(n + 1), nil
}

// foldAfter folds the records of some runs after a number, and returns how many of these runs it
// saw from their beginning.
func (b *Book) foldAfter(ctx context.Context, some map[lifecycle.RunID]bool, after lifecycle.Seq) (begun int, err error) {
	pieces := NewPieces(b.Mask)
	for id := range some {
		delete(b.restless, id)
	}
	err = b.Source.eachAfter(ctx, b.Root, min(after, b.Upto), b.Upto, func(rec lifecycle.Record) error {
		if !some[rec.Run] {
			return nil
		}
		_, met := b.restless[rec.Run]
		if _, born := rec.Event.(lifecycle.Spawned); born {
			begun++
		} else if !met && after > 0 {
			return nil
		}
		next, err := b.restless[rec.Run].Apply(pieces.Mask(rec))
		if err != nil {
			return fmt.Errorf("record %d: %w", rec.Seq, err)
		}
		b.restless[rec.Run] = next
		return nil
	})
	return begun, err
}

// short is a run without its long texts and growing lists. The texts that tables show are kept,
// masked before they are cut, so that no secret is split.
func (b *Book) short(run lifecycle.Run) lifecycle.Run {
	run.Result, run.Partial, run.Command, run.LastTool = "", "", "", ""
	run.Attached, run.Tools, run.Asked, run.Warnings, run.Waiting = nil, nil, nil, nil, nil
	if run.Child() { // its description names it
		run.Prompt = ""
	}
	run.Prompt = b.cut(run.Prompt, LongPrompt)
	run.Reason = b.cut(run.Reason, LongPrompt)
	if run.Error != nil {
		fault := *run.Error
		fault.Message = b.cut(fault.Message, LongPrompt)
		run.Error = &fault
	}
	return run
}

func (b *Book) cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.Clone(words.Cut(b.Readable(text), n)) // frees the rest
}

// Whole reads a run with all its texts, as it stood at record Upto.
func (b *Book) Whole(ctx context.Context, id lifecycle.RunID) (lifecycle.Run, error) {
	if run, is := b.restless[id]; is {
		return run, nil
	}
	n, known := b.Index[id]
	if !known {
		return lifecycle.Run{}, nil
	}
	if n < b.pageAt || n >= b.pageAt+len(b.page) {
		b.page = nil // so that two pages are never held
		some, err := b.Source.Runs(ctx, b.Root, n, runPage)
		if err != nil {
			return lifecycle.Run{}, fmt.Errorf("read run %s: %w", id, err)
		}
		b.page, b.pageAt = some, n
	}
	if i := n - b.pageAt; i < len(b.page) && b.page[i].ID == id && b.page[i].Seq == b.Runs[n].Seq {
		return b.page[i], nil
	}
	// The run has changed while this export was written.
	if err := b.fold(ctx, map[lifecycle.RunID]bool{id: true}); err != nil {
		return lifecycle.Run{}, err
	}
	return b.restless[id], nil
}
