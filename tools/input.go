package tools

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/internal/words"
)

// input reads the arguments of one tool, strictly, by the schema that the model
// was shown. T is the struct that the schema describes.
type input[T any] struct {
	tool string
	*shown
}

// shown is a schema, as a model is shown it and as it is read. Nobody changes it.
type shown struct {
	text   json.RawMessage
	schema schema
}

// allShown are the schemas that were read, by their text: each subagent has tools of its own, but
// their schemas are the same.
var allShown sync.Map

// newInput takes a JSON Schema, of the part of that language that schema knows.
// A broken one is our own mistake and panics.
func newInput[T any](tool, text string) input[T] {
	if before, is := allShown.Load(text); is {
		return input[T]{tool, before.(*shown)}
	}
	one := &shown{text: json.RawMessage(text)}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&one.schema); err != nil {
		panic("tools: schema of " + tool + ": " + err.Error())
	}
	allShown.Store(text, one)
	return input[T]{tool, one}
}

//go:embed *.md
var descriptions embed.FS

// described are the descriptions of all tools, by the names of their files: one copy for all agents.
var described = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	files, err := descriptions.ReadDir(".")
	for _, file := range files {
		text, failed := descriptions.ReadFile(file.Name())
		all[file.Name()], err = string(text), errors.Join(err, failed)
	}
	if err != nil {
		panic("tools: " + err.Error())
	}
	return all
})

// spec is the tool as the model is told of it: its description is in TOOL.md.
func (in input[T]) spec() agent.ToolSpec {
	text, known := described()[in.tool+".md"]
	if !known {
		panic("tools: no description of " + in.tool)
	}
	return agent.ToolSpec{Name: in.tool, Description: text, Schema: in.text}
}

// work does what a call asks for. Its error is a text for the model.
type work[T any] func(context.Context, agent.Invocation, T) (agent.Result, error)

// run makes a tool's Run of work: an error becomes the call's result.
func (in input[T]) run(do work[T]) func(context.Context, agent.Invocation) agent.Result {
	return func(ctx context.Context, call agent.Invocation) agent.Result {
		args, err := in.decode(call.Input)
		if err != nil {
			return agent.ErrorResult(err.Error())
		}
		result, err := do(ctx, call, args)
		if err != nil {
			return agent.ErrorResult(err.Error())
		}
		return result
	}
}

// lost makes a tool's Lost of work, which waits for nothing.
func (in input[T]) lost(do work[T]) func(agent.Invocation) agent.Result {
	return func(call agent.Invocation) agent.Result { return in.run(do)(context.Background(), call) }
}

// faultf is an error in whole sentences: the text is all that the model gets.
func faultf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// decode reads a model's arguments. The error names each field that does not
// fit, what it got and what it takes; it is a text for the model.
func (in input[T]) decode(raw json.RawMessage) (T, error) {
	var args T
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	value, err := parse(raw)
	if err != nil {
		return args, fmt.Errorf("%s: the input is not valid JSON (%w): send one object with %s", in.tool, err, in.schema.fields())
	}
	var misfits []string
	value = in.schema.check("", value, &misfits)
	if len(misfits) > 0 {
		const most = 5
		text := strings.Join(misfits[:min(most, len(misfits))], "; ")
		if more := len(misfits) - most; more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}
		return args, fmt.Errorf("%s: %s", in.tool, text)
	}
	clean, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(clean, &args)
	}
	if err != nil {
		return args, fmt.Errorf("%s: %w", in.tool, err)
	}
	return args, nil
}

// parse reads one JSON value and nothing after it.
func parse(raw json.RawMessage) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("it ends too early")
		}
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after the object")
	}
	return value, nil
}

// labelOf gives the one line that stands for a call: a field of its input, whatever
// that input is.
func labelOf(names ...string) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			return ""
		}
		var label []string
		for _, name := range names {
			var text string
			if json.Unmarshal(fields[name], &text) == nil && text != "" {
				label = append(label, text)
			}
		}
		return words.CutLine(strings.Join(label, ": "), 200)
	}
}
