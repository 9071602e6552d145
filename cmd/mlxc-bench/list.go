package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// list is a flag of numbers as llama-bench takes them: 1,2,4 and ranges 1-4, 1-9+2
// (by steps of 2), 1-8*2 (each twice the last). Given again, it grows.
type list struct {
	values *[]int
	set    bool // the default is gone
}

// Limits of a flag: how many numbers, and how large.
const (
	maxList   = 1000
	maxNumber = 1 << 30
)

func (l *list) Type() string { return "list" }

func (l *list) String() string {
	if l.values == nil {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*l.values), " ", ","), "[]")
}

func (l *list) Set(s string) error {
	var all []int
	if l.set {
		all = slices.Clone(*l.values)
	}
	for item := range strings.SplitSeq(s, ",") {
		values, err := expand(strings.TrimSpace(item))
		if err != nil {
			return err
		}
		if all = append(all, values...); len(all) > maxList {
			return fmt.Errorf("more than %d numbers", maxList)
		}
	}
	*l.values, l.set = all, true
	return nil
}

// expand returns the numbers of one item: a number or a range.
func expand(item string) ([]int, error) {
	bad := fmt.Errorf("%q is neither a number nor a range such as 1-4, 1-9+2 or 1-8*2", item)
	bounds, by, op := item, "1", "+"
	if i := strings.IndexAny(item, "+*"); i >= 0 {
		bounds, by, op = item[:i], item[i+1:], item[i:i+1]
	}
	from, to, ranged := strings.Cut(bounds, "-")
	if !ranged {
		to = from
	}
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	step, err3 := strconv.Atoi(by)
	next := func(n int) int { return n + step }
	if op == "*" {
		next = func(n int) int { return n * step }
	}
	if err1 != nil || err2 != nil || err3 != nil || first < 0 || !ranged && bounds != item {
		return nil, bad
	}
	if max(first, last) > maxNumber {
		return nil, fmt.Errorf("%q is more than %d", item, maxNumber)
	}
	if ranged && (first > last || next(first) <= first) {
		return nil, fmt.Errorf("the range %q doesn't rise", item)
	}
	values := []int{first}
	for n := next(first); ranged && n <= last; n = next(n) {
		if values = append(values, n); len(values) > maxList {
			return nil, fmt.Errorf("%q is more than %d numbers", item, maxList)
		}
	}
	return values, nil
}
