package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// around is what a post-processor puts before and after a text.
type around struct {
	prefix, suffix []int32
	set            bool
}

// postProcessors by their names in tokenizer.json. ByteLevel changes offsets only.
var postProcessors = map[string]func(component) (around, error){
	"ByteLevel": func(c component) (around, error) {
		var f byteLevelFile
		return around{}, c.fields(&f)
	},
	"TemplateProcessing": readTemplate,
	"BertProcessing": func(c component) (around, error) {
		var f frameFile
		err := c.fields(&f)
		return f.around(), err
	},
	"RobertaProcessing": func(c component) (around, error) {
		var f struct {
			Sep            frameToken `json:"sep"`
			Cls            frameToken `json:"cls"`
			TrimOffsets    bool       `json:"trim_offsets"`
			AddPrefixSpace bool       `json:"add_prefix_space"`
		}
		err := c.fields(&f)
		return frameFile{f.Sep, f.Cls}.around(), err
	},
}

func (d *definition) readPostProcessor(f *file) error {
	list, err := flatten("post_processor", "processors", f.PostProcessor)
	if err != nil {
		return err
	}
	set := false
	for _, c := range list {
		a, err := makeOf("post_processor", postProcessors, c)
		if err != nil {
			return err
		}
		if a.set && set { // HF fails on it, too
			return errors.New("post_processor: more than one that adds tokens is not supported")
		}
		if a.set {
			d.prefix, d.suffix, set = a.prefix, a.suffix, true
		}
	}
	return nil
}

// frameFile is the tokens of BertProcessing and RobertaProcessing.
type frameFile struct {
	Sep frameToken `json:"sep"`
	Cls frameToken `json:"cls"`
}

func (f frameFile) around() around {
	return around{[]int32{int32(f.Cls)}, []int32{int32(f.Sep)}, true}
}

// frameToken is written as [token, id].
type frameToken int32

func (t *frameToken) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if err := unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("%.40s is not a token with its id", b)
	}
	return json.Unmarshal(pair[1], (*int32)(t))
}

type templateFile struct {
	Single        []templatePiece                  `json:"single"`
	Pair          json.RawMessage                  `json:"pair"` // for two texts
	SpecialTokens map[string]struct{ IDs []int32 } `json:"special_tokens"`
}

type templatePiece struct {
	SpecialToken *struct{ ID string }
	Sequence     *struct{ ID string }
}

// readTemplate takes the template for one text.
func readTemplate(c component) (around, error) {
	var f templateFile
	if err := c.fields(&f); err != nil {
		return around{}, err
	}
	ids := [2][]int32{} // before and after the text
	texts := 0
	for _, p := range f.Single {
		switch {
		case p.Sequence != nil && p.Sequence.ID == "A":
			texts++
		case p.SpecialToken != nil && texts < 2:
			token, ok := f.SpecialTokens[p.SpecialToken.ID]
			if !ok {
				return around{}, fmt.Errorf("token %q is not in special_tokens", p.SpecialToken.ID)
			}
			ids[texts] = append(ids[texts], token.IDs...)
		}
	}
	if texts != 1 {
		return around{}, errors.New("a template for one text must have it once")
	}
	return around{ids[0], ids[1], true}, nil
}
