package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"pawl/internal/words"
)

// Usage is what a run has spent. Tokens are the provider's own counts; Cost is
// in US dollars and zero where no price is known.
type Usage struct {
	InputTokens      int64 `json:"input_tokens"`                 // all that went in, by way of a cache or not
	OutputTokens     int64 `json:"output_tokens"`                // thinking included
	CachedTokens     int64 `json:"cached_tokens"`                // the part of the input read from a cache
	CacheWriteTokens int64 `json:"cache_write_tokens,omitempty"` // the part written into one; no token is in both
	// EstimatedTokens is the part of both that is estimated, because the request ended before
	// its answer was complete.
	EstimatedTokens int64 `json:"estimated_tokens,omitempty"`
	// Searches are those of the web that the model's server made and bills by themselves.
	Searches  int     `json:"web_searches,omitempty"`
	Cost      float64 `json:"cost_usd"`
	ToolCalls int     `json:"tool_calls"`
	Steps     int     `json:"steps"`
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.CachedTokens += v.CachedTokens
	u.CacheWriteTokens += v.CacheWriteTokens
	u.EstimatedTokens += v.EstimatedTokens
	u.Searches += v.Searches
	u.Cost += v.Cost
	u.ToolCalls += v.ToolCalls
	u.Steps += v.Steps
	return u
}

// Tokens is what the run cost in all, in and out.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// Estimated says that some of it is an estimate.
func (u Usage) Estimated() bool { return u.EstimatedTokens > 0 }

// DayCost is what all sessions of a user have cost in one calendar day, those of other
// processes and those removed since included. Requests whose price is unknown count nothing.
type DayCost struct {
	Day      string  `json:"day"` // 2006-01-02, in local time
	Cost     float64 `json:"cost_usd"`
	Sessions int     `json:"sessions"` // root sessions that have cost something that day
}

// UsageReported adds to what the run has spent.
type UsageReported struct {
	Usage
	Response
	// Effort is what was sent with the request that was answered, in the words of the model's
	// maker; empty if nothing was.
	Effort string `json:"effort,omitempty"`
	// Fallback is the model that was asked in place of the run's own, because that is limited.
	Fallback string `json:"fallback,omitempty"`
}

// Response is what a model's server says about an answer besides its counts, in its own
// words; empty if it says nothing, or if there was no answer.
type Response struct {
	Model  string `json:"response_model,omitempty"` // that answered; its name may differ from that of the request
	ID     string `json:"response_id,omitempty"`
	Finish string `json:"finish_reason,omitempty"`
}

// answered reports whether the usage is that of an answer, and not of a failed request.
func (u UsageReported) answered() bool { return u.Response != Response{} }

// EffortMax is the highest effort that a model has.
const EffortMax = "max"

// Efforts are the levels of effort that a person can ask for, the least first. They mean the
// same for every model.
func Efforts() []string { return []string{"low", "medium", "high", EffortMax} }

// CheckEffort refuses what is not a level of effort. Empty is none: the model decides.
func CheckEffort(level string) error {
	if level == "" || slices.Contains(Efforts(), level) {
		return nil
	}
	return fmt.Errorf("effort %q: must be %s%s", level, words.Alternatives(Efforts()), words.DidYouMean(level, Efforts()))
}

// EffortLevels are the makers' words for effort that Pawl sends, the least first.
func EffortLevels() []string { return []string{"low", "medium", "high", "xhigh", EffortMax} }

// EffortShown is the effort that a run works with, for people: what was last sent or, before
// the first answer, what was asked for. It is empty where the model decides by itself.
func (r Run) EffortShown() string {
	warned := slices.ContainsFunc(r.Warnings, func(w Warned) bool { return w.Kind == WarnEffort })
	if r.EffortSent != "" || warned { // it may be taken otherwise, or not at all
		return r.EffortSent
	}
	return r.Effort
}

// Words say what was done, in one line.
func (s Searched) Words() string {
	switch {
	case len(s.Cited) > 0:
		var pages []string
		for _, page := range s.Cited {
			pages = append(pages, strings.TrimSpace(page.Title+" "+page.URL))
		}
		return "cites " + strings.Join(pages, ", ")
	case s.Error != "":
		return fmt.Sprintf("searched the web for %q: %s", s.Query, s.Error)
	case s.Opened != "":
		return "opened " + s.Opened
	case len(s.Found) == 0: // or its server does not say what it found
		return fmt.Sprintf("searched the web for %q", s.Query)
	}
	return fmt.Sprintf("searched the web for %q: %s", s.Query, words.Count(len(s.Found), "page"))
}
