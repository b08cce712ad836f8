side-blue = Blue
side-red = Red
phase-march = March
phase-ending = The end
scenario-first = The first scenario
prompt-march = March with a piece, or stay
action-march = { $target1 } marches to { $target2 }
action-stay = stay
