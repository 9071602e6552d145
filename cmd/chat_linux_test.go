package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/cmd/internal/cli/clitest"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/chat"
	"github.com/mlxc/mlxc/runtime/conversation"
)

// TestChatKeepsState: five turns with SmolLM2 on a terminal give the tokens that a fresh
// session gives for the whole conversation each time, and a turn runs the tokens that are
// new, no more: the state of every token of earlier turns is reused.
func TestChatKeepsState(t *testing.T) {
	if testing.Short() {
		t.Skip("real weights: the full run covers them")
	}
	checkpoint := filepath.Join(oracle.Root(), "build", "smollm2")
	bundle := emit(t, checkpoint, "--graphs", "prefill_c16,decode", "--no-self-check")
	saved := filepath.Join(t.TempDir(), "saved.json")
	const maxTokens = "24" // cuts some answers off, others end by themselves
	questions := []string{"What is the capital of France?", "And the capital of Italy?", "Write a poem about both.", "Wie heißt 日本 auf Deutsch? 🙂", "Thank you!"}

	p := clitest.Start(t, clitest.NewTerminal(t, 80, 24), exec.CommandContext(t.Context(), filepath.Join(bin, "mlxc-run"), "chat", "--json", "-n", maxTokens, bundle))
	const prompt = "> \r\x1b[2C\x1b[?2004h"
	p.Wait(prompt)
	var turns []conversation.Turn
	for _, question := range questions {
		p.Type(question + "\r")
		p.Wait(`{"prompt_tokens"`)
		var turn conversation.Turn
		unmarshal(t, `{"prompt_tokens"`+p.Wait("}\r\n"), &turn)
		turns = append(turns, turn)
		p.Wait(prompt)
	}
	p.Type("/save " + saved + "\r")
	p.Wait("10 messages saved")
	p.Wait(prompt)
	p.Type("\x04")
	if code, shown := p.End(); code != 0 {
		t.Errorf("exit code %d, %s", code, shown)
	}

	data, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	messages, err := chat.ReadMessages(data)
	if err != nil || len(messages) != 2*len(questions) {
		t.Fatalf("%d messages, %v", len(messages), err)
	}
	held := 0 // tokens that the turns until then have run
	for i, turn := range turns {
		said, err := chat.WriteMessages(messages[:2*i+1])
		if err != nil {
			t.Fatal(err)
		}
		var fresh runtime.Result
		r := commandIn(t, t.Context(), string(said), "mlxc-run", "--chat", "--messages", "-", "--json", "-n", maxTokens, bundle)
		if r.code != 0 {
			t.Fatalf("turn %d: %s", i, r.stderr)
		}
		unmarshal(t, r.stdout, &fresh)
		if !slices.Equal(turn.Tokens, fresh.Tokens) || turn.FinishReason != fresh.FinishReason || strings.TrimSpace(turn.Text) == "" {
			t.Errorf("turn %d: %v %s; a fresh session has %v %s", i, turn.Tokens, turn.FinishReason, fresh.Tokens, fresh.FinishReason)
		}
		if turn.Reused != held || turn.PromptTokens != fresh.PromptTokens-held || turn.Rendered != fresh.PromptTokens {
			t.Errorf("turn %d: %d of %d tokens reused, %d run; want all %d that were there, and %d", i, turn.Reused, turn.Rendered, turn.PromptTokens, held, fresh.PromptTokens-held)
		}
		held = turn.Rendered + len(turn.Tokens)
		if turn.FinishReason == runtime.FinishLength {
			held-- // the last token has not been run
		}
		t.Logf("turn %d: %d tokens, %d reused, %d run; answer of %d, %s: %q", i, turn.Rendered, turn.Reused, turn.PromptTokens, len(turn.Tokens), turn.FinishReason, turn.Text)
	}
}
