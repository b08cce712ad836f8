side-blue = Blue
side-red = Red
phase-march = March
phase-dusk = Dusk
option-rain = Rain
scenario-crossing = The crossing
scenario-last-light = Last light
prompt-march = March with a piece, or rest
action-march = { $target1 } marches to { $target2 }
action-rest = rest
event-fight = { $attacker } attacks { $defender } at { $place }: { $result ->
    [won] the attack succeeds
   *[other] the attack is beaten back
}
event-stopped = { $unit } comes upon steady troops at { $place } and holds back
