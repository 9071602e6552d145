package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
)

// TestVariables: every flag in the pages of docs/cli has a variable, and a variable means
// the same in every command: one environment serves all.
func TestVariables(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(oracle.Root(), "docs", "cli", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	row := regexp.MustCompile("(?m)^\\| `(?:-., )?--([a-z0-9-]+)( [^`]*)?` \\| (?:`(MLXC_[A-Z0-9_]+)`)? \\|")
	flagOf := map[string]string{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		rows := row.FindAllStringSubmatch(string(text), -1)
		if lines := strings.Count(string(text), "\n| `"); lines != len(rows) || lines == 0 {
			t.Errorf("%s: %d flags, %d understood", page, lines, len(rows))
		}
		for _, r := range rows {
			flag, variable := r[1], r[3]
			if variable == "" {
				if flag != "help" && flag != "version" {
					t.Errorf("%s: --%s has no variable", page, flag)
				}
				continue
			}
			// Some commands take a list of what others take one of.
			meaning := flag + strings.TrimSuffix(strings.NewReplacer(" LIST", "", " N", "", " TYPE", "").Replace(r[2]), "S")
			if other := flagOf[variable]; other != "" && other != meaning {
				t.Errorf("%s: %s is --%s, elsewhere --%s", page, variable, meaning, other)
			}
			flagOf[variable] = meaning
		}
	}
}

// TestCompletions: each command prints completions for each shell, and completes flags.
func TestCompletions(t *testing.T) {
	for _, name := range []string{"mlxc-emit", "mlxc-run", "mlxc-bench"} {
		for shell, wants := range map[string]string{"bash": "complete -o default", "zsh": "#compdef " + name, "fish": "complete -c " + name, "powershell": "Register-ArgumentCompleter"} {
			script := must(t, name, "completion", shell)
			if !strings.Contains(script, wants) {
				t.Errorf("%s, %s: no %q", name, shell, wants)
			}
			if shell == "bash" {
				check := exec.CommandContext(t.Context(), "bash", "-n")
				check.Stdin = strings.NewReader(script)
				if out, err := check.CombinedOutput(); err != nil {
					t.Errorf("%s: bash: %v\n%s", name, err, out)
				}
			}
		}
		if r := command(t, name, "completion", "tcsh"); r.code == 0 && !strings.Contains(r.stdout, "Usage") {
			t.Errorf("%s: completion for tcsh: %+v", name, r)
		}
		if out := must(t, name, "__complete", "--prec"); name != "mlxc-run" && !strings.HasPrefix(out, "--precision") {
			t.Errorf("%s: --prec is completed as %q", name, out)
		}
		if got, want := must(t, name, "--version"), fmt.Sprintf("%s version ", name); !strings.HasPrefix(got, want) {
			t.Errorf("%s: version %q", name, got)
		}
	}
}

// TestValuesCompleted: what shells are told of a flag's values. 4 in the last line keeps
// them from offering files; 0 lets them.
func TestValuesCompleted(t *testing.T) {
	for words, want := range map[string]string{
		"mlxc-run --device n":                          "native\n:4\n",
		"mlxc-bench --output j":                        "json\njsonl\n:4\n",
		"mlxc-bench --precision f32,q":                 "f32,q8\nf32,q4\n:4\n",
		"mlxc-emit --kv f":                             "f32\nf16\n:4\n",
		"mlxc-emit --target llvm":                      "llvm-cpu\nllvm-cpu-aarch64\n:0\n",
		"mlxc-emit --target ./m":                       ":0\n",
		"mlxc-emit --precision q":                      "q8\nq4\n:4\n",
		"mlxc-emit --target metal-spirv --precision ?": "f16\nf32\n:4\n",
		"mlxc-emit --target nowhere --precision ?":     ":4\n",
		"mlxc-emit --cpu x86-64-v3,x86-64-v":           "x86-64-v3,x86-64-v2\nx86-64-v3,x86-64-v3\nx86-64-v3,x86-64-v4\n:4\n",
		"mlxc-emit --target cuda --cpu ?":              ":4\n",
		"mlxc-emit --target cuda --gpu sm_9":           "sm_90\nsm_90a\n:4\n",
	} {
		args := strings.Fields(words)
		args[len(args)-1] = strings.TrimPrefix(args[len(args)-1], "?")
		if out := must(t, args[0], append([]string{"__complete"}, args[1:]...)...); out != want {
			t.Errorf("%s is completed as %q, want %q", words, out, want)
		}
	}
}

// TestWrongCommandLines: every command that has a page refuses flags that it hasn't and
// arguments that are no files: exit code 1, nothing on standard output, and one line that
// begins with the command's name.
func TestWrongCommandLines(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(oracle.Root(), "docs", "cli", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		// "mlxc-run-inspect" is "mlxc-run inspect".
		words := strings.SplitN(strings.TrimSuffix(filepath.Base(page), ".md"), "-", 3)
		name := words[0] + "-" + words[1]
		for _, args := range [][]string{{"--no-such-flag"}, {"--no-such-flag=1", "x"}, {"nowhere/1", "2", "3", "4", "5", "6", "7"}} {
			r := command(t, name, append(words[2:], args...)...)
			if r.code != 1 || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 || !strings.HasPrefix(r.stderr, name+": ") || !strings.HasSuffix(r.stderr, "\n") {
				t.Errorf("%s %s: %+v", name, append(words[2:], args...), r)
			}
			if strings.Contains(args[0], "flag") && !strings.Contains(r.stderr, "--help") {
				t.Errorf("%s %s doesn't say where the flags are: %s", name, args, r.stderr)
			}
		}
	}
}
