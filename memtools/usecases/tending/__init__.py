"""`backup`, `daily`, `report`: what a repository of memories needs while nobody looks."""
