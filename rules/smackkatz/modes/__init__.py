"""Match modes, how matches end, and what a league carries over."""
