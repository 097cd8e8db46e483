"""Learning: networks over a game's encoding, and self-play that trains them."""
