package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/runtime/atomicfile"
	"github.com/mlxc/mlxc/runtime/chat"
)

// chatCommand is what a line that begins with / asks for.
type chatCommand struct {
	name, argument, help string
	do                   func(t *talk, argument string) error
	optional             bool // the argument
}

// chatCommands returns the commands in the order of /help.
func chatCommands() []chatCommand {
	return []chatCommand{
		{name: "system", argument: "TEXT", optional: true, help: "set the system message; without TEXT: show it; -: clear it", do: (*talk).system},
		{name: "reset", help: "begin anew; the system message stays", do: (*talk).reset},
		{name: "save", argument: "FILE", help: "write the conversation to FILE", do: (*talk).save},
		{name: "load", argument: "FILE", help: "go on with the conversation in FILE", do: (*talk).load},
		{name: "stats", help: "tokens and speed", do: (*talk).stats},
		{name: "help", help: "this list", do: (*talk).help},
		{name: "exit", help: "end, as Ctrl-D", do: func(*talk, string) error { return errEnd }},
	}
}

// commandHelp has a line for each command.
func commandHelp() string {
	var b strings.Builder
	for _, c := range chatCommands() {
		fmt.Fprintf(&b, "  %-14s  %s\n", strings.TrimSpace("/"+c.name+" "+c.argument), c.help)
	}
	return b.String()
}

// command splits "/name argument". Of what is no command, name is what is said: a line
// that begins with two slashes begins with one.
func command(line string) (name, argument string, is bool) {
	if strings.HasPrefix(line, "//") {
		return line[1:], "", false
	}
	rest, is := strings.CutPrefix(line, "/")
	if !is {
		return line, "", false
	}
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	return rest[:end], strings.TrimSpace(rest[end:]), true
}

// command runs a command.
func (t *talk) command(name, argument string) error {
	for _, c := range chatCommands() {
		switch {
		case c.name != name:
		case argument == "" && c.argument != "" && !c.optional:
			return refuse("/%s needs a %s", name, c.argument)
		case argument != "" && c.argument == "":
			return refuse("/%s takes nothing after it, %q was given", name, argument)
		default:
			return c.do(t, argument)
		}
	}
	return refuse("/%s is no command: /help lists them, and //%s says it", name, name)
}

func (t *talk) system(text string) error {
	switch text {
	case "":
		if text = t.conversation.System(); text == "" {
			t.say("there is no system message of yours; the chat template may have one of its own")
		} else {
			t.say("%s", cli.Harmless(text))
		}
	case "-":
		t.conversation.SetSystem("")
	default:
		t.conversation.SetSystem(text)
	}
	return nil
}

func (t *talk) reset(string) error {
	t.conversation.Reset()
	return nil
}

func (t *talk) save(path string) error {
	messages := t.conversation.Messages()
	if len(messages) == 0 { // what /load refuses
		return refuse("nothing was said: there is no conversation to save")
	}
	data, err := chat.WriteMessages(messages)
	if err == nil {
		err = keepConversation(path, data)
	}
	if err != nil {
		return refusal{err}
	}
	t.say("%s saved to %s", count(len(messages), "message"), path)
	return nil
}

// keepConversation writes a file that its owner alone may read; a link stays, and its
// target is written.
func keepConversation(path string, data []byte) error {
	target, err := atomicfile.Target(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(target, data, 0o600)
}

func (t *talk) load(path string) error {
	messages, err := loadMessages(path)
	if err != nil {
		return refusal{err}
	}
	if err := answered(messages); err != nil {
		return refuse("%s: %w", path, err)
	}
	t.conversation.Replace(messages)
	t.say("%s loaded from %s", count(len(messages), "message"), path)
	return nil
}

func (t *talk) stats(string) error {
	c, all := t.conversation, t.conversation.Total()
	if c.Changed() {
		t.say("context    %d tokens; those taken are counted with the next message, which reuses what fits of %d from before", c.Context(), c.Held())
	} else {
		t.say("context    %d of %d tokens", c.Held(), c.Context())
	}
	if t.last != nil {
		t.say("last turn  %s", describe(t.last))
	}
	t.say("%-9s  %d tokens reused, %d run, %d answered", count(all.Turns, "turn"), all.Reused, all.Prefilled, all.Answered)
	return nil
}

func (t *talk) help(string) error {
	t.say("%s  //TEXT          say /TEXT\n  \"\"\"             begin and end a message of several lines", commandHelp())
	return nil
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
