package docs

import (
	"fmt"
	"strings"
)

func (p page) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- Written by `make docs`. -->\n# %s\n\n%s.\n\n    %s\n", p.name, p.short, strings.Join(p.use, "\n    "))
	for _, paragraph := range p.description {
		if paragraph != p.short+"." {
			fmt.Fprintf(&b, "\n%s\n", markdownText(paragraph))
		}
	}
	if p.example != nil {
		b.WriteString("\n## Examples\n\n")
		for _, line := range p.example {
			fmt.Fprintf(&b, "    %s\n", strings.TrimPrefix(line, "  "))
		}
	}
	b.WriteString("\n## Flags\n\n| flag | variable | |\n| --- | --- | --- |\n")
	for _, f := range p.flags {
		variable := ""
		if f.variable != "" {
			variable = "`" + f.variable + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.spelling, variable, strings.ReplaceAll(markdownText(f.usage), "|", `\|`))
	}
	fmt.Fprintf(&b, "\n%s\n", markdownText(environment))
	if p.isRoot() {
		b.WriteString("\n## Exit codes\n\n| code | |\n| --- | --- |\n")
		for _, c := range exitCodes {
			fmt.Fprintf(&b, "| %s | %s |\n", c[0], c[1])
		}
		fmt.Fprintf(&b, "\n## Completions\n\n%s\n", p.completion())
	}
	if p.related != nil {
		b.WriteString("\n## See also\n\n")
		for _, r := range p.related {
			fmt.Fprintf(&b, "- [%s](%s.md): %s\n", r.name, page{name: r.name}.file(), lowerFirst(r.short))
		}
	}
	return b.String()
}

// markdownText escapes what would be markup. Lines that begin with two blanks stay as
// they are, as code.
func markdownText(s string) string {
	if strings.HasPrefix(s, "  ") {
		return "  " + strings.ReplaceAll(s, "\n", "\n  ")
	}
	return strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(s)
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
