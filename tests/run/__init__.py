"""How `tenken test` runs Tenken's own tests: its steps, their time and their cost. An installed Tenken has none of it."""
