scenario-drill = Drill
scenario-engaged = Engaged
scenario-examples = Examples
event-commander-cut-off = { $number ->
    [0] The commander of { $side } has a line to his Home Area
   *[other] The commander of { $side } has no line to his Home Area
}
option-fog = Many dummies of cavalry
