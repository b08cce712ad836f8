scenario-drill = Drill
