"""What people and agents see: search, recall, explain, history, and the index behind them."""
