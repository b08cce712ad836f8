side-white = White
side-black = Black
phase-play = Play
scenario-start = The only one
