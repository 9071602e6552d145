package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// printer writes results as they come.
type printer[T any] interface {
	row(T) error
	end() error
}

// formats are what --output can name.
var formats = map[string]func(io.Writer) printer[Row]{
	"md":        func(w io.Writer) printer[Row] { return &markdown{w: w} },
	"csv":       func(w io.Writer) printer[Row] { return &csvRows{w: csv.NewWriter(w)} },
	"json":      func(w io.Writer) printer[Row] { return &jsonArray[Row]{w: w} },
	"jsonl":     func(w io.Writer) printer[Row] { return jsonLines{json.NewEncoder(w)} },
	"benchstat": func(w io.Writer) printer[Row] { return &benchstat{w: w} },
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

type markdown struct {
	w     io.Writer
	begun bool
}

func (m *markdown) row(r Row) error {
	if !m.begun {
		m.begun = true
		if _, err := fmt.Fprint(m.w, "| model | size | params | device | target | threads | test | t/s | GB/s |\n| --- | ---: | ---: | --- | --- | ---: | --- | ---: | ---: |\n"); err != nil {
			return err
		}
	}
	gbs := ""
	if r.GBPerSecond > 0 {
		gbs = fmt.Sprintf("%.1f", r.GBPerSecond)
	}
	line := fmt.Sprintf("| %s | %.1f MB | %.1f M | %s | %s | %d | %s | %.2f ± %.2f | %s |", r.ModelType,
		float64(r.ModelSize)/1e6, float64(r.ModelParams)/1e6, r.Device, r.Target, r.Threads, r.Test, r.AvgTS, r.StddevTS, gbs)
	_, err := fmt.Fprintln(m.w, cli.Printable(line))
	return err
}

func (m *markdown) end() error { return nil }

// csvRows has a column per JSON field; lists are joined by spaces.
type csvRows struct {
	w     *csv.Writer
	begun bool
}

func (c *csvRows) row(r Row) error {
	v := reflect.ValueOf(r)
	var names, values []string
	for i := range v.NumField() {
		names = append(names, v.Type().Field(i).Tag.Get("json"))
		values = append(values, strings.Trim(fmt.Sprint(v.Field(i).Interface()), "[]"))
	}
	if !c.begun {
		c.begun = true
		if err := c.w.Write(names); err != nil {
			return err
		}
	}
	if err := c.w.Write(values); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

func (c *csvRows) end() error { return nil }

// jsonArray prints all rows at the end; nothing if there are none.
type jsonArray[T any] struct {
	w    io.Writer
	rows []T
}

func (j *jsonArray[T]) row(r T) error { j.rows = append(j.rows, r); return nil }

func (j *jsonArray[T]) end() error {
	if len(j.rows) == 0 {
		return nil
	}
	e := json.NewEncoder(j.w)
	e.SetIndent("", "  ")
	return e.Encode(j.rows)
}

type jsonLines struct{ e *json.Encoder }

func (j jsonLines) row(r Row) error { return j.e.Encode(r) }
func (j jsonLines) end() error      { return nil }

// benchstat prints a line per repetition in Go's benchmark format
// (golang.org/design/14313-benchmark-format).
type benchstat struct {
	w     io.Writer
	begun bool
}

func (b *benchstat) row(r Row) error {
	if !b.begun {
		b.begun = true
		if _, err := fmt.Fprintf(b.w, "goos: %s\ngoarch: %s\ncpu: %s\n", runtime.GOOS, runtime.GOARCH, r.CPUInfo); err != nil {
			return err
		}
	}
	model := strings.TrimSuffix(filepath.Base(r.Filename), filepath.Ext(r.Filename))
	test := strings.ReplaceAll(r.Test, " ", "")
	name := strings.Join(strings.Fields(fmt.Sprintf("name=%s/device=%s/threads=%d/test=%s", model, r.Device, r.Threads, test)), "_")
	tokens := float64((r.Prompt + r.Gen) * r.Batch)
	for _, ns := range r.SamplesNS {
		if _, err := fmt.Fprintf(b.w, "BenchmarkModel/%s 1 %.0f ns/token %.3f token/sec\n", name, float64(ns)/tokens, tokens*1e9/float64(ns)); err != nil {
			return err
		}
	}
	return nil
}

func (b *benchstat) end() error { return nil }
