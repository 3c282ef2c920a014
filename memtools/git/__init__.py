"""Git, the outside world: bytes, paths and object ids; knows nothing of memories."""
