package safetensors

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// MaxIndex is the longest index in bytes.
const MaxIndex = MaxHeader

// ParseIndex reads model.safetensors.index.json: the base name of the file in which
// each tensor lies. name is for messages; errors are *FormatError.
func ParseIndex(name string, data []byte) (map[string]string, error) {
	if len(data) > MaxIndex {
		return nil, &FormatError{name, fmt.Sprintf("%d bytes, at most %d are allowed", len(data), MaxIndex)}
	}
	var files map[string]string
	err := parseObject(data, func(dec *json.Decoder, key string) error {
		if key != "weight_map" {
			return skip(dec)
		}
		files = map[string]string{}
		return object(dec, func(tensor string) error {
			file, err := text(dec)
			if err != nil {
				return fmt.Errorf("weight_map: tensor %s: %w", tensor, err)
			}
			if !isBaseName(file) {
				return fmt.Errorf("weight_map: tensor %s is in %q, which is not the name of a file beside the index", tensor, file)
			}
			files[tensor] = file
			return nil
		})
	})
	if err == nil && files == nil {
		err = fmt.Errorf("it has no weight_map")
	}
	if err != nil {
		return nil, &FormatError{name, err.Error()}
	}
	return files, nil
}

// isBaseName reports whether name is a file name without a directory.
func isBaseName(name string) bool {
	return filepath.IsLocal(name) && filepath.Base(name) == name && name != "."
}
