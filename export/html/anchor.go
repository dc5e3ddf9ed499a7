package html

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Anchors are the places on a page. They are made of our own numbers and of
// hashes: an id is data, and data names nothing here.

// anchor is the place of a run: where its transcript begins.
func anchor(b *book.Book, id lifecycle.RunID) string {
	if at, known := b.Index[id]; known {
		return fmt.Sprintf("run-%d", at+1)
	}
	return "transcripts"
}

func stepAnchor(run string, step int) string { return fmt.Sprintf("%s-step-%d", run, step) }

// toldAnchor is the place where a parent was told of the end of the run with this
// index.
func toldAnchor(run int) string { return fmt.Sprintf("told-%d", run+1) }

// callBytes is how much of a hash names a call.
const callBytes = 6

func callAnchor(session lifecycle.SessionID, call lifecycle.CallID) string {
	sum := sha256.Sum256([]byte(string(session) + "\x00" + string(call)))
	return "call-" + hex.EncodeToString(sum[:callBytes])
}

// runLink is the name of a run, leading to its place.
func (w *writer) runLink(id lifecycle.RunID) markup {
	if _, known := w.Index[id]; !known {
		return w.markup("<code>%s</code>", words.CutLine(string(id), book.LongCell))
	}
	return w.markup("<a href=\"#%s\">%s</a>", anchor(w.Book, id), w.Name(id))
}

// anchors are the places of a session that are on the page. Steps are counted and
// calls are kept by their hashes: a long transcript has many of both.
type anchors struct {
	steps  map[string]int // by the anchor of the run: as many, from the first
	calls  map[[callBytes]byte]struct{}
	others map[string]struct{}
}

func newAnchors() anchors {
	return anchors{map[string]int{}, map[[callBytes]byte]struct{}{}, map[string]struct{}{}}
}

// take reports whether an anchor is new, and keeps it.
func (a anchors) take(anchor string) bool {
	if a.has(anchor) {
		return false
	}
	if hash, is := callHash(anchor); is {
		a.calls[hash] = struct{}{}
	} else if run, step := stepOf(anchor); step > 0 && step == a.steps[run]+1 {
		a.steps[run] = step
	} else {
		a.others[anchor] = struct{}{}
	}
	return true
}

func (a anchors) has(anchor string) bool {
	if hash, is := callHash(anchor); is {
		_, there := a.calls[hash]
		return there
	}
	if run, step := stepOf(anchor); step > 0 && step <= a.steps[run] {
		return true
	}
	_, there := a.others[anchor]
	return there
}

// stepOf takes an anchor of a step apart. Any other has none.
func stepOf(anchor string) (run string, step int) {
	run, number, _ := strings.Cut(anchor, "-step-")
	step, _ = strconv.Atoi(number) // it is ours, or empty
	return run, step
}

// callHash is what names a call in its anchor.
func callHash(anchor string) (hash [callBytes]byte, is bool) {
	text, is := strings.CutPrefix(anchor, "call-")
	if is = is && len(text) == hex.EncodedLen(callBytes); is {
		_, err := hex.Decode(hash[:], []byte(text))
		is = err == nil
	}
	return hash, is
}

// place gives an anchor of this session as an attribute, once: a page has every id
// only once.
func (t *transcript) place(anchor string) markup {
	if !t.there.take(anchor) {
		return ""
	}
	return t.markup(" id=\"%s\"", anchor)
}

// placeOf is place for a run's own anchors. A run of another session has them there.
func (t *transcript) placeOf(id lifecycle.RunID, anchor string) markup {
	if run, known := t.Run(id); !known || run.Session != t.id {
		return ""
	}
	return t.place(anchor)
}

// placeTold is the place where the end of a run was told. The first in the page has
// it, whoever was told.
func (t *transcript) placeTold(run int) markup {
	if t.toldAt[run] {
		return ""
	}
	t.toldAt[run] = true
	return t.markup(" id=\"%s\"", toldAnchor(run))
}

// missing are the places of a run that its picture points to and that no message
// has: of a call that was never written down, of a step without an answer.
func (t *transcript) missing(id lifecycle.RunID) {
	l := t.line.of[id]
	for _, look := range looks {
		for m := range l.of(look.class) {
			var at markup
			if look.class == markTold {
				at = t.placeTold(t.Index[m.Of])
			} else {
				at = t.place(l.anchor(m))
			}
			if at != "" {
				t.put("<a%s></a>", at)
			}
		}
	}
}
