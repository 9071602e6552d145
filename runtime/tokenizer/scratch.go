package tokenizer

// scratch is memory that a model uses for one word at a time.
type scratch struct {
	reach []reach
	ends  []int32
}

// reaches returns n that nothing leads to.
func (s *scratch) reaches(n int) []reach {
	if cap(s.reach) < n {
		s.reach = make([]reach, n)
	}
	r := s.reach[:n]
	for i := range r {
		r[i].from = -1
	}
	return r
}
