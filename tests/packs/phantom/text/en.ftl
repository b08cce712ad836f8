side-crosses = Crosses
side-noughts = Noughts
phase-play = Play
scenario-start = The only one
