side-red = Red
side-blue = Blue
phase-duel = Duel
scenario-start = The only one
