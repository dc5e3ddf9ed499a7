package rewind

import (
	"fmt"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// LineType is the type of a Result.
const LineType = "rewind"

// Result is what a rewind did or would do or, without a point, to where the session can be taken back:
// as other programs read it.
type Result struct {
	Type    string             `json:"type"`
	Points  []PointLine        `json:"points,omitempty"` // the newest first
	To      lifecycle.Seq      `json:"to,omitempty"`
	Folder  string             `json:"folder,omitempty"`
	Files   []FileLine         `json:"files,omitempty"`
	Rewound *lifecycle.Rewound `json:"rewound,omitempty"` // nil: nothing was taken back
}

// PointLine is a point.
type PointLine struct {
	Seq     lifecycle.Seq       `json:"seq"`
	Time    time.Time           `json:"time"`
	Kind    string              `json:"kind"`
	Session lifecycle.SessionID `json:"session"`
	Text    string              `json:"text"`
	Changed int                 `json:"files_changed_since"`
}

// FileLine is a file of a plan.
type FileLine struct {
	Path    string            `json:"path"`
	State   State             `json:"state"`
	Why     string            `json:"why,omitempty"`
	Writers []lifecycle.RunID `json:"writers,omitempty"`
}

// longestText bounds how much of a prompt a PointLine has, in bytes.
const longestText = 2000

// ResultOfPoints lists points.
func ResultOfPoints(points []Point) Result {
	r := Result{Type: LineType}
	for _, p := range points {
		r.Points = append(r.Points, PointLine{
			Seq: p.Seq, Time: p.Time.UTC(), Kind: string(p.Kind), Session: p.Session, Text: words.CutBytes(p.Text, longestText), Changed: p.Changed,
		})
	}
	return r
}

// ResultOfPlan is what a rewind would do.
func ResultOfPlan(p Plan) Result {
	r := Result{Type: LineType, To: p.To, Folder: p.Folder}
	for _, f := range p.Files {
		r.Files = append(r.Files, FileLine{Path: f.Path, State: f.State, Why: f.Why, Writers: f.Writers})
	}
	return r
}

// Says is what a rewind did, in one line for people.
func Says(rewound lifecycle.Rewound) string {
	what := "the files"
	switch {
	case rewound.Conversation && rewound.Folder != "":
		what = "the conversation and the files"
	case rewound.Conversation:
		what = "the conversation"
	}
	text := fmt.Sprintf("taken back: %s, to before \"%s\"", what, words.CutLine(rewound.Prompt, 60))
	if rewound.Folder != "" {
		text += "; " + words.Count(len(rewound.Files), "file") + " put back"
	}
	if n := len(rewound.Skipped); n > 0 {
		text += fmt.Sprintf(", %d left", n)
	}
	return text
}
