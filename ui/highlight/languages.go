package highlight

// slashes are the comments of C and of all who took them from there.
var slashes, stars = []string{"//"}, [][2]string{{"/*", "*/"}}

// languages are those that are told apart by their words.
func languages() []language {
	return append(append(curly(), scripts()...), data()...)
}

// curly are those that look like C.
func curly() []language {
	c := language{names: "c h", comments: slashes, blocks: stars, quotes: `"'`,
		keywords: "auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while define include ifdef ifndef endif undef pragma NULL",
		builtin:  "char double float int long short signed unsigned void bool size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"}
	cpp := c
	cpp.names, cpp.classes = "cpp c++ cc cxx hpp hh", true
	cpp.keywords += " alignas alignof catch class concept const_cast consteval constexpr co_await co_return co_yield decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept nullptr operator override private protected public reinterpret_cast requires static_cast template this throw true false try typeid typename using virtual"
	java := language{names: "java", comments: slashes, blocks: stars, quotes: `"'`, multi: []string{`"""`}, classes: true,
		keywords: "abstract assert break case catch class continue default do else enum extends final finally for if implements import instanceof interface native new null package private protected public record return sealed static super switch synchronized this throw throws transient true false try var volatile while yield",
		builtin:  "boolean byte char double float int long short void"}
	script := language{names: "javascript js jsx mjs cjs", comments: slashes, blocks: stars, quotes: `"'`, multi: []string{"`"}, classes: true,
		keywords: "async await break case catch class const continue debugger default delete do else export extends false finally for from function get if import in instanceof let new null of return set static super switch this throw true try typeof undefined var void while with yield"}
	typed := script
	typed.names = "typescript ts tsx"
	typed.keywords += " abstract as asserts declare enum implements infer interface is keyof module namespace override private protected public readonly satisfies type"
	typed.builtin = "any bigint boolean never number object string symbol unknown"
	return []language{
		c, cpp, java, script, typed,
		{names: "go golang", comments: slashes, blocks: stars, quotes: `"'`, multi: []string{"`"},
			keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota",
			builtin:  "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr"},
		{names: "rust rs", comments: slashes, blocks: stars, quotes: `"'`, lifetimes: true, classes: true,
			keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while macro_rules",
			builtin:  "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize"},
		{names: "csharp cs c#", comments: slashes, blocks: stars, quotes: `"'`, classes: true,
			keywords: "abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern false finally fixed for foreach get goto if implicit in interface internal is lock namespace new null operator out override params private protected public readonly record ref return sealed set static struct switch this throw true try typeof unsafe using var virtual volatile when where while yield",
			builtin:  "bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort void"},
		{names: "kotlin kt kts", comments: slashes, blocks: stars, quotes: `"'`, multi: []string{`"""`}, classes: true,
			keywords: "abstract as break by catch class companion const continue data do else enum false final finally for fun if import in infix inline inner interface internal is lateinit null object open operator out override package private protected public return sealed super suspend this throw true try typealias val var vararg when where while"},
		{names: "swift", comments: slashes, blocks: stars, quotes: `"`, multi: []string{`"""`}, classes: true,
			keywords: "actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension false fileprivate for func guard if import in init inout internal is let mutating nil open operator override private protocol public repeat rethrows return self some static struct subscript super switch throw throws true try typealias var weak where while"},
		{names: "scala", comments: slashes, blocks: stars, quotes: `"'`, multi: []string{`"""`}, classes: true,
			keywords: "abstract case catch class def do else enum extends extension false final finally for forSome given if implicit import lazy match new null object override package private protected return sealed super then this throw trait true try type using val var while with yield"},
		{names: "dart", comments: slashes, blocks: stars, quotes: `"'`, classes: true,
			keywords: "abstract as assert async await break case catch class const continue default do dynamic else enum export extends extension factory false final finally for get if implements import in is late library mixin new null on part required return set static super switch sync this throw true try typedef var void while with yield",
			builtin:  "bool double int num"},
		{names: "php", comments: []string{"//", "#"}, blocks: stars, quotes: `"'`, classes: true, anyCase: true,
			keywords: "abstract and array as break case catch class clone const continue declare default do echo else elseif empty enum extends false final finally fn for foreach function global goto if implements include instanceof interface isset list match namespace new null or print private protected public readonly require require_once return static switch throw trait true try unset use var while yield"},
		{names: "zig", comments: slashes, quotes: `"'`, classes: true,
			keywords: "align allowzero and anyframe asm async await break catch comptime const continue defer else enum errdefer error export extern false fn for if inline noalias null opaque or orelse packed pub resume return struct suspend switch test threadlocal true try undefined union unreachable usingnamespace var volatile while",
			builtin:  "anytype bool f32 f64 i8 i16 i32 i64 isize noreturn type u8 u16 u32 u64 usize void"},
		{names: "protobuf proto", comments: slashes, blocks: stars, quotes: `"'`,
			keywords: "enum extend extensions import map message oneof option optional package repeated required reserved returns rpc service stream syntax true false",
			builtin:  "bool bytes double fixed32 fixed64 float int32 int64 sint32 sint64 string uint32 uint64"},
	}
}

