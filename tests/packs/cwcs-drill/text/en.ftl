scenario-drill = Drill
scenario-engaged = Engaged
scenario-examples = Examples
event-raids = { $number ->
    [0] { $side } has no unit in the enemy's Home Area
   *[other] { $side } raids the enemy's Home Area
}
event-holds-gap = { $number ->
    [0] { $side } does not hold Gap
   *[other] { $side } holds Gap
}
event-commander-cut-off = { $number ->
    [0] The commander of { $side } has a line to his Home Area
   *[other] The commander of { $side } has no line to his Home Area
}
option-fog = Many dummies of cavalry
