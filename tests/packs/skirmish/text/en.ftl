side-blue = Blue
side-red = Red
phase-march = March
phase-allotment = Allotment
phase-assaults = Assaults
phase-reckoning = Reckoning
scenario-bridge = The battle at the bridge
