"""Everything that is tested, a folder for each part, and what the parts' tests share."""
