package sample

import (
	"math"
	"slices"
)

// order lists tokens by descending logit, of equal ones the lowest id first. It sorts
// only as far as it is asked: first the tokens near the best one are gathered in a
// heap, and the rest only when those are used up.
type order struct {
	logits []float32
	best   float32
	scale  float64     // 1/temperature
	floor  float32     // logits ≥ floor are in heap or done
	heap   []candidate // a parent comes before its children
	done   []token     // sorted
}

type candidate struct {
	logit float32
	id    int32
}

// token is one with its probability, divided by that of the best.
type token struct {
	id     int32
	weight float64
}

const (
	// minTemperature keeps the scale finite; below it only the best tokens have weight.
	minTemperature = 1e-6
	// nearBest tokens weigh e⁻⁸ or more.
	nearBest = 8
	// noWeight: tokens below e⁻⁴⁵ count as nothing. A million of them weigh less than
	// the step of the draw, 2⁻²⁴, by a factor of 10⁶.
	noWeight = 45
)

func (o *order) start(logits []float32, best float32, temperature float64) {
	o.logits, o.best, o.scale = logits, best, 1/max(temperature, minTemperature)
	o.heap, o.done = o.heap[:0], slices.Grow(o.done[:0], len(logits))
	o.floor = float32(math.Inf(1))
	o.gather(float32(float64(best) - nearBest/o.scale))
}

// gather lowers the floor: it moves the tokens between floor and the old one to the
// heap, which is empty.
func (o *order) gather(floor float32) {
	for id, l := range o.logits {
		if l >= floor && l < o.floor {
			o.heap = append(o.heap, candidate{l, int32(id)})
		}
	}
	o.floor = floor
	for i := len(o.heap)/2 - 1; i >= 0; i-- {
		o.sift(i)
	}
}

func (o *order) weight(logit float32) float64 {
	x := (float64(logit) - float64(o.best)) * o.scale
	if x < -noWeight {
		return 0
	}
	return math.Exp(x)
}

// total is the weight of all tokens.
func (o *order) total() float64 {
	sum := 0.0
	for _, l := range o.logits {
		sum += o.weight(l)
	}
	return sum
}

// at returns the token of rank i < len(logits).
func (o *order) at(i int) token {
	for len(o.done) <= i {
		if len(o.heap) == 0 {
			o.gather(float32(math.Inf(-1)))
		}
		c := o.heap[0]
		last := len(o.heap) - 1
		o.heap[0] = o.heap[last]
		o.heap = o.heap[:last]
		o.sift(0)
		o.done = append(o.done, token{c.id, o.weight(c.logit)})
	}
	return o.done[i]
}

func (c candidate) before(d candidate) bool {
	return c.logit > d.logit || c.logit == d.logit && c.id < d.id
}

// sift moves the candidate at i down to its place.
func (o *order) sift(i int) {
	for {
		child := 2*i + 1
		if child >= len(o.heap) {
			return
		}
		if child+1 < len(o.heap) && o.heap[child+1].before(o.heap[child]) {
			child++
		}
		if !o.heap[child].before(o.heap[i]) {
			return
		}
		o.heap[i], o.heap[child] = o.heap[child], o.heap[i]
		i = child
	}
}
