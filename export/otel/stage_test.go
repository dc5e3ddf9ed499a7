package otel

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/export/oteltest"
	"pawl/lifecycle"
)

// story is a log that a test writes, a second a record.
type story struct{ records []lifecycle.Record }

func (s *story) add(session lifecycle.SessionID, run lifecycle.RunID, events ...lifecycle.Event) *story {
	for _, event := range events {
		n := len(s.records) + 1
		s.records = append(s.records, lifecycle.Record{
			Seq: lifecycle.Seq(n), Time: time.Unix(int64(1000+n), 0), Root: "root", Session: session, Run: run, Event: event,
		})
	}
	return s
}

// parentRun is a run of the parent that has begun its first step.
func (s *story) parentRun(run lifecycle.RunID) *story {
	return s.add("root", run,
		lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Type: "general", Model: "anthropic/claude", Trigger: lifecycle.TriggerUser, Prompt: "the prompt"}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

// childRun is one of a subagent, which that call started.
func (s *story) childRun(run, parent lifecycle.RunID, call lifecycle.CallID) *story {
	return s.add("kid", run,
		lifecycle.Spawned{Spec: lifecycle.Spec{
			Root: "root", Parent: "root", ParentRun: parent, Call: call, Type: "explore", Description: "a look",
			Model: "openai-chat/gpt", Trigger: lifecycle.TriggerAgent, Prompt: "look", Background: true,
		}},
		lifecycle.Queued{Position: 1}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
}

func asked(in, out int64) lifecycle.UsageReported {
	return lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: in, OutputTokens: out}}
}

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

// optionsFor reads variables, with this collector as the endpoint.
func optionsFor(t *testing.T, c *oteltest.Collector, variables map[string]string) Options {
	t.Helper()
	all := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL}
	maps.Copy(all, variables)
	config, err := Read(environment(all))
	require.NoError(t, err)
	require.Empty(t, config.Warnings)
	return Options{Config: config, Version: "1.2.3", Snapshot: lifecycle.Snapshot{Root: "root"}, Hide: mask.New(nil), Since: time.Unix(500, 0)}
}

// tell sends a whole story.
func tell(t *testing.T, o Options, s *story) {
	t.Helper()
	live := Start(o)
	live.Note(s.records)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	live.Close(ctx)
	require.False(t, live.broken)
}

// told gives the spans of a story.
func told(t *testing.T, variables map[string]string, s *story) []oteltest.Span {
	t.Helper()
	c := oteltest.Listen(t)
	tell(t, optionsFor(t, c, variables), s)
	return c.Spans()
}

// drawn is the tree of spans by name, a line each, those that began earlier first.
func drawn(spans []oteltest.Span) string {
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(a, b oteltest.Span) int { return a.From.Compare(b.From) })
	known := map[string]bool{}
	for _, s := range spans {
		known[s.ID] = true
	}
	var b strings.Builder
	var draw func(indent string, below func(oteltest.Span) bool)
	draw = func(indent string, below func(oteltest.Span) bool) {
		for _, s := range spans {
			if !below(s) {
				continue
			}
			fmt.Fprintf(&b, "%s%s %d-%d", indent, s.Name, s.From.Unix()-1000, s.To.Unix()-1000)
			if s.Failed {
				fmt.Fprintf(&b, " failed: %v", s.Facts[keyError])
			}
			b.WriteString("\n")
			draw(indent+"  ", func(o oteltest.Span) bool { return o.Parent == s.ID && o.Trace == s.Trace })
		}
	}
	draw("", func(s oteltest.Span) bool { return !known[s.Parent] })
	return b.String()
}

func named(t *testing.T, spans []oteltest.Span, name string) oteltest.Span {
	t.Helper()
	i := slices.IndexFunc(spans, func(s oteltest.Span) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0, "no span %q in\n%s", name, drawn(spans))
	return spans[i]
}

func runNumber(n int) lifecycle.RunID { return lifecycle.RunID(fmt.Sprintf("run-%d", n)) }
