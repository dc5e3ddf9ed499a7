package oracle

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// claudeQuestion is a question, and the header that goes with it.
type claudeQuestion struct {
	params anthropic.MessageNewParams
	beta   anthropic.AnthropicBeta
}

func TestAnthropicsOwnLibrarySendsTheSame(t *testing.T) {
	hold(t, "anthropic", claudeQuestions(), func(client *http.Client, pawl sent, question claudeQuestion) error {
		library := anthropic.NewClient(
			option.WithoutEnvironmentDefaults(), option.WithBaseURL("http://canned.invalid"), option.WithHTTPClient(client),
			option.WithMaxRetries(0), option.WithAPIKey(pawl.Header["X-Api-Key"]),
		)
		var options []option.RequestOption
		if question.beta != "" {
			options = append(options, option.WithHeaderAdd("anthropic-beta", string(question.beta)))
		}
		return library.Messages.NewStreaming(context.Background(), question.params, options...).Err()
	})
}

type (
	claudeBlock   = anthropic.ContentBlockParamUnion
	claudeMessage = anthropic.MessageParam
)

func claudeAsk(messages ...claudeMessage) claudeQuestion {
	return claudeQuestion{params: anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 64_000, Messages: messages,
	}}
}

func claudeUser(blocks ...claudeBlock) claudeMessage { return anthropic.NewUserMessage(blocks...) }
func claudeModel(blocks ...claudeBlock) claudeMessage {
	return anthropic.NewAssistantMessage(blocks...)
}
func claudeText(text string) claudeBlock { return anthropic.NewTextBlock(text) }

// claudeMarked is a block at which the server's cache ends.
func claudeMarked(block claudeBlock) claudeBlock {
	*block.GetCacheControl() = anthropic.NewCacheControlEphemeralParam()
	return block
}

func claudeImage(kind, data string) claudeBlock {
	return anthropic.NewImageBlockBase64("image/"+kind, data)
}

func claudeCall(id, name, input string) claudeBlock {
	return anthropic.NewToolUseBlock(id, json.RawMessage(input), name)
}

func claudeResult(id, text string) claudeBlock {
	return claudeBlock{OfToolResult: &anthropic.ToolResultBlockParam{
		ToolUseID: id, Content: []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: text}}},
	}}
}

func claudeTool(name, description, schema string) anthropic.ToolUnionParam {
	tool := anthropic.ToolParam{Name: name}
	if description != "" {
		tool.Description = anthropic.String(description)
	}
	tool.InputSchema.Properties = map[string]any{}
	if schema != "" {
		tool.InputSchema = param.Override[anthropic.ToolInputSchemaParam](json.RawMessage(schema))
	}
	return anthropic.ToolUnionParam{OfTool: &tool}
}

// claudeThinks is a question to a model with a tool and a wish for thinking.
func claudeThinks(model anthropic.Model, most int64, wish anthropic.ThinkingConfigParamUnion, beta anthropic.AnthropicBeta) claudeQuestion {
	tool := claudeTool("read", "", "")
	*tool.GetCacheControl() = anthropic.NewCacheControlEphemeralParam()
	return claudeQuestion{beta: beta, params: anthropic.MessageNewParams{
		Model: model, MaxTokens: most, Thinking: wish, Tools: []anthropic.ToolUnionParam{tool},
		Messages: []claudeMessage{claudeUser(claudeMarked(claudeText("Hello")))},
	}}
}

