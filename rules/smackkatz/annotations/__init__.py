"""What each subject of the rules wants drawn, one small file per subject."""
