package otel

import (
	"context"
	"fmt"
	"strconv"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// readSampler reads OTEL_TRACES_SAMPLER and _ARG. A warning is a line about a value that is
// ignored.
func readSampler(name, arg string) (s sdk.Sampler, warning string) {
	always := sdk.ParentBased(sdk.AlwaysSample())
	switch name {
	case "", "parentbased_always_on":
		return always, ""
	case "always_on":
		return sdk.AlwaysSample(), ""
	case "always_off":
		return sdk.NeverSample(), ""
	case "parentbased_always_off":
		return sdk.ParentBased(sdk.NeverSample()), ""
	case "traceidratio", "parentbased_traceidratio":
		ratio := 1.0
		if arg != "" {
			var err error
			if ratio, err = strconv.ParseFloat(arg, 64); err != nil || !(ratio >= 0 && ratio <= 1) { // also false for NaN
				ratio, warning = 1, fmt.Sprintf("OTEL_TRACES_SAMPLER_ARG=%q is not a number from 0 to 1: all traces are sent", arg)
			}
		}
		if name == "traceidratio" {
			return sdk.TraceIDRatioBased(ratio), warning
		}
		return sdk.ParentBased(sdk.TraceIDRatioBased(ratio)), warning
	}
	return always, fmt.Sprintf("OTEL_TRACES_SAMPLER=%q is not supported: parentbased_always_on is used", name)
}

// flags decides whether the spans of a trace that begins here, or below parent, are sent: all of
// them, or none.
func flags(s sdk.Sampler, id trace.TraceID, parent trace.SpanContext) trace.TraceFlags {
	decided := s.ShouldSample(sdk.SamplingParameters{
		ParentContext: trace.ContextWithRemoteSpanContext(context.Background(), parent), TraceID: id,
	})
	return trace.TraceFlags(0).WithSampled(decided.Decision == sdk.RecordAndSample)
}
