package archs

import (
	"errors"
	"fmt"
)

// The classes of checkpoint errors: the first word of the message, for people and
// for scripts that match on it.
const (
	BadConfig         = "bad_config"         // config.json isn't readable, or a field has an impossible value
	BadSafeTensors    = "bad_safetensors"    // a SafeTensors file breaks its format
	BadGGUF           = "bad_gguf"           // a GGUF file breaks its format
	BadQuantization   = "bad_quantization"   // quantised weights that we can't read, or that contradict the config
	MissingFile       = "missing_file"       // a file that the checkpoint needs or promises isn't there, or can't be read
	MissingTensor     = "missing_tensor"     // a tensor that the model needs isn't there
	UnexpectedTensor  = "unexpected_tensor"  // a tensor that nothing consumes
	ShapeMismatch     = "shape_mismatch"     // a tensor's shape contradicts the config
	UnsupportedModel  = "unsupported_model"  // model_type isn't a known family
	UnsupportedConfig = "unsupported_config" // a config field asks for mathematics that isn't modelled
)

// Error is a checkpoint that can't be used: why, by class, and the details: the
// file, tensor or field, what was found, what is supported, what to do.
type Error struct {
	Class  string // one of the class constants
	Detail string
}

// Error returns "class: detail".
func (e *Error) Error() string { return e.Class + ": " + e.Detail }

// Errorf returns an *Error of the class with a formatted detail.
func Errorf(class, format string, args ...any) error {
	return &Error{Class: class, Detail: fmt.Sprintf(format, args...)}
}

// Class returns the class of the *Error in err's chain, "" if there is none.
func Class(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return ""
}
