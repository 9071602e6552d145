package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// odd is a command whose texts hold what Markdown and troff would take for their own.
func odd() *cobra.Command {
	cmd := &cobra.Command{Use: "odd [flags] FILE\n  odd --all", Short: "Do <b> and a_b",
		Long:    "Do <b> and a_b:\n.hidden and 'quoted' \\ and [x](y).\n\n  as it *is*", // a paragraph of code
		Example: "  odd -n 1\n  odd .", Run: func(*cobra.Command, []string) {}}
	cmd.Flags().IntP("n-tokens", "n", 5, "`N` of a|b")
	cmd.Flags().Bool("secret", false, "")
	if err := cmd.Flags().MarkHidden("secret"); err != nil {
		panic(err)
	}
	cmd.AddCommand(&cobra.Command{Use: "sub", Short: "Do less", Run: cmd.Run})
	return cmd
}

func TestPages(t *testing.T) {
	pages := Pages(odd())
	if len(pages) != 4 {
		t.Fatalf("%d pages", len(pages))
	}
	for name, wanted := range map[string][]string{
		"cli/odd.md": {"    odd [flags] FILE\n    odd --all\n", "Do \\<b> and a\\_b:\n", "\\[x](y)", "\n    as it *is*\n",
			"| `-n, --n-tokens N` | `MLXC_N_TOKENS` | N of a\\|b (default: 5) |\n", "| `-h, --help` |  |", "| 1 | an error", "- [odd sub](odd-sub.md): do less\n", "    odd .\n"},
		"cli/odd-sub.md": {"# odd sub\n", "- [odd](odd.md): do <b>"},
		"man/odd.1": {".TH ODD 1 \"\" \"mlxc ", "odd \\- do <b>", ".B odd [flags] FILE\n.br\n.B odd \\-\\-all\n", "\n\\&.hidden and 'quoted' \\e and",
			".nf\n  as it *is*\n.fi\n", ".B \\-n, \\-\\-n\\-tokens N\nN of a|b (default: 5)\n[$MLXC_N_TOKENS]\n", ".SH EXIT STATUS\n", "odd\\-sub(1)\n"},
		"man/odd-sub.1": {".TH ODD\\-SUB 1", "odd(1)\n"},
	} {
		for _, want := range wanted {
			if !strings.Contains(pages[name], want) {
				t.Errorf("%s lacks %q:\n%s", name, want, pages[name])
			}
		}
		if strings.Contains(pages[name], "secret") {
			t.Errorf("%s shows a hidden flag", name)
		}
	}
}

// Differences, missing pages and pages of commands that are gone are found; update
// repairs all of them.
func TestCompare(t *testing.T) {
	folder := t.TempDir()
	if err := compare(Pages(odd()), "odd", folder, true); err != nil {
		t.Fatal(err)
	}
	if err := compare(Pages(odd()), "odd", folder, false); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(folder, "cli", "odd.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]struct{ path, text, want string }{
		"changed":  {page, strings.Replace(string(text), "# odd", "# even", 1), "odd.md:2: \"# even\", the command says \"# odd\""},
		"cut":      {page, string(text[:len(text)-1]), "odd.md:"},
		"longer":   {page, string(text) + "x", "odd.md:"},
		"leftover": {filepath.Join(folder, "man", "odd-old.1"), "", "odd-old.1 is of no command"},
	} {
		if err := os.WriteFile(spoil.path, []byte(spoil.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := compare(Pages(odd()), "odd", folder, false); err == nil || !strings.Contains(err.Error(), spoil.want) || !strings.Contains(err.Error(), "make docs") {
			t.Errorf("%s: %v, want %q", name, err, spoil.want)
		}
		if err := compare(Pages(odd()), "odd", folder, true); err != nil {
			t.Fatal(err)
		}
		if err := compare(Pages(odd()), "odd", folder, false); err != nil {
			t.Errorf("%s, updated: %v", name, err)
		}
	}
	if err := os.Remove(page); err != nil {
		t.Fatal(err)
	}
	if err := compare(Pages(odd()), "odd", folder, false); err == nil || !strings.Contains(err.Error(), "odd.md") {
		t.Errorf("missing: %v", err)
	}
}
