package oracle

import (
	"context"
	"net/http"
	"testing"

	"google.golang.org/genai"
)

type geminiQuestion struct {
	model    string
	contents []*genai.Content
	config   genai.GenerateContentConfig
}

func TestGooglesOwnLibrarySendsTheSame(t *testing.T) {
	hold(t, "gemini", geminiQuestions(), func(client *http.Client, pawl sent, question geminiQuestion) error {
		library, err := genai.NewClient(context.Background(), &genai.ClientConfig{
			APIKey: pawl.Header["X-Goog-Api-Key"], Backend: genai.BackendGeminiAPI, HTTPClient: client,
			HTTPOptions: genai.HTTPOptions{BaseURL: "http://canned.invalid"},
		})
		if err != nil {
			return err
		}
		question.config.AutomaticContinuation = genai.Ptr(false)
		for _, err := range library.Models.GenerateContentStream(context.Background(), question.model, question.contents, &question.config) {
			return err
		}
		return nil
	})
}

// geminiAsk is a question that wants to see thoughts.
func geminiAsk(contents ...*genai.Content) geminiQuestion {
	return geminiQuestion{
		model: "gemini-2.5-pro", contents: contents,
		config: genai.GenerateContentConfig{ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true}},
	}
}

func geminiUser(parts ...*genai.Part) *genai.Content {
	return genai.NewContentFromParts(parts, genai.RoleUser)
}

func geminiModel(parts ...*genai.Part) *genai.Content {
	return genai.NewContentFromParts(parts, genai.RoleModel)
}

func geminiText(text string) *genai.Part { return genai.NewPartFromText(text) }

func geminiImage(kind string) *genai.Part {
	return genai.NewPartFromBytes([]byte("\x89"+kind), "image/"+kind)
}

func geminiCall(id, name, args string) *genai.Part {
	part := genai.NewPartFromFunctionCall(name, object(args))
	part.FunctionCall.ID = id
	return part
}

func geminiSigned(part *genai.Part, signature string) *genai.Part {
	part.ThoughtSignature = []byte(signature)
	return part
}

func geminiResult(id, name, key, text string) *genai.Part {
	part := genai.NewPartFromFunctionResponse(name, map[string]any{key: text})
	part.FunctionResponse.ID = id
	return part
}

// geminiOther is a question to another model, which made the calls of the history or
// did not.
func geminiOther(model, signature string, thinks bool) geminiQuestion {
	q := geminiAsk(geminiUser(geminiText("Read a.go.")),
		geminiModel(geminiSigned(geminiCall("toolu_1", "read", "{}"), signature), geminiCall("toolu_2", "read", "{}")),
		geminiUser(geminiResult("toolu_1", "read", "output", "a"), geminiResult("toolu_2", "read", "output", "b")))
	q.model = model
	if !thinks {
		q.config.ThinkingConfig = nil
	}
	return q
}

