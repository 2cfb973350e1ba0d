"""Whatever picks a move."""
