package engine

// BetweenLimits makes a policy call a hook before it takes from each limit.
func BetweenLimits(p *Policy, hook func()) { p.hook = hook }
