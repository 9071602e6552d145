package jinja

import (
	"strings"
	"testing"
)

// marked shows content in brackets.
func marked(t Text) string {
	var b strings.Builder
	for _, s := range t.Segments() {
		if s.Content {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// TestTracking: content stays content through what templates do with it, and what the
// template adds is its own. x is " a<b>Ä ", the pair is ("k", "v"), and n a number.
func TestTracking(t *testing.T) {
	variables := NewDict()
	for name, v := range map[string]Value{
		"x": Content(" a<b>Ä "), "y": Content("y"), "n": int64(7), "none": nil, "own": Plain("o"),
		"list": NewList(Content("p"), Plain("q"), int64(3)),
	} {
		variables.Set(Plain(name), v)
	}
	pair := NewDict()
	pair.Set(Content("k"), Content("v"))
	variables.Set(Plain("d"), pair)
	for source, want := range map[string]string{
		`<{{ x }}>`: `<[ a<b>Ä ]>`,
		`{{ x|trim }}{{ x.strip() }}{{ x.lstrip() }}`:                         `[a<b>Äa<b>Äa<b>Ä ]`,
		`{{ 'A' + x + 'B' }}{{ 'A' ~ x ~ n ~ own }}`:                          `A[ a<b>Ä ]BA[ a<b>Ä ]7o`,
		`{{ x.split('<')[1] }}-{{ x.split()[0] }}`:                            `[b>Ä ]-[a<b>Ä]`,
		`{{ ('<t>' + x + '</t>').split('<') }}`:                               `['', 't>[ a]', '[b>Ä ]', '/t>']`,
		`{{ x.replace('b', 'B') }}{{ 'a-b'.replace('-', x) }}`:                `[ a<]B[>Ä ]a[ a<b>Ä ]b`,
		`{{ x|upper }}{{ x|lower }}{{ (own + y)|upper }}`:                     `[ A<B>Ä  a<b>ä ]O[Y]`,
		`{{ x[1:3] }}{{ x[-2] }}{{ ('o' + x)[:3] }}{{ x[::-1] }}`:             `[a<Ä]o[ a Ä>b<a ]`,
		`{{ list|join('+') }} {{ ', '.join([y, own]) }}`:                      `[p]+q+3 [y], o`,
		`{{ x|tojson }} {{ d|tojson }} {{ list|tojson }}`:                     `"[ a<b>Ä ]" {"[k]": "[v]"} ["[p]", "q", 3]`,
		`{{ d|tojson(indent=1) }}`:                                            "{\n \"[k]\": \"[v]\"\n}",
		`{{ d }} {{ list }}`:                                                  `{'[k]': '[v]'} ['[p]', 'q', 3]`,
		`{{ '%s=%5s' % (own, y) }} {{ '{}:{}'.format(y, 1) }}`:                `o=    [y] [y]:1`,
		`{{ x|indent }}{{ (y ~ '\n' ~ y)|indent(2) }}`:                        "[ a<b>Ä y]\n  [y]",
		`{{ x|e }}{{ y|truncate(3) }}{{ y.center(3, '*') }}`:                  `[ a&lt;b&gt;Ä y]*[y]*`,
		`{% for c in y ~ own %}{{ c }},{% endfor %}`:                          `[y],o,`,
		`{% set z %}<{{ y }}>{% endset %}{{ z|trim('<') }}`:                   `[y]>`,
		`{% macro m(a) %}({{ a }}){% endmacro %}{{ m(y)|replace('(', own) }}`: `o[y])`,
		`{% filter upper %}a{{ y }}{% endfilter %}`:                           `A[Y]`,
		`{{ y * 2 }}{{ (own ~ y) * 2 }}`:                                      `[yy]o[y]o[y]`,
		`{{ x.partition('<') }}`:                                              `('[ a]', '[<]', '[b>Ä ]')`,
		`{{ (y ~ '\n' ~ own).splitlines() }}`:                                 `['[y]', 'o']`,
		`{% for k, v in d|items %}{{ k }}={{ v }}{% endfor %}`:                `[k]=[v]`,
		`{{ y|default('z') }}{{ u|default(y) }}{{ y if n else own }}`:         `[yyy]`,
		`{{ [y, own]|map('upper')|join }}{{ [own, y]|sort|join }}`:            `[Y]Oo[y]`,
		`{{ y|string }}{{ y|safe }}{{ y|first }}{{ [y]|last }}`:               `[yyyy]`,
		`{{ y|length }}{{ y == own }}{{ y|int }}`:                             `1False0`,
		`{{ x|urlencode }}`:                                                   `[%20a%3Cb%3E%C3%84%20]`,
		`{{ 'ab'.strip(y) }}{{ own.removeprefix(y) }}`:                        `abo`,
		`{{ y|title }}{{ y|capitalize }}{{ y.zfill(3) }}`:                     `[YY]00[y]`,
	} {
		got, err := render(source, variables)
		if err != nil || marked(got) != want {
			t.Errorf("%s: %s, %v, want %s", source, marked(got), err, want)
		}
	}
}
