package changes

import (
	"context"
	"io"
	"time"

	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// The JSON of a report, which docs/changes.md describes. Its version changes only if readers of
// the old one would misread it.
type (
	document struct {
		Format  string              `json:"format"` // pawl-changes
		Version int                 `json:"version"`
		Session lifecycle.SessionID `json:"session"`
		Title   string              `json:"title"`
		Folder  string              `json:"folder"`
		Seq     lifecycle.Seq       `json:"seq"` // the newest record that it covers
		Files   []fileNote          `json:"files"`
		Prompts []promptNote        `json:"prompts"`
		Unknown []unknownNote       `json:"unwatched"`
	}

	promptNote struct {
		Seq  lifecycle.Seq `json:"seq"` // 0: before the first prompt
		Time *time.Time    `json:"time,omitempty"`
		Text string        `json:"text"`
		Acts []actNote     `json:"acts"`
	}

	actNote struct {
		Source      files.Source    `json:"source"`
		Run         lifecycle.RunID `json:"run"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Says        string          `json:"says,omitempty"`
		Files       []fileNote      `json:"files"`
	}

	fileNote struct {
		Folder      string              `json:"folder"`
		Path        string              `json:"path"`
		Kind        Kind                `json:"kind"`
		RenamedFrom string              `json:"renamed_from,omitempty"`
		Before      lifecycle.FileState `json:"before"`
		After       lifecycle.FileState `json:"after"`
		Added       int                 `json:"added"`
		Removed     int                 `json:"removed"`
		Binary      bool                `json:"binary,omitempty"`
		Gap         bool                `json:"gap,omitempty"`
		Uncovered   string              `json:"uncovered,omitempty"`
		Gone        string              `json:"gone,omitempty"` // why there is no diff
		Diff        string              `json:"diff,omitempty"` // of files alone, not under prompts
		Changes     []changeNote        `json:"changes"`
	}

	changeNote struct {
		Seq     lifecycle.Seq       `json:"seq"`
		Session lifecycle.SessionID `json:"session"`
		Run     lifecycle.RunID     `json:"run"`
		Call    lifecycle.CallID    `json:"call,omitempty"`
		Source  files.Source        `json:"source"`
		Beside  []lifecycle.RunID   `json:"beside,omitempty"`
	}

	unknownNote struct {
		Seq     lifecycle.Seq       `json:"seq"`
		Session lifecycle.SessionID `json:"session"`
		Run     lifecycle.RunID     `json:"run"`
		Call    lifecycle.CallID    `json:"call,omitempty"`
		Folder  string              `json:"folder"`
		Why     string              `json:"why"`
	}
)

// JSON writes the report for programs, as one document.
func (r *Report) JSON(ctx context.Context, w io.Writer) error {
	facts := r.Facts()
	doc := document{
		Format: "pawl-changes", Version: 1, Session: facts.ID, Title: facts.Title, Folder: r.Folder, Seq: r.Upto,
		Files: []fileNote{}, Prompts: []promptNote{}, Unknown: []unknownNote{},
	}
	var err error
	if doc.Files, err = r.notes(ctx, r.Net, true); err != nil {
		return err
	}
	for _, p := range r.Prompts {
		note := promptNote{Seq: p.Point.Seq, Text: p.Point.Text, Acts: []actNote{}}
		if !p.Point.Time.IsZero() {
			at := p.Point.Time.UTC()
			note.Time = &at
		}
		for _, a := range p.Acts {
			act := actNote{Source: a.Source, Run: a.Run, Name: r.Name(a.Run), Description: r.Describe(a.Run), Says: a.Says}
			if act.Files, err = r.notes(ctx, a.Files, false); err != nil {
				return err
			}
			note.Acts = append(note.Acts, act)
		}
		doc.Prompts = append(doc.Prompts, note)
	}
	for _, u := range r.Unknown {
		doc.Unknown = append(doc.Unknown, unknownNote{u.Seq, u.Session, u.Run, u.Call, u.Folder, u.Why})
	}
	return r.Mask.Encode(w, doc)
}

func (r *Report) notes(ctx context.Context, nets []files.Net, diffs bool) ([]fileNote, error) {
	notes, from := []fileNote{}, Renamed(nets)
	for _, n := range nets {
		d, err := r.Read(ctx, n)
		if err != nil {
			return nil, err
		}
		note := fileNote{
			Folder: n.Folder, Path: n.Path, Kind: d.Kind, RenamedFrom: from.Of(n), Before: n.Before, After: n.After,
			Added: d.Added, Removed: d.Lost, Binary: d.Binary, Gap: n.Gap, Uncovered: n.Uncovered, Gone: d.Gone,
		}
		if diffs {
			note.Diff = d.Diff
		}
		for _, c := range n.Changes {
			note.Changes = append(note.Changes, changeNote{c.Seq, c.Session, c.Run, c.Call, c.Source, c.Beside})
		}
		notes = append(notes, note)
	}
	return notes, nil
}