func geminiQuestions() map[string]geminiQuestion {
	first := geminiUser(geminiText(look))
	options := geminiAsk(first)
	options.config.SystemInstruction, options.config.MaxOutputTokens = genai.NewContentFromText(system, genai.RoleUser), 4096
	tools := geminiAsk(first)
	tools.config.Tools = []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{
		{Name: "bare"},
		{Name: "list", Description: "Lists.", ParametersJsonSchema: object(`{"type":"object"}`)},
		{Name: "todo"},
		{Name: "write", Description: "Writes <it>.", ParametersJsonSchema: object(schema)},
	}}}
	quiet := geminiAsk(first)
	quiet.config.ThinkingConfig = nil
	little := geminiAsk(first)
	little.config.ThinkingConfig.ThinkingBudget = genai.Ptr[int32](1024)
	level := geminiAsk(geminiUser(geminiText("Hello")))
	level.model, level.config.ThinkingConfig.ThinkingLevel = "gemini-3-pro-preview", genai.ThinkingLevelHigh
	return map[string]geminiQuestion{
		"search": geminiSearched(),
		"effort": little, "effort of generation 3": level,
		"text": geminiAsk(first), "thinking asked for": geminiAsk(first), "thinking not asked for": quiet, "options": options, "tools": tools,
		"generation 3": geminiOther("gemini-3-pro-preview", "skip_thought_signature_validator", true),
		"no thoughts":  geminiOther("gemini-2.0-flash", "", false),
		"whole name":   geminiOther("models/gemini-2.5-pro", "", true),
		"tuned":        geminiOther("tunedModels/mine-1", "", false),
		"turns": geminiAsk(geminiUser(geminiText(look), geminiText("Be quick.")), geminiModel(geminiText("Yes."), geminiText("Done.")),
			geminiUser(geminiText("And?"))),
		"images": geminiAsk(geminiUser(geminiText(look), geminiText("These:"), geminiImage("png"), geminiImage("jpeg"), geminiText(noGIF),
			geminiImage("webp"), geminiText(noTIFF), geminiText(noPNG))),
		"calls and results": geminiAsk(first,
			geminiModel(geminiText("I will look."), geminiCall("toolu_1", "read", large), geminiCall("toolu_2", "read", "{}"), geminiCall("toolu_3", "read", deep), geminiCall("toolu_4", "read", "{}")),
			geminiUser(geminiResult("toolu_1", "read", "output", "package a\n"), geminiResult("toolu_2", "read", "output", "(no output)"),
				geminiResult("toolu_3", "read", "output", "two pictures"), geminiResult("toolu_4", "read", "error", "no such file"),
				geminiText("[image from the result of read, call toolu_3]"), geminiImage("webp"), geminiText("[image from the result of read, call toolu_3]"), geminiText(noTIFF),
				geminiText("[image from the result of read, call toolu_4]"), geminiImage("webp"), geminiText("[image from the result of read, call toolu_4]"), geminiText(noTIFF),
				geminiText("And now?"))),
		"odd calls": geminiAsk(first,
			geminiModel(geminiCall("a", "read", odd), geminiCall("functions.b:0", "functions.read_file", `{"_invalid":"[1]"}`), geminiCall("c", "_", "{}"),
				geminiCall("d", "_9lives", `{"_invalid":"null"}`), geminiCall(longID, longName[:128], alone)),
			geminiUser(geminiResult("a", "read", "output", "ok"), geminiResult("functions.b:0", "functions.read_file", "output", "okok"), geminiResult("c", "_", "output", "okokok"),
				geminiResult("d", "_9lives", "output", "okokokok"), geminiResult(longID, longName[:128], "output", "okokokokok"))),
		"thinking goes back": geminiAsk(first,
			geminiModel(geminiSigned(&genai.Part{Text: "Let me look.", Thought: true}, "seen"), &genai.Part{Text: "Cut off", Thought: true},
				geminiSigned(geminiText("I read it."), "of the text"), geminiSigned(geminiCall("toolu_1", "read", aGo), "of the call")),
			geminiUser(geminiResult("toolu_1", "read", "output", "package a")),
			geminiModel(geminiText("I read it."), geminiCall("toolu_1", "read", aGo)),
			geminiUser(geminiResult("toolu_1", "read", "output", "package a"), geminiText("And?"))),
	}
}

// geminiSearched is a question that may search, after an answer that has and called a function.
func geminiSearched() geminiQuestion {
	q := geminiAsk(geminiUser(geminiText("Hello")),
		geminiModel(
			geminiSigned(&genai.Part{ToolCall: &genai.ToolCall{ID: "s1", ToolType: genai.ToolTypeGoogleSearchWeb, Args: object(`{"queries":["go"]}`)}}, "of the search"),
			geminiSigned(&genai.Part{ToolResponse: &genai.ToolResponse{ID: "s1", ToolType: genai.ToolTypeGoogleSearchWeb, Response: object(`{"search_suggestions":"<div>"}`)}}, "of the result"),
			geminiSigned(geminiCall("c1", "list", "{}"), "of the call")),
		geminiUser(geminiResult("c1", "list", "output", "a.go")),
		geminiModel(geminiText("Go.")),
		geminiUser(geminiText("And?")))
	q.model = "gemini-3-pro-preview"
	q.config.Tools = []*genai.Tool{
		{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "list", Description: "Lists."}}}, {GoogleSearch: &genai.GoogleSearch{}},
	}
	q.config.ToolConfig = &genai.ToolConfig{IncludeServerSideToolInvocations: genai.Ptr(true)}
	return q
}
