"""The turn: its phases, who acts when, and what a wrestler does with his slot."""
