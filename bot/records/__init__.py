"""Records of finished matches as plain values, and the ratings derived from them."""
