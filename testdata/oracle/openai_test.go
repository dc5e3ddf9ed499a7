package oracle

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

func TestOpenAIsOwnLibrarySendsTheSame(t *testing.T) {
	hold(t, "openai", openaiQuestions(), func(client *http.Client, pawl sent, params responses.ResponseNewParams) error {
		params.PromptCacheKey = param.NewOpt(pawl.Body["prompt_cache_key"].(string))
		service := responses.NewResponseService(
			option.WithBaseURL("http://canned.invalid/"), option.WithHTTPClient(client), option.WithMaxRetries(0),
			option.WithAPIKey(strings.TrimPrefix(pawl.Header["Authorization"], "Bearer ")),
		)
		return service.NewStreaming(context.Background(), params).Err()
	})
}

type openaiItem = responses.ResponseInputItemUnionParam

// openaiAsk is a question that wants a model's reasoning shown and sealed.
func openaiAsk(items ...openaiItem) responses.ResponseNewParams {
	params := openaiPlain(items...)
	params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	params.Reasoning.Summary = shared.ReasoningSummaryAuto
	return params
}

func openaiPlain(items ...openaiItem) responses.ResponseNewParams {
	params := responses.ResponseNewParams{Model: "gpt-5", Store: param.NewOpt(false)}
	params.Input.OfInputItemList = append(responses.ResponseInputParam{openaiSays(openaiText(look))}, items...)
	return params
}

func openaiSays(content ...responses.ResponseInputContentUnionParam) openaiItem {
	return responses.ResponseInputItemParamOfMessage(responses.ResponseInputMessageContentListParam(content), responses.EasyInputMessageRoleUser)
}

func openaiText(text string) responses.ResponseInputContentUnionParam {
	return responses.ResponseInputContentUnionParam{OfInputText: &responses.ResponseInputTextParam{Text: text}}
}

func openaiImage(url string) responses.ResponseInputContentUnionParam {
	return responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
		Detail: responses.ResponseInputImageDetailAuto, ImageURL: param.NewOpt(url),
	}}
}

func openaiAnswered(text string, phase responses.ResponseOutputMessagePhase) openaiItem {
	return openaiItem{OfOutputMessage: &responses.ResponseOutputMessageParam{
		Content: []responses.ResponseOutputMessageContentUnionParam{{OfOutputText: &responses.ResponseOutputTextParam{
			Text: text, Annotations: []responses.ResponseOutputTextAnnotationUnionParam{},
		}}},
		Phase: phase,
	}}
}

func openaiThought(id, sealed string, texts ...string) openaiItem {
	summary := []responses.ResponseReasoningItemSummaryParam{}
	for _, text := range texts {
		summary = append(summary, responses.ResponseReasoningItemSummaryParam{Text: text})
	}
	item := responses.ResponseInputItemParamOfReasoning(id, summary)
	item.OfReasoning.EncryptedContent = param.NewOpt(sealed)
	return item
}

func openaiCalled(id, name, arguments string) openaiItem {
	return responses.ResponseInputItemParamOfFunctionCall(arguments, id, name)
}

func openaiResult(id, text string) openaiItem {
	item := responses.ResponseInputItemParamOfFunctionCallOutput(text)
	item.OfFunctionCallOutput.CallID = param.NewOpt(id)
	return item
}

// openaiPictured is a result with an image, and with one that was left out.
func openaiPictured(id, text string) openaiItem {
	item := responses.ResponseInputItemParamOfFunctionCallOutput(responses.ResponseFunctionCallOutputItemListParam{
		{OfInputText: &responses.ResponseInputTextContentParam{Text: text}},
		{OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: param.NewOpt("data:image/webp;base64,iXdlYnA=")}},
		{OfInputText: &responses.ResponseInputTextContentParam{Text: noTIFF}},
	})
	item.OfFunctionCallOutput.CallID = param.NewOpt(id)
	return item
}

func openaiTool(name, description, parameters string) responses.ToolUnionParam {
	tool := responses.ToolParamOfFunction(name, object(parameters), false)
	if description != "" {
		tool.OfFunction.Description = param.NewOpt(description)
	}
	return tool
}

