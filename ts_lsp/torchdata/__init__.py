"""Facts of each torch version: operators, what Python paths denote, attributes of types. `loader` is the door."""
