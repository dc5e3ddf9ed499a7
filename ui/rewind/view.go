package rewind

import (
	"slices"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// what is taken back.
type what int

const (
	both what = iota
	files
	conversation
)

// View asks what is taken back to before one point. One goroutine uses it.
type View struct {
	Point Point
	Only  lifecycle.SessionID
	Name  string // of that subagent

	Body draw.Body
	Busy bool // it is being taken back

	what    what
	plan    Plan
	read    bool
	trouble string
	chosen  map[string]bool
	at      int
	moved   bool
}

// New asks about a point: with only, about the files of one subagent alone.
func New(point Point, only lifecycle.SessionID, name string) *View {
	v := &View{Point: point, Only: only, Name: name, chosen: map[string]bool{}}
	if only != "" {
		v.what = files
	}
	return v
}

// Fill takes in what would become of the files, or why that is not known.
func (v *View) Fill(plan Plan, err error) {
	v.read, v.plan, v.trouble = true, plan, ""
	if err != nil {
		v.trouble = err.Error()
	}
	v.at = max(0, min(v.at, len(plan.Files)-1))
}

// Turn goes to the next of conversation, files and both.
func (v *View) Turn(by int) {
	if v.Only == "" {
		v.what = (v.what + what(by) + conversation + 1) % (conversation + 1)
	}
}

// Step moves the mark.
func (v *View) Step(by int) {
	if n := len(v.plan.Files); n > 0 {
		v.at, v.moved = max(0, min(v.at+by, n-1)), true
	}
}

// Page scrolls.
func (v *View) Page(by int) { v.Body.Scroll(by * max(1, v.Body.Height()-1)) }

// Toggle chooses the marked file, which somebody else has changed, or leaves it again. It returns why
// it cannot.
func (v *View) Toggle() (why string) {
	if v.at >= len(v.plan.Files) {
		return "there is no file here"
	}
	switch f := v.plan.Files[v.at]; f.State {
	case Left:
		v.chosen[f.Path] = !v.chosen[f.Path]
	case Cannot:
		return f.Path + " cannot be put back: " + f.Why
	case Back:
		return "it is put back; only files that others have changed can be chosen"
	case Already:
		return "it is so already"
	}
	return ""
}

// Choice is what is chosen; ready says that it can be done, and why not.
func (v *View) Choice() (choice Choice, ready bool, why string) {
	choice = Choice{To: v.Point.Seq, Conversation: v.what != files, Files: v.what != conversation, Only: v.Only}
	switch {
	case v.Busy:
		return choice, false, "it is being taken back"
	case choice.Files && !v.read:
		return choice, false, "the files are being looked at"
	case choice.Files && v.trouble != "":
		return choice, false, v.trouble
	}
	if choice.Files {
		for _, f := range v.plan.Files {
			if f.State == Left && v.chosen[f.Path] {
				choice.Chosen = append(choice.Chosen, f.Path)
			}
		}
	}
	back := slices.ContainsFunc(v.plan.Files, func(f File) bool { return f.State == Back })
	if !choice.Conversation && !back && len(choice.Chosen) == 0 {
		return choice, false, "no file has to be put back"
	}
	return choice, true, ""
}
