scenario-drill = Drill
scenario-engaged = Engaged
