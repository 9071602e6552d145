package jinja

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestLimits: a template that doesn't come to an end, or would take all memory, is
// stopped.
func TestLimits(t *testing.T) {
	doubled := strings.Repeat("{% set x = [x, x] %}", 60)
	for name, source := range map[string]string{
		"recursive macro":         `{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}`,
		"mutual recursion":        `{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}`,
		"recursion by caller":     `{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}`,
		"recursive loop":          `{% set ns = namespace() %}{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}`,
		"nested ranges":           `{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}{% endfor %}{% endfor %}{% endfor %}`,
		"doubled text":            `{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}`,
		"tripled text":            `{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x ~ ns.x %}{% endfor %}`,
		"repeated text":           `{{ 'abc' * 2000000000 }}`,
		"repeated list":           `{{ ([1] * 2000000000)|length }}`,
		"replaced text":           `{% set a = 'a' * 100000 %}{{ a.replace('a', a)|length }}`,
		"joined":                  `{{ (range(90000)|list)|join('x' * 100000)|length }}`,
		"centered":                `{{ 'a'.center(2000000000) }}`,
		"padded by format":        `{{ '%999999999d' % 1 }}`,
		"padded by star":          `{{ '%*d' % (2000000000, 1) }}`,
		"doubled list printed":    `{% set x = [] %}` + doubled + `{{ x }}`,
		"doubled list compared":   `{% set x = [] %}` + doubled + `{{ x == [x[0], x[1]] }}`,
		"doubled list as JSON":    `{% set x = [] %}` + doubled + `{{ x|tojson }}`,
		"doubled tuple as a key":  `{% set x = () %}` + strings.ReplaceAll(doubled, "[x, x]", "(x, x)") + `{{ {x: 1} }}`,
		"doubled tuple looked up": `{% set x = () %}` + strings.ReplaceAll(doubled, "[x, x]", "(x, x)") + `{{ {}[x] }}`,
		"deep list printed":       `{% set ns = namespace(x=[]) %}{% for i in range(1000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}`,
		"namespace in itself":     `{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}`,
		"power":                   `{{ 10 ** (10 ** 10) }}`,
		"squares":                 `{% set ns = namespace(x=3) %}{% for i in range(99) %}{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x }}`,
		"indent":                  `{{ ('a\n' * 100000)|indent(100000)|length }}`,
		"batch":                   `{{ [1]|batch(2000000000, 0)|list }}`,
		"columns":                 `{{ [1]|slice(2000000000)|list }}`,
		"tabs":                    `{{ ('\t' * 100000).expandtabs(100000)|length }}`,
		"zfill":                   `{{ '1'.zfill(2000000000) }}`,
		"searching":               `{% set a = 'a' * 1000000 %}{% for i in range(90000) %}{% if 'b' in a %}{% endif %}{% endfor %}`,
		"comparing":               `{% set a = 'a' * 1000000 %}{% set b = 'a' * 1000000 %}{% for i in range(90000) %}{% if a == b %}{% endif %}{% endfor %}`,
		"counting":                `{% set a = 'ä' * 1000000 %}{% for i in range(90000) %}{{ a|length }}{% endfor %}`,
		"sorting":                 `{% set a = range(90000)|list %}{% for i in range(90000) %}{% set b = a|sort %}{% endfor %}`,
		"stripping":               `{% set a = 'a' * 1000000 %}{% for i in range(90000) %}{{ a.strip('a') }}{% endfor %}`,
	} {
		start := time.Now()
		template, err := Parse(source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, err = template.Render(context.Background(), NewDict(), Environment{Now: now, Limits: Limits{Steps: 1e6, Bytes: 64 << 20, Depth: 200}})
		var failed *Error
		if !errors.As(err, &failed) {
			t.Errorf("%s: %v, want an error", name, err)
		}
		t.Logf("%s: %v, %v", name, time.Since(start), err)
	}
}

// A rendering ends with its context.
func TestCancel(t *testing.T) {
	template, err := Parse(`{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}`)
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	if _, err := template.Render(ctx, NewDict(), Environment{Now: now, Limits: DefaultLimits}); !errors.Is(err, gone) {
		t.Error(err)
	}
}

// TestRefusedSources: what is too large or too deep is refused when it is parsed.
func TestRefusedSources(t *testing.T) {
	deep := func(open, middle, end string) string {
		return strings.Repeat(open, 100_000) + middle + strings.Repeat(end, 100_000)
	}
	for name, source := range map[string]string{
		"parentheses": `{{ ` + deep("(", "1", ")") + ` }}`,
		"lists":       `{{ ` + deep("[", "1", "]") + ` }}`,
		"not":         `{{ ` + deep("not ", "1", "") + ` }}`,
		"minus":       `{{ ` + deep("- ", "1", "") + ` }}`,
		"if":          deep("{% if 1 %}", "", "{% endif %}"),
		"else":        `{{ ` + deep("1 if 0 else ", "1", "") + ` }}`,
		"calls":       `{% macro x() %}{% endmacro %}{{ x` + strings.Repeat("()", 100_000) + ` }}`,
		"filters":     `{{ 1` + strings.Repeat("|string", 100_000) + ` }}`,
		"attributes":  `{{ x` + strings.Repeat(".a", 100_000) + ` }}`,
		"targets":     `{% set ` + deep("(", "a", ")") + ` = 1 %}`,
		"tokens":      `{{ [` + strings.Repeat("1,", 200_000) + `] }}`,
		"size":        strings.Repeat(" ", 5<<20),
		"digits":      `{{ ` + strings.Repeat("9", 10_000) + ` }}`,
	} {
		var failed *Error
		if _, err := Parse(source); !errors.As(err, &failed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRefusedNames: what nothing defines is refused by name when it is parsed.
func TestRefusedNames(t *testing.T) {
	for source, want := range map[string]string{
		"a\n{{ x|nope }}":      "line 2: unknown filter nope",
		`{{ x is nope }}`:      "line 1: unknown test nope",
		`{{ nope(1) }}`:        "line 1: unknown function nope",
		`{{ x.nope(1) }}`:      "line 1: unknown method nope",
		`{% nope %}`:           "line 1: unknown tag nope",
		`{% include 'x' %}`:    "line 1: the tag include is not supported in a chat template",
		`{% if x %}{% nope %}`: "line 1: unknown tag nope, where [elif else endif] may end the open one",
		`{{ nope() if nope is defined }}{{ x.a() if x.a is defined }}`: "",
	} {
		_, err := Parse(source)
		if want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
}
