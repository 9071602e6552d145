package docs

import (
	"fmt"
	"strings"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// man is the page in the macros of man(7). It has no date: the same command gives the
// same page.
func (p page) man() string {
	var synopsis []string
	for _, line := range p.use {
		synopsis = append(synopsis, manText(line))
	}
	var b strings.Builder
	fmt.Fprintf(&b, ".\\\" Written by `make docs`.\n.TH %s 1 \"\" %q \"mlxc\"\n", manName(strings.ToUpper(p.file())), "mlxc "+cli.Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n", manName(p.file()), manText(lowerFirst(p.short)), strings.Join(synopsis, "\n.br\n.B "))
	for _, paragraph := range p.description {
		if strings.HasPrefix(paragraph, "  ") {
			fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", manText(paragraph))
		} else {
			fmt.Fprintf(&b, ".PP\n%s\n", manText(paragraph))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	for _, f := range p.flags {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", manText(f.spelling), manText(f.usage))
		if f.variable != "" {
			fmt.Fprintf(&b, "[$%s]\n", manText(f.variable))
		}
	}
	fmt.Fprintf(&b, ".SH ENVIRONMENT\n%s\n", manText(environment))
	if p.example != nil {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", manText(strings.Join(p.example, "\n")))
	}
	if p.isRoot() {
		b.WriteString(".SH EXIT STATUS\n")
		for _, c := range exitCodes {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", c[0], manText(c[1]))
		}
		fmt.Fprintf(&b, ".SH COMPLETIONS\n%s\n", manText(p.completion()))
	}
	if p.related != nil {
		var names []string
		for _, r := range p.related {
			names = append(names, manName(page{name: r.name}.file())+"(1)")
		}
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(names, ", "))
	}
	return b.String()
}

// manName writes a command's name with hyphens that can be copied.
func manName(s string) string { return strings.ReplaceAll(s, "-", `\-`) }

// manText escapes what troff would read as a command.
func manText(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
