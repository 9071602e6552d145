package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/runtime/jsonerror"
)

// component is a normalizer, pre-tokenizer, post-processor or decoder as a
// tokenizer.json has it: an object whose kind is in its "type". tokenizer.bin holds
// them in the same words.
type component struct {
	kind string
	text []byte // the object
}

// maxNesting is how deep Sequences may lie in each other.
const maxNesting = 8

// flatten lists a component, or in order those of a Sequence, which are in its field
// list. Nothing and null are no component.
func flatten(part, list string, text json.RawMessage) ([]component, error) {
	out, err := flattenInto(nil, list, text, maxNesting)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", part, err)
	}
	if len(out) > maxStages {
		return nil, fmt.Errorf("%s: %d steps: the limit is %d", part, len(out), maxStages)
	}
	return out, nil
}

func flattenInto(out []component, list string, text json.RawMessage, depth int) ([]component, error) {
	if len(text) == 0 || bytes.Equal(text, []byte("null")) {
		return out, nil
	}
	c, err := newComponent(text)
	if err != nil || c.kind != "Sequence" {
		return append(out, c), err
	}
	if depth == 0 {
		return nil, fmt.Errorf("a Sequence in Sequences more than %d deep is not supported", maxNesting)
	}
	var fields map[string]json.RawMessage
	if err := unmarshal(text, &fields); err != nil {
		return nil, err
	}
	if err := refuseUnknown("Sequence", fields, []string{"type", list}); err != nil {
		return nil, err
	}
	var steps []json.RawMessage
	if err := unmarshal(fields[list], &steps); err != nil {
		return nil, fmt.Errorf("a Sequence without a list of %s", list)
	}
	for _, step := range steps {
		if out, err = flattenInto(out, list, step, depth-1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func newComponent(text []byte) (component, error) {
	var head struct {
		Type *string `json:"type"`
	}
	if err := unmarshal(text, &head); err != nil {
		return component{}, err
	}
	if head.Type == nil {
		return component{}, errors.New("it has no type")
	}
	return component{*head.Type, text}, nil
}

// make finds a component's kind in a table of those that we have.
func makeOf[T any](part string, known map[string]func(component) (T, error), c component) (T, error) {
	read, ok := known[c.kind]
	if !ok {
		var none T
		return none, unsupported(part, c.kind, append(slices.Collect(maps.Keys(known)), "Sequence"))
	}
	v, err := read(c)
	if err != nil {
		return v, fmt.Errorf("%s %s: %w", part, c.kind, err)
	}
	return v, nil
}

// unsupported is the error for a name that we don't know.
func unsupported(part, name string, known []string) error {
	slices.Sort(known)
	return fmt.Errorf("%s %q is not supported; supported: %s", part, name, strings.Join(known, ", "))
}

// fields reads the component's fields into the struct that v points to, by its JSON
// tags, and refuses any other.
func (c component) fields(v any) error { return strict(c.text, v, "type") }

// strict reads an object into the struct that v points to and refuses fields that are
// neither there nor among the others.
func strict(text []byte, v any, others ...string) error {
	var fields map[string]json.RawMessage
	if err := unmarshal(text, &fields); err != nil {
		return err
	}
	known := others
	t := reflect.TypeOf(v).Elem()
	for i := range t.NumField() {
		known = append(known, t.Field(i).Tag.Get("json"))
	}
	if err := refuseUnknown("", fields, known); err != nil {
		return err
	}
	return unmarshal(text, v)
}

// unmarshal is json.Unmarshal, whose errors name no types of Go.
func unmarshal(text []byte, v any) error { return jsonerror.Plain(json.Unmarshal(text, v)) }

func refuseUnknown(of string, fields map[string]json.RawMessage, known []string) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, name) {
			return unsupported(strings.TrimSpace(of+" field"), name, known)
		}
	}
	return nil
}

// none reads a component without fields.
func none[T any](v T) func(component) (T, error) {
	return func(c component) (T, error) { return v, c.fields(&struct{}{}) }
}
