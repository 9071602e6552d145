package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/chat"
)

// RenderOptions are the flags of mlxc-run render.
type RenderOptions struct {
	TemplateOptions
	Bundle, Messages   string // "-": standard input
	Tools, Documents   string // files, "": none
	Name               string // of the template
	NoGenerationPrompt bool
	Continue           bool
	IDs                bool
}

func newCmdRender(s cli.IO) *cobra.Command {
	o := &RenderOptions{}
	cmd := &cobra.Command{
		Use:   "render [flags] BUNDLE [MESSAGES.json]",
		Short: "Write a conversation with the model's chat template",
		Long: `Write a conversation as the model's chat template has it, up to where the assistant's
answer begins. The conversation is a JSON list of {"role": …, "content": …}, as clients
send it: from a file, or from standard input (also "-").

Control words such as <|im_end|> count as such in what the template writes, and in the
conversation only with --special-in-content; --ids shows the difference.`,
		Example: `  echo '[{"role": "user", "content": "Hi"}]' | mlxc-run render smollm2.tar
  mlxc-run render smollm2.tar chat.json --tools tools.json --ids`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Bundle, o.Messages = args[0], "-"
			if len(args) == 2 {
				o.Messages = args[1]
			}
			if err := o.check(); err != nil {
				return err
			}
			return renderConversation(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Tools, "tools", "", "the tools in `FILE`, a JSON list as clients send it")
	f.StringVar(&o.Documents, "documents", "", "the documents in `FILE`, a JSON list of {title, text}")
	f.StringVar(&o.Name, "template", "", "the template called `NAME` (default: tool_use if there are tools and it exists, else default)")
	f.BoolVar(&o.NoGenerationPrompt, "no-generation-prompt", false, "end with the last message")
	f.BoolVar(&o.Continue, "continue", false, "end inside the last message, for the model to go on")
	f.BoolVar(&o.IDs, "ids", false, "print token ids, as JSON, in place of the text")
	o.addFlags(cmd)
	return cmd
}

func renderConversation(ctx context.Context, s cli.IO, o *RenderOptions) error {
	b, err := bundle.Open(o.Bundle)
	if err != nil {
		return err
	}
	defer b.Close()
	template, err := chat.FromBundle(b)
	if err != nil {
		return err
	}
	options, err := o.options()
	if err != nil {
		return err
	}
	messages, err := o.conversation(cli.Input(ctx, s.In))
	if err != nil {
		return err
	}
	rendered, err := template.Render(ctx, messages, options)
	if err != nil {
		return templateError(err)
	}
	if !o.IDs {
		_, err := io.WriteString(s.Text(), rendered.String())
		return err
	}
	tok, err := runtime.Tokenizer(b)
	if err != nil {
		return err
	}
	return printJSON(s.Out, rendered.Encode(tok, o.SpecialInContent))
}

func (o *RenderOptions) conversation(stdin io.Reader) ([]chat.Message, error) {
	if o.Messages == "-" {
		return readMessages("standard input", stdin)
	}
	return loadMessages(o.Messages)
}

// options reads what the flags name.
func (o *RenderOptions) options() (chat.Options, error) {
	options := chat.Options{Name: o.Name, AddGenerationPrompt: !o.NoGenerationPrompt && !o.Continue, ContinueFinal: o.Continue}
	for _, f := range []struct {
		flag, path string
		value      *chat.Value
	}{{"--tools", o.Tools, &options.Tools}, {"--documents", o.Documents, &options.Documents}} {
		if f.path == "" {
			continue
		}
		text, err := rawfile.Read(f.path, maxMessages)
		if err == nil {
			*f.value, err = chat.ReadObjects(text)
		}
		if err != nil {
			return options, fmt.Errorf("%s %s: %w", f.flag, f.path, err)
		}
	}
	var err error
	options.Kwargs, err = o.variables()
	return options, err
}
