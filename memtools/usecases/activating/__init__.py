"""What an agent is told at each turn, and what its session was told before."""
