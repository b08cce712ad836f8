side-confederate = the Confederacy
side-union = the Union
phase-pre-game = Before the game
phase-weather = Weather
phase-communications = Communications
phase-movement = Movement
phase-combat = Combat
phase-victory-points = Victory points
phase-turn-record = Turn record
option-general-retreat = General retreat
option-troop-density = Troop density
option-defender-initiated-attacks = Attacks by the defender
option-optional-weather = The weather by a die

prompt-return-dummies = Return dummies to play and replace fallen officers, or be done
prompt-arrange-stacks = Arrange your stacks: bring units to the front of their area, or be done

action-return = { $target1 } returns to { $target2 }
action-replace = { $target1 } takes over at { $target2 }
action-raise = { $target1 } goes to the front
action-done = be done

event-returned = { $number ->
    [0] { $side } brings nothing into play
   *[other] { $side } brings pieces into play: { $areas }
}
event-removed = { $unit } was a dummy, and leaves play
event-eliminated = { $unit } is eliminated
event-ineffective = { $unit } is ineffective
event-restored = { $unit } is effective again
event-restacked = { $side } has arranged its stacks
event-weather = The weather is { $result }
event-traces-through = { $number ->
    [0] { $side } traces its lines of communication and asks nothing more
   *[other] { $side } traces a line of communication through { $area }
}
event-cut-off = Without a line of communication: { $units }
event-in-communications = All lines of communication of { $side } hold
event-scores = { $side } scores { $points }

# 6.6, 7: movement
prompt-move-units = Move your units, or be done
prompt-declare-retreats = Declare general retreats, or be done

action-move = { $target1 } moves to { $target2 }
action-gather = { $target1 } joins those of its stack who will go together
action-exit = { $target1 } leaves the map
action-force-march = { $target1 } will force march
action-arrive = { $target1 } arrives in { $target2 }
action-general-retreat = a general retreat of { $target1 }

event-marches = { $units } moves from { $from } to { $to }
event-force-marches = { $side } declares a force march of { $units }
event-arrives = Reinforcements of { $side }: { $unit } arrives in { $area }
event-leaves-the-map = { $units } leaves the map for good
event-retreats-generally = { $side } declares a general retreat
event-stopped = { $units } is stopped in { $area }
event-goes = { $how ->
    [cavalry] { $units } leaves { $from } freely, as cavalry and leaders may
    [retreat] { $units } leaves { $from } in general retreat
   *[leave] { $units } tries to leave { $from }
}
event-passes-dummies = { $result ->
    [yes] Real cavalry finds nothing but shadows in { $area }
   *[no] Nothing in { $area } gives way
}
event-compelled = { $result ->
    [yes] Artillery commands { $area } ({ $guns }): { $units } must stop and attack
   *[no] No artillery stops { $units } in { $area }
}
event-density = { $result ->
    [yes] The enemy is too strong in { $area } to be passed
   *[no] The enemy in { $area } can be passed
}
event-halts = { $result ->
    [yes] { $units } does not get to { $to }
   *[no] Nothing keeps { $units } from { $to }
}
event-recovers = { $unit } recovers stragglers: { $points }
event-condition = { $result ->
    [effective] { $unit } stays fit for action
    [ineffective] { $unit } can do little
    [spent] { $unit } has straggled away
   *[eliminated] { $unit } is lost
}