// scripts are those whose comments begin otherwise.
func scripts() []language {
	return []language{
		{names: "python py python3 pycon", comments: []string{"#"}, quotes: `"'`, multi: []string{`"""`, "'''"},
			keywords: "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
			builtin:  "bool bytes dict float frozenset int list object set str tuple type"},
		{names: "bash sh shell zsh fish console shellsession ksh", comments: []string{"#"}, quotes: `"'`, multi: []string{"`"}, dashes: true,
			keywords: "case do done elif else esac export fi for function if in local readonly return select set shift source then trap unset until while"},
		{names: "ruby rb", comments: []string{"#"}, quotes: `"'`, classes: true,
			keywords: "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield"},
		{names: "elixir ex exs", comments: []string{"#"}, quotes: `"'`, multi: []string{`"""`}, classes: true,
			keywords: "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue true try unless unquote use when with"},
		{names: "perl pl", comments: []string{"#"}, quotes: `"'`,
			keywords: "and cmp die do else elsif eq foreach for ge gt if last le local lt my ne next no not or our package print qw redo require return sub unless until use while"},
		{names: "r", comments: []string{"#"}, quotes: `"'`,
			keywords: "break else FALSE for function if in Inf NA NaN next NULL repeat return TRUE while"},
		{names: "lua", comments: []string{"--"}, quotes: `"'`,
			keywords: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"},
		{names: "haskell hs elm", comments: []string{"--"}, blocks: [][2]string{{"{-", "-}"}}, quotes: `"`, classes: true,
			keywords: "as case class data deriving do else family forall foreign hiding if import in infix infixl infixr instance let module newtype of qualified then type where"},
		{names: "sql postgresql mysql sqlite psql", comments: []string{"--"}, blocks: stars, quotes: `'"`, anyCase: true,
			keywords: "add all alter and as asc begin between by case cascade check column commit constraint create cross database default delete desc distinct drop else end exists explain false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction trigger true union unique update using values view when where with",
			builtin:  "bigint blob boolean bytea char date decimal double float int integer json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar"},
		{names: "dockerfile docker", comments: []string{"#"}, quotes: `"'`, anyCase: true,
			keywords: "add arg as cmd copy entrypoint env expose from healthcheck label onbuild run shell stopsignal user volume workdir"},
		{names: "makefile make", comments: []string{"#"}, quotes: `"'`, keyed: true, keySign: ":", dashes: true,
			keywords: "define else endef endif export ifdef ifeq ifndef ifneq include override"},
		{names: "powershell ps1 pwsh", comments: []string{"#"}, blocks: [][2]string{{"<#", "#>"}}, quotes: `"'`, anyCase: true, dashes: true,
			keywords: "begin break catch class continue do else elseif end exit filter finally for foreach function if in param process return switch throw trap try until using while"},
		{names: "nix", comments: []string{"#"}, blocks: stars, quotes: `"`, multi: []string{"''"}, dashes: true,
			keywords: "assert else false if import in inherit let null or rec then true with"},
		{names: "clojure clj lisp elisp scheme", comments: []string{";"}, quotes: `"`, dashes: true,
			keywords: "cond def defmacro defn defun define do else false fn if lambda let loop nil ns quote recur require true when"},
	}
}

// data are those that describe something.
func data() []language {
	return []language{
		{names: "json jsonc json5 jsonl", comments: slashes, blocks: stars, quotes: `"`, keyed: true, keySign: ":", keywords: "true false null"},
		{names: "yaml yml", comments: []string{"#"}, quotes: `"'`, keyed: true, keySign: ":", dashes: true, keywords: "true false null yes no"},
		{names: "toml ini conf cfg properties env dotenv", comments: []string{"#", ";"}, quotes: `"'`, multi: []string{`"""`, "'''"}, keyed: true, keySign: "=", dashes: true, keywords: "true false"},
		{names: "hcl terraform tf", comments: []string{"#", "//"}, blocks: stars, quotes: `"`, keyed: true, keySign: "=", dashes: true,
			keywords: "data false for if in locals module null output provider resource terraform true variable"},
		{names: "graphql gql", comments: []string{"#"}, quotes: `"`, multi: []string{`"""`}, classes: true,
			keywords: "directive enum extend false fragment implements input interface mutation null on query scalar schema subscription true type union"},
		{names: "css scss less sass", comments: slashes, blocks: stars, quotes: `"'`, keyed: true, keySign: ":", dashes: true},
		{names: "html xml svg vue svelte xhtml htm", blocks: [][2]string{{"<!--", "-->"}}, quotes: `"'`, markup: true, dashes: true},
		{names: "diff patch", lines: changed},
	}
}
