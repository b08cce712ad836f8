scenario-drill = Drill
scenario-engaged = Engaged
scenario-examples = Examples
