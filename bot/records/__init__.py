"""What is remembered of finished matches, as plain values, and the ratings that follow from them."""
