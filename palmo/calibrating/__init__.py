"""What the calibrating commands do between the picture and the sentence."""
