// Package jsonerror says what is wrong with JSON in words of JSON.
package jsonerror

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// found are the kinds of values in the words of package json, and in ours.
var found = map[string]string{"bool": "true or false", "string": "a string", "number": "a number", "array": "a list", "object": "an object"}

// wanted are those that a Go type stands for.
var wanted = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.String: "a string", reflect.Slice: "a list", reflect.Map: "an object", reflect.Struct: "an object",
	reflect.Int: "a whole number", reflect.Int32: "a whole number of 32 bits", reflect.Float64: "a number",
}

// Plain is an error of package json that names fields and what is in them, but no types
// of Go: "vocab: a list where an object belongs". Other errors, and nil, stay as they are.
func Plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	value, want := wrong.Value, wrong.Type
	if word, ok := found[value]; ok {
		value = word
	}
	if want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	belongs := "something else belongs"
	if word, ok := wanted[want.Kind()]; ok {
		belongs = word + " belongs"
	}
	err = fmt.Errorf("%s where %s", value, belongs)
	if wrong.Field != "" {
		err = fmt.Errorf("%s: %w", wrong.Field, err)
	}
	return err
}
