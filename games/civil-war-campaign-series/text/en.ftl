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

# The course of combat (9.0 to 9.5, 9.93, 9.94).

prompt-choose-combat = Where do you fight? Choose an area, or be done
prompt-attack-instead = The enemy has not attacked where he came: attack him yourself, or be done
prompt-deploy-for-combat = Deploy for combat: put units into Line Positions; who is left over when you are done is in Reserve
prompt-bring-up-reserves = Bring up units from the Reserve, or be done
prompt-give-orders = Give each Line Position its order, in secret
prompt-declare-attacks = Declare your attacks, one after the other
prompt-declare-fire = Declare at whom your positions fire; who has one target fires at it unless it holds its fire
prompt-another-round = Do you begin another round of this combat?

action-attack = attack at { $target1 }
action-fight-interception = fight the interception at { $target1 }
action-deploy = { $target1 } to the { $target2 }
action-bring-up = bring { $target1 } up to the { $target2 }
action-order = { $target1 }: { $target2 }
action-engage = { $target1 } attacks the enemy's { $target2 }
action-fire = { $target1 } fires at the enemy's { $target2 }
action-hold-fire = { $target1 } holds its fire
action-second-round = begin another round
action-decline = no

event-battle = { $interception ->
    [yes] Interception at { $area }: { $attacker } against { $defender }
   *[no] Combat at { $area }: { $attacker } attacks { $defender }
}
event-no-battle = Nobody is left to fight at { $area }
event-deployed = { $side } stands with { $left } on the left, { $center } in the center, { $right } on the right and { $reserve } in Reserve
event-orders = The orders of the attacker: { $attacker }; of the defender: { $defender }
event-attacks-declared = { $side } attacks, in this sequence: { $pairs }
event-fire-declared = { $side } fires: { $fires }
event-round-begins = { $side } begins round { $round }
event-combat-void = The combat at { $area } is void
event-battle-over = The combat at { $area } is over