func claudeQuestions() map[string]claudeQuestion {
	first := claudeUser(claudeMarked(claudeText(look)))
	options := claudeAsk(first)
	options.params.MaxTokens = 4096
	options.params.System = []anthropic.TextBlockParam{{Text: system, CacheControl: anthropic.NewCacheControlEphemeralParam()}}
	tools := claudeAsk(first)
	tools.params.Tools = []anthropic.ToolUnionParam{
		claudeTool("bare", "", ""), claudeTool("list", "Lists.", `{"type":"object"}`), claudeTool("todo", "", ""), claudeTool("write", "Writes <it>.", schema),
	}
	*tools.params.Tools[3].GetCacheControl() = anthropic.NewCacheControlEphemeralParam()
	wished := claudeAsk(first)
	wished.params.Thinking = anthropic.ThinkingConfigParamOfEnabled(16_000)
	adaptive := anthropic.ThinkingConfigParamUnion{OfAdaptive: &anthropic.ThinkingConfigAdaptiveParam{Display: anthropic.ThinkingConfigAdaptiveDisplaySummarized}}
	little := claudeAsk(first)
	little.params.Thinking = anthropic.ThinkingConfigParamOfEnabled(4000)
	newer := claudeThinks("claude-opus-5-5", 64_000, adaptive, "")
	newer.params.OutputConfig.Effort = anthropic.OutputConfigEffortXhigh
	beside := claudeThinks("claude-opus-4-5", 64_000, wished.params.Thinking, "interleaved-thinking-2025-05-14")
	beside.params.OutputConfig.Effort = anthropic.OutputConfigEffortMedium
	elsewhere := claudeThinks("glm-4.6", 8192, anthropic.ThinkingConfigParamUnion{}, "")
	elsewhere.params.OutputConfig.Effort = anthropic.OutputConfigEffortHigh
	search := claudeThinks("claude-opus-5-5", 64_000, anthropic.ThinkingConfigParamUnion{}, "")
	*search.params.Tools[0].GetCacheControl() = anthropic.CacheControlEphemeralParam{}
	search.params.Tools = append(search.params.Tools, claudeSearches(anthropic.WebSearchTool20250305Param{}))
	hosts, without := search, search
	hosts.params.Tools = []anthropic.ToolUnionParam{claudeSearches(anthropic.WebSearchTool20250305Param{AllowedDomains: []string{"go.dev"}})}
	without.params.Tools = []anthropic.ToolUnionParam{claudeSearches(anthropic.WebSearchTool20250305Param{BlockedDomains: []string{"evil.example"}})}
	hosts.params.Messages = claudeSearched()
	return map[string]claudeQuestion{
		"search": search, "search of hosts": hosts, "search without hosts": without,
		"effort": little, "effort of a newer model": newer, "effort beside a budget": beside, "effort of another maker": elsewhere,
		"text": claudeAsk(first), "thinking not asked for": claudeAsk(first), "thinking asked for": wished, "options": options, "tools": tools,
		"thinking measured by the model": claudeThinks("claude-opus-5-5", 64_000, adaptive, ""),
		"thinking between tools":         claudeThinks("claude-opus-4-5", 64_000, wished.params.Thinking, "interleaved-thinking-2025-05-14"),
		"thinking of another maker":      claudeThinks("glm-4.6", 8192, anthropic.ThinkingConfigParamOfEnabled(4096), ""),
		"turns": claudeAsk(claudeUser(claudeText(look), claudeMarked(claudeText("Be quick."))), claudeModel(claudeText("Yes."), claudeText("Done.")),
			claudeUser(claudeMarked(claudeText("And?")))),
		"images": claudeAsk(claudeUser(claudeText(look), claudeText("These:"), claudeImage("png", "iXBuZw=="), claudeImage("jpeg", "iWpwZWc="),
			claudeImage("gif", "iWdpZg=="), claudeImage("webp", "iXdlYnA="), claudeText(noTIFF), claudeMarked(claudeText(noPNG)))),
		"calls and results":  claudeCalls(first),
		"odd calls":          claudeOddCalls(first),
		"thinking goes back": claudeThought(),
	}
}

