package hub

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// span is a range of a file's bytes, [From, To).
type span struct{ From, To int64 }

// spans are ranges in rising order that neither touch nor overlap.
type spans []span

// add joins a range to those that are there.
func (s spans) add(n span) spans {
	if n.From >= n.To {
		return s
	}
	i, _ := slices.BinarySearchFunc(s, n.From, func(s span, from int64) int { return cmp.Compare(s.To, from) })
	j := i
	for ; j < len(s) && s[j].From <= n.To; j++ {
		n = span{min(n.From, s[j].From), max(n.To, s[j].To)}
	}
	return slices.Replace(s, i, j, n)
}

// missing are the ranges of [0, size) that aren't there, none longer than most.
func (s spans) missing(size, most int64) (gaps []span) {
	at := int64(0)
	for _, have := range append(slices.Clone(s), span{size, size}) {
		for at < have.From {
			to := min(at+most, have.From)
			gaps = append(gaps, span{at, to})
			at = to
		}
		at = max(at, have.To)
	}
	return gaps
}

// total is the number of bytes.
func (s spans) total() (n int64) {
	for _, r := range s {
		n += r.To - r.From
	}
	return n
}

// maxJournal bounds a journal in bytes: far more than lines of all ranges of a file.
const maxJournal = 16 << 20

// journalHead begins the journal of a file of size bytes, lines "FROM TO" follow it.
func journalHead(size int64) string { return fmt.Sprintf("mlxc download 1, %d bytes\n", size) }

// parseJournal reads which bytes of a file of size bytes a download has written. What
// follows a line that isn't whole and sound doesn't count.
func parseJournal(data []byte, size int64) (done spans) {
	rest, ok := bytes.CutPrefix(data, []byte(journalHead(size)))
	if !ok {
		return nil
	}
	lines := bufio.NewReader(bytes.NewReader(rest))
	for {
		line, err := lines.ReadString('\n')
		var r span
		if err != nil {
			return done
		}
		if n, err := fmt.Sscanf(line, "%d %d\n", &r.From, &r.To); n != 2 || err != nil || r.From < 0 || r.From >= r.To || r.To > size {
			return done
		}
		done = done.add(r)
	}
}

// journalText is a journal of the ranges.
func journalText(done spans, size int64) []byte {
	text := []byte(journalHead(size))
	for _, r := range done {
		text = fmt.Appendf(text, "%d %d\n", r.From, r.To)
	}
	return text
}
