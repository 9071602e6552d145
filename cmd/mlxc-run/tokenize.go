package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/jsonerror"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

func newCmdTokenize(s cli.IO) *cobra.Command {
	var noSpecial bool
	cmd := &cobra.Command{
		Use:   "tokenize BUNDLE|tokenizer.json",
		Short: "Turn JSON lines of text into token ids",
		Long: `Read one JSON object {"text": …} a line from standard input and write one
{"ids": […], "decoded": …} a line: the ids as mlxc-run has them of a prompt, control
words such as <|im_end|> included, and the text that they stand for, without what the
tokenizer puts around it (often a start token).`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			tok, done, err := tokenizerFrom(args[0])
			if err != nil {
				return err
			}
			defer done()
			return tokenize(cli.Input(cmd.Context(), s.In), s.Out, tok, noSpecial)
		},
	}
	cmd.Flags().BoolVar(&noSpecial, "no-special", false, "put nothing around the text")
	return cmd
}

// maxTokenizer is the longest tokenizer.json in bytes, that of mlxc-emit; the largest
// known one has 35 MB.
const maxTokenizer = 512 << 20

// tokenizerFrom loads the tokenizer of a bundle or of a tokenizer.json; the
// tokenizer may be used until done is called.
func tokenizerFrom(path string) (t *tokenizer.Tokenizer, done func(), err error) {
	if strings.HasSuffix(path, ".json") {
		b, err := rawfile.Read(path, maxTokenizer)
		if err != nil {
			return nil, nil, err
		}
		t, err := tokenizer.Parse(b)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		return t, func() {}, nil
	}
	b, err := bundle.Open(path)
	if err != nil {
		return nil, nil, err
	}
	t, err = runtime.Tokenizer(b)
	if err != nil {
		b.Close()
		return nil, nil, err
	}
	return t, func() { b.Close() }, nil
}

// tokenize answers each object at once, so that it can serve another program.
func tokenize(in io.Reader, out io.Writer, tok *tokenizer.Tokenizer, noSpecial bool) error {
	dec := json.NewDecoder(in)
	for n := 1; ; n++ {
		var line struct {
			Text *string `json:"text"`
		}
		err := dec.Decode(&line)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && line.Text == nil {
			err = errors.New(`it has no "text"`)
		}
		if err != nil {
			return fmt.Errorf(`standard input: object %d: %w; want one {"text": …} a line`, n, jsonerror.Plain(err))
		}
		ids := tok.Encode(*line.Text, tokenizer.EncodeOptions{ParseSpecial: true})
		answer := tokenized{ids, tok.Decode(ids, false)}
		if !noSpecial {
			answer.IDs = tok.Encode(*line.Text, tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true})
		}
		if err := printJSON(out, answer); err != nil {
			return err
		}
	}
}

// tokenized is a line of output.
type tokenized struct {
	IDs     []int32 `json:"ids"`
	Decoded string  `json:"decoded"`
}