func claudeCalls(first claudeMessage) claudeQuestion {
	pictured, failed := claudeResult("toolu_3", "two pictures"), claudeResult("toolu_4", "no such file")
	pictured.OfToolResult.Content = append(pictured.OfToolResult.Content,
		anthropic.ToolResultBlockParamContentUnion{OfImage: claudeImage("webp", "iXdlYnA=").OfImage},
		anthropic.ToolResultBlockParamContentUnion{OfText: &anthropic.TextBlockParam{Text: noTIFF}})
	failed.OfToolResult.IsError = anthropic.Bool(true)
	return claudeAsk(first,
		claudeModel(claudeText("I will look."), claudeCall("toolu_1", "read", large), claudeCall("toolu_2", "read", "{}"), claudeCall("toolu_3", "read", deep), claudeCall("toolu_4", "read", "{ }")),
		claudeUser(claudeResult("toolu_1", "package a\n"), claudeResult("toolu_2", "(no output)"), pictured, failed, claudeMarked(claudeText("And now?"))))
}

func claudeOddCalls(first claudeMessage) claudeQuestion {
	return claudeAsk(first,
		claudeModel(claudeCall("a", "read", odd), claudeCall("functions_b_0", "functions_read_file", `{"_invalid":"[1]"}`), claudeCall("c", "_", "{}"),
			claudeCall("d", "9lives", `{"_invalid":"null"}`), claudeCall(longID, longName[:128], alone)),
		claudeUser(claudeResult("a", "ok"), claudeResult("functions_b_0", "okok"), claudeResult("c", "okokok"), claudeResult("d", "okokokok"),
			claudeMarked(claudeResult(longID, "okokokokok"))))
}

func claudeThought() claudeQuestion {
	return claudeAsk(claudeUser(claudeText(look)),
		claudeModel(anthropic.NewThinkingBlock(seen, "Let me look."), anthropic.NewRedactedThinkingBlock(hidden), claudeText("I read it."),
			anthropic.NewRedactedThinkingBlock(ofText), claudeCall("toolu_1", "read", aGo)),
		claudeUser(claudeMarked(claudeResult("toolu_1", "package a"))),
		claudeModel(claudeText("I read it."), claudeCall("toolu_1_2", "read", aGo)),
		claudeUser(claudeResult("toolu_1_2", "package a"), claudeMarked(claudeText("And?"))))
}

// claudeSearches is the search of the web, the last of the tools.
func claudeSearches(tool anthropic.WebSearchTool20250305Param) anthropic.ToolUnionParam {
	tool.MaxUses, tool.CacheControl = anthropic.Int(10), anthropic.NewCacheControlEphemeralParam()
	return anthropic.ToolUnionParam{OfWebSearchTool20250305: &tool}
}

// claudeSearched is a history with a search and a text that cites what it found.
func claudeSearched() []claudeMessage {
	cites := claudeText("Go.")
	cites.OfText.Citations = []anthropic.TextCitationParamUnion{{OfWebSearchResultLocation: &anthropic.CitationWebSearchResultLocationParam{
		URL: "https://go.dev", Title: anthropic.String("Go"), EncryptedIndex: "aW5kZXg", CitedText: "Go",
	}}}
	return []claudeMessage{
		claudeUser(claudeMarked(claudeText("Hello"))),
		claudeModel(
			claudeBlock{OfServerToolUse: &anthropic.ServerToolUseBlockParam{ID: "srvtoolu_1", Name: anthropic.ServerToolUseBlockParamNameWebSearch, Input: object(`{"query":"go"}`)}},
			claudeBlock{OfWebSearchToolResult: &anthropic.WebSearchToolResultBlockParam{ToolUseID: "srvtoolu_1", Content: anthropic.WebSearchToolResultBlockParamContentUnion{
				OfWebSearchToolResultBlockItem: []anthropic.WebSearchResultBlockParam{{URL: "https://go.dev", Title: "Go", EncryptedContent: "c2VhbGVk", PageAge: anthropic.String("1 day")}},
			}}},
			cites),
		claudeUser(claudeMarked(claudeText("And?"))),
	}
}
