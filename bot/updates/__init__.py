"""How updates come in: asked for or pushed, each read by itself, and missed when they do not arrive."""
