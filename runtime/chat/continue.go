package chat

import (
	"errors"
	"strings"
	"unicode"

	"github.com/mlxc/mlxc/runtime/chat/jinja"
)

// finalTag is put behind the text of a final message that is to be continued; what
// comes after it in the prompt is cut off. Its space shows whether the template trims.
const finalTag = "CONTINUE_FINAL_MESSAGE_TAG "

// tagFinal puts the tag behind the text of a message, that of its last text part, and
// returns the text.
func tagFinal(message *jinja.Dict) (string, error) {
	v, _ := message.Get("content")
	if text, ok := v.(jinja.Text); ok {
		message.Set(jinja.Plain("content"), content(text.String()+finalTag))
		return text.String(), nil
	}
	parts, ok := v.(*jinja.List)
	if !ok {
		return "", errors.New("the final message has no content to continue")
	}
	tagged := jinja.NewList()
	final, found := "", false
	for i := len(parts.Items()) - 1; i >= 0; i-- {
		part := parts.Items()[i]
		if d, ok := part.(*jinja.Dict); ok && !found {
			v, _ := d.Get("text")
			if text, ok := v.(jinja.Text); ok {
				d = d.Copy()
				d.Set(jinja.Plain("text"), content(text.String()+finalTag))
				part, final, found = d, text.String(), true
			}
		}
		tagged.Prepend(part)
	}
	if !found {
		return "", errors.New("the final message has no part of text to continue")
	}
	message.Set(jinja.Plain("content"), tagged)
	return final, nil
}

// untilTag is the prompt up to the tag.
func (r Rendered) untilTag(final string) (Rendered, error) {
	text := r.String()
	tag := strings.TrimSpace(finalTag)
	at := strings.LastIndex(text, tag)
	if at < 0 || !strings.Contains(text, strings.TrimSpace(final)) {
		return nil, errors.New("the template changes the final message: it can't be continued")
	}
	end := at
	if !strings.HasPrefix(text[at:], finalTag) {
		end = len(strings.TrimRightFunc(text[:at], unicode.IsSpace))
	}
	return r.head(end), nil
}

// head is the first n bytes of the prompt.
func (r Rendered) head(n int) Rendered {
	var out Rendered
	for _, s := range r {
		if n <= 0 {
			break
		}
		s.Text = s.Text[:min(n, len(s.Text))]
		n -= len(s.Text)
		out = append(out, s)
	}
	return out
}
