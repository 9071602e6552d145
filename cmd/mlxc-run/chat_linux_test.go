package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mlxc/mlxc/cmd/internal/cli/clitest"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/golden/scripted"
	"github.com/mlxc/mlxc/runtime/chat"
)

// person talks with a bundle on a terminal.
type person struct {
	*clitest.Session
	t        *testing.T
	terminal clitest.Terminal
	pid      int
}

// talkTo starts mlxc-run chat and waits until it asks for a message.
func talkTo(t *testing.T, args ...string) *person {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "mlxc-run", append([]string{"chat"}, args...)...)
	terminal := clitest.NewTerminal(t, 80, 24)
	p := &person{clitest.Start(t, terminal, cmd), t, terminal, cmd.Process.Pid}
	if hello := p.Wait(prompt); !strings.Contains(hello, " tokens. /help lists commands, Ctrl-D ends.\r\n") {
		t.Errorf("it begins with %q", hello)
	}
	return p
}

// What the terminal gets when a message, or another line of one, is waited for: a line
// without text, the cursor at its end, and the wish to be told of pastes.
const (
	prompt = "\x1b[J> \r\x1b[2C\x1b[?2004h"
	more   = "\x1b[J. \r\x1b[2C\x1b[?2004h"
)

// ends checks how the chat ends, and that the terminal is as it was.
func (p *person) ends(code int, last string) {
	p.t.Helper()
	got, shown := p.End()
	if got != code || !strings.HasSuffix(shown, last) {
		p.t.Errorf("exit code %d after %q, want %d, %q", got, shown, code, last)
	}
	state, err := unix.IoctlGetTermios(int(p.terminal.User.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	if cooked := uint32(unix.ICANON | unix.ECHO | unix.ISIG); state.Lflag&cooked != cooked {
		p.t.Errorf("the terminal is left in another mode: %#x", state.Lflag)
	}
}

// TestChatAtATerminal: a person edits, recalls and pastes, saves, is refused something,
// and goes on.
func TestChatAtATerminal(t *testing.T) {
	file, steers := filepath.Join(t.TempDir(), "a b.json"), filepath.Join(t.TempDir(), "steers.json")
	if err := os.WriteFile(steers, []byte(`[{"role": "system", "content": "a\u001b]0;b\u0007\nc"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := talkTo(t, chatBundle(t))
	const answer = "\r\n\x1b[?2004l Paris.\r\n"
	for _, step := range []struct{ name, keys, want, then string }{
		{"edited", "Fance is\x1b[H\x1b[Cr\r", answer, prompt},
		{"statistics", "/stats\r", "context    6 of 2048 tokens\r\nlast turn  4 tokens: 0 reused, 4 run in ", prompt},
		{"recalled and changed", "\x1b[A\x1b[A\x01Ah, \r", answer, prompt},
		{"an unknown command", "/quit\r", "/quit is no command: /help lists them, and //quit says it\r\n", prompt},
		{"the template refuses", "refuse\r", "the chat template refuses: I refuse <b>\\nto answer\r\n", prompt},
		{"a paste, which begins with /", "\x1b[200~/日本\rFrance is\x1b[201~\x01", "\r\x1b[J> /日本\r\n", ""},
		{"is said", "\x1b[A\x1b[B\x1b[1~\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D/\r", answer, prompt},
		{"a block begins", "\"\"\"one\r", "\r\n\x1b[?2004l", more},
		{"goes on", "two\r", "\r\n\x1b[?2004l", more},
		{"and ends", "France is\"\"\"\r", answer, prompt},
		{"saved", "/save " + file + "\r", "8 messages saved to " + file + "\r\n", prompt},
		{"forgotten", "/reset\r", "\r\n\x1b[?2004l", prompt},
		{"asked again", "France is\r", answer, prompt},
		{"loaded", "/load " + file + "\r", "8 messages loaded from " + file + "\r\n", prompt},
		{"a system message of somebody", "/load " + steers + "\r", "1 message loaded", prompt},
		{"doesn't steer the terminal", "/system\r", "\r\n\x1b[?2004la]0;b\r\nc\r\n", prompt},
		{"is left", "/load " + file + "\r", "8 messages loaded", prompt},
		{"not loaded", "/load nowhere\r", "stat nowhere: no such file or directory\r\n", prompt},
		{"asked after that", "France is\r", answer, prompt},
		{"statistics of both", "/stats\r", "\r\n6 turns    ", prompt},
	} {
		p.Type(step.keys)
		p.Wait(step.want)
		if step.then != "" {
			p.Wait(step.then)
		}
	}
	p.Type("/exit\r")
	p.ends(0, "\x1b[?2004l")
	if got, want := messages(t, file), "user:France is|assistant: Paris.|user:Ah, France is|assistant: Paris.|user:/日本\nFrance is|assistant: Paris.|user:one\ntwo\nFrance is|assistant: Paris."; got != want {
		t.Errorf("saved are %q, want %q", got, want)
	}
}

// TestTextOnTerminal: a model's text can't steer the terminal that it is printed on; what
// reads it through a pipe gets all of it.
func TestTextOnTerminal(t *testing.T) {
	const question = "a red" // after which it says ESC "[31" BEL, and ends
	bundle := scripted.Model{Next: scripted.Chain(2382, 212, 75, 35, 33, 195, scripted.EOS), Files: map[string]string{"chat_template.jinja": chatTemplate}}.
		Bundle(t, compiler.Options{Context: contextLength, Output: filepath.Join(t.TempDir(), "red.tar")})
	for _, piped := range [][]string{{bundle, question}, {"chat", bundle}} {
		if code, out, stderr := call(question+"\n", piped...); code != 0 || out != "\x1b[31\a\n" {
			t.Errorf("%s, piped: %d, %q, %s", piped, code, out, stderr)
		}
	}
	terminal := clitest.NewTerminal(t, 80, 24)
	code, shown := clitest.Start(t, terminal, exec.CommandContext(t.Context(), "mlxc-run", bundle, question)).End()
	if want := "[31\r\n\r\nload "; code != 0 || !strings.HasPrefix(shown, want) {
		t.Errorf("on a terminal: %d, %q, want %q", code, shown, want)
	}
	p := talkTo(t, bundle)
	p.Type(question + "\r")
	p.Wait("\r\n\x1b[?2004l[31\r\n")
	p.Wait(prompt)
	p.Type("/exit\r")
	p.ends(0, "\x1b[?2004l")
}

// messages are those of a file, role:content|….
func messages(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := chat.ReadMessages(data)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range all {
		said = append(said, m.Role+":"+m.Content)
	}
	return strings.Join(said, "|")
}

// TestChatInterrupted: Ctrl-C ends an answer, of which what was said stays; at the prompt
// it clears the line, and twice it ends the chat, as Ctrl-D does. Other signals end it
// at once. The model on the slow device counts without end.
func TestChatInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "said.json")
	p := talkTo(t, chatBundle(t), "--device", "reference")
	p.Type("count: one\r")
	p.Wait(" two three")
	p.Type("\x03")
	p.Wait("[stopped]\r\n")
	p.Wait(prompt)
	p.Type("and now France is\r")
	p.Wait(" Paris.\r\n")
	p.Wait(prompt)
	p.Type("/save " + file + "\r")
	p.Wait("4 messages saved")
	p.Wait(prompt)
	if got := messages(t, file); !strings.HasPrefix(got, "user:count: one|assistant: two three") || !strings.HasSuffix(got, "|user:and now France is|assistant: Paris.") {
		t.Errorf("said is %q", got)
	}
	p.Type("/stats\r")
	p.Wait(" reused, 8 run") // "three" or so, <|im_end|>, <|im_start|>, "user and now France is"
	p.Wait(prompt)
	p.Type("abc\x03")
	p.Wait("> abc")
	p.Wait("^C\r\n")
	p.Wait(prompt)
	p.Type("\x03")
	p.Wait("Ctrl-C once more, or Ctrl-D, ends the chat.\r\n")
	p.Wait(prompt)
	p.Type("\x03")
	p.ends(0, "^C\r\n\x1b[?2004l")

	p = talkTo(t, chatBundle(t))
	p.Type("abc\x15\x04")
	p.ends(0, "\x1b[?2004l")

	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130} {
		p = talkTo(t, chatBundle(t))
		p.Type("abc")
		p.Wait("abc")
		if err := syscall.Kill(p.pid, signal); err != nil {
			t.Fatal(err)
		}
		p.ends(code, "mlxc-run: interrupted\r\n")
	}

	p = talkTo(t, chatBundle(t), "--device", "reference")
	p.Type("count: one\r")
	p.Wait(" two three")
	if err := syscall.Kill(p.pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.ends(143, "mlxc-run: interrupted\r\n")
}
