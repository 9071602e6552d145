package safetensors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/mlxc/mlxc/runtime/jsonerror"
)

// entry is a tensor as the header describes it; offsets count from the header's end.
type entry struct {
	name, dtype string
	shape       []int
	begin, end  uint64
}

// parseHeader reads the header's JSON: an object of tensors, and __metadata__.
func parseHeader(header []byte) (tensors []entry, metadata map[string]string, err error) {
	err = parseObject(header, func(dec *json.Decoder, key string) error {
		if key == "__metadata__" {
			return jsonerror.Plain(dec.Decode(&metadata))
		}
		t := entry{name: key}
		if err := t.parse(dec); err != nil {
			return fmt.Errorf("tensor %s: %w", key, err)
		}
		tensors = append(tensors, t)
		return nil
	})
	return tensors, metadata, err
}

// parse reads {"dtype": …, "shape": […], "data_offsets": [begin, end]}.
func (t *entry) parse(dec *json.Decoder) error {
	var offsets []uint64
	seen := 0
	err := object(dec, func(key string) (err error) {
		switch key {
		case "dtype":
			t.dtype, err = text(dec)
		case "shape":
			var dims []uint64
			dims, err = integers(dec, maxRank)
			t.shape = make([]int, len(dims))
			for i, d := range dims {
				t.shape[i] = int(d)
			}
		case "data_offsets":
			offsets, err = integers(dec, 2)
		default:
			return skip(dec)
		}
		seen++
		return err
	})
	if err != nil {
		return err
	}
	if seen != 3 || len(offsets) != 2 {
		return errors.New("it must have dtype, shape and data_offsets [begin, end]")
	}
	t.begin, t.end = offsets[0], offsets[1]
	return nil
}

// parseObject reads one JSON object that fills data but for white space, and calls
// field at each value, which field must consume.
func parseObject(data []byte, field func(dec *json.Decoder, key string) error) error {
	if !utf8.Valid(data) {
		return errors.New("not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	err := object(dec, func(key string) error { return field(dec, key) })
	if err == nil {
		if _, err = dec.Token(); err == io.EOF {
			return nil
		} else if err == nil {
			err = errors.New("more than one JSON value")
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON is cut off")
	}
	return fmt.Errorf("%w (at byte %d)", err, dec.InputOffset())
}

// object reads an object whose keys are distinct.
func object(dec *json.Decoder, field func(key string) error) error {
	if err := delimiter(dec, '{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for dec.More() {
		key, err := text(dec)
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%s appears twice", key)
		}
		seen[key] = true
		if err := field(key); err != nil {
			return err
		}
	}
	return delimiter(dec, '}')
}

// integers reads an array of at most limit integers from 0 to MaxInt.
func integers(dec *json.Decoder, limit int) ([]uint64, error) {
	if err := delimiter(dec, '['); err != nil {
		return nil, err
	}
	list := []uint64{}
	for dec.More() {
		if len(list) == limit {
			return nil, fmt.Errorf("more than %d numbers", limit)
		}
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		number, _ := token.(json.Number)
		v, err := strconv.ParseUint(number.String(), 10, 64)
		if err != nil || v > math.MaxInt {
			return nil, fmt.Errorf("%v is not a size", token)
		}
		list = append(list, v)
	}
	return list, delimiter(dec, ']')
}

// text reads a string.
func text(dec *json.Decoder) (string, error) {
	token, err := dec.Token()
	if err != nil {
		return "", err
	}
	s, ok := token.(string)
	if !ok {
		return "", fmt.Errorf("%v where a string belongs", token)
	}
	return s, nil
}

// delimiter reads the one token d.
func delimiter(dec *json.Decoder, d json.Delim) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	if token != d {
		return fmt.Errorf("%v where %v belongs", token, d)
	}
	return nil
}

// skip reads any one value.
func skip(dec *json.Decoder) error {
	var value json.RawMessage
	return dec.Decode(&value)
}
