package filestore

import (
	"bytes"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// Bounds of looking for several places in which two contents differ, in bytes between the first and
// the last of them: in fewer there is nothing to gain, and more take too long.
const (
	worthSplitting = 64
	maxSplitting   = 1 << 20
)

// worthSkipping is how many bytes that both have between two hunks are worth a hunk more.
const worthSkipping = 8

// differences finds in what a content differs from the one that it is like. put is what its hunks put.
func differences(base, content []byte) (hunks []hunk, put []byte) {
	start, end := common(base, content)
	was, is := base[start:len(base)-end], content[start:len(content)-end]
	edits := []udiff.Edit{{End: len(was), New: string(is)}}
	if least, most := min(len(was), len(is)), max(len(was), len(is)); least >= worthSplitting && most <= maxSplitting {
		edits = udiff.Lines(string(was), string(is))
	}
	edits = fewer(was, edits)
	done := -start
	for _, one := range edits {
		hunks = append(hunks, hunk{same: int64(one.Start - done), drop: int64(one.End - one.Start), put: int64(len(one.New))})
		put = append(put, one.New...)
		done = one.End
	}
	return hunks, put
}

// fewer makes edits of lines as short as they can be, and joins those between which there is next to
// nothing, and the nearest of too many.
func fewer(was []byte, edits []udiff.Edit) []udiff.Edit {
	for i, one := range edits {
		start, end := common(was[one.Start:one.End], []byte(one.New))
		edits[i] = udiff.Edit{Start: one.Start + start, End: one.End - end, New: one.New[start : len(one.New)-end]}
	}
	for len(edits) > 1 {
		nearest := 1
		for i := range edits[1:] {
			if edits[i+1].Start-edits[i].End < edits[nearest].Start-edits[nearest-1].End {
				nearest = i + 1
			}
		}
		a, b := edits[nearest-1], edits[nearest]
		if b.Start-a.End >= worthSkipping && len(edits) <= maxHunks {
			break
		}
		edits[nearest-1] = udiff.Edit{Start: a.Start, End: b.End, New: a.New + string(was[a.End:b.Start]) + b.New}
		edits = slices.Delete(edits, nearest, nearest+1)
	}
	return edits
}

// common counts the bytes that two texts have in common at their start, and then at their end.
func common(a, b []byte) (start, end int) {
	most := min(len(a), len(b))
	start = sameBytes(most, func(i, n int) bool { return bytes.Equal(a[i:i+n], b[i:i+n]) })
	end = sameBytes(most-start, func(i, n int) bool {
		return bytes.Equal(a[len(a)-i-n:len(a)-i], b[len(b)-i-n:len(b)-i])
	})
	return start, end
}

// sameBytes counts up to most while the n bytes from the i-th on are the same: many at a time first.
func sameBytes(most int, same func(i, n int) bool) int {
	done := 0
	for step := 4 << 10; step > 0; step /= 64 {
		for done+step <= most && same(done, step) {
			done += step
		}
	}
	return done
}