func openaiQuestions() map[string]responses.ResponseNewParams {
	const short, none = "call_9537c5fdf120482f7d58d25e9ed583f5", `{"type":"object","properties":{}}`
	options := openaiAsk()
	options.Instructions, options.MaxOutputTokens = param.NewOpt(system), param.NewOpt[int64](4096)
	tools := openaiAsk()
	tools.Tools = []responses.ToolUnionParam{
		openaiTool("bare", "", none), openaiTool("list", "Lists.", none), openaiTool("todo", "", none), openaiTool("write", "Writes <it>.", schema),
	}
	phases := openaiAsk()
	phases.Instructions = param.NewOpt("Be brief.")
	phases.Input.OfInputItemList = responses.ResponseInputParam{
		openaiSays(openaiText("Hello?")), openaiAnswered("I will look.", "commentary"), openaiAnswered("Done.", "final_answer"), openaiAnswered("Really.", ""),
	}
	little := openaiAsk()
	little.Reasoning.Effort = shared.ReasoningEffortLow
	return map[string]responses.ResponseNewParams{
		"search": openaiSearched(),
		"effort": little,
		"text":   openaiAsk(), "thinking asked for": openaiAsk(), "thinking not asked for": openaiPlain(),
		"options": options, "tools": tools, "phases": phases,
		"turns": openaiAsk(openaiSays(openaiText("Be quick.")), openaiSays(openaiText(" \n")), openaiAnswered("\n", ""),
			openaiAnswered("Yes.", ""), openaiAnswered("Done.", ""), openaiSays(openaiText("And?"))),
		"images": openaiAsk(openaiSays(openaiText("These:"), openaiImage("data:image/png;base64,iXBuZw=="), openaiImage("data:image/jpeg;base64,iWpwZWc="),
			openaiImage("data:image/gif;base64,iWdpZg=="), openaiImage("data:image/webp;base64,iXdlYnA="), openaiText(noTIFF), openaiText(noPNG))),
		"calls and results": openaiAsk(openaiAnswered("I will look.", ""),
			openaiCalled("toolu_1", "read", large), openaiCalled("toolu_2", "read", "{}"), openaiCalled("toolu_3", "read", deep), openaiCalled("toolu_4", "read", "{ }"),
			openaiResult("toolu_1", "package a\n"), openaiResult("toolu_2", " "), openaiPictured("toolu_3", "two pictures"), openaiPictured("toolu_4", "no such file"),
			openaiSays(openaiText("And now?"))),
		"odd calls": openaiAsk(openaiCalled("a", "read", odd), openaiCalled("functions.b:0", "functions_read_file", `{"_invalid":"[1]"}`),
			openaiCalled("c", "unnamed", "{}"), openaiCalled("d", "9lives", `{"_invalid":"null"}`), openaiCalled(short, longName[:64], alone),
			openaiResult("a", "ok"), openaiResult("functions.b:0", "okok"), openaiResult("c", "okokok"), openaiResult("d", "okokokok"), openaiResult(short, "okokokokok")),
		"thinking goes back": openaiAsk(openaiThought("rs_1", seen, "Let me look."), openaiThought("rs_2", hidden), openaiAnswered("I read it.", ""),
			openaiThought("rs_4", ofText), openaiCalled("toolu_1", "read", aGo), openaiResult("toolu_1", "package a"),
			openaiAnswered("I read it.", ""), openaiCalled("toolu_1", "read", aGo), openaiResult("toolu_1", "package a"), openaiSays(openaiText("And?"))),
	}
}

// openaiSearched is a question that may search some hosts, after an answer that has.
func openaiSearched() responses.ResponseNewParams {
	cites := openaiAnswered("Go.", "")
	cites.OfOutputMessage.Content[0].OfOutputText.Annotations = []responses.ResponseOutputTextAnnotationUnionParam{
		{OfURLCitation: &responses.ResponseOutputTextAnnotationURLCitationParam{StartIndex: 0, EndIndex: 2, URL: "https://go.dev", Title: "Go"}},
	}
	params := openaiAsk()
	params.Instructions = param.NewOpt("Be brief.")
	params.Include = append(params.Include, responses.ResponseIncludableWebSearchCallActionSources)
	params.Tools = []responses.ToolUnionParam{
		openaiTool("read", "", `{"type":"object","properties":{}}`),
		{OfWebSearch: &responses.WebSearchToolParam{Type: responses.WebSearchToolTypeWebSearch, Filters: responses.WebSearchToolFiltersParam{AllowedDomains: []string{"go.dev"}}}},
	}
	params.Input.OfInputItemList = responses.ResponseInputParam{
		openaiSays(openaiText("Hello?")),
		{OfWebSearchCall: &responses.ResponseFunctionWebSearchParam{
			ID: "ws_1", Status: responses.ResponseFunctionWebSearchStatusCompleted,
			Action: responses.ResponseFunctionWebSearchActionUnionParam{OfSearch: &responses.ResponseFunctionWebSearchActionSearchParam{Query: param.NewOpt("go"), Queries: []string{"go"}}}, //nolint:staticcheck // as the server writes it
		}},
		cites,
	}
	return params
}
