side-confederate = the Confederacy
side-union = the Union
phase-pre-game = Before the game
phase-weather = Weather
phase-communications = Communications
phase-movement = Movement
phase-combat = Combat
phase-victory-points = Victory points of the other side
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
event-attacks-declared = { $side } attacks, from its position at the enemy's, in this sequence: { $pairs }
event-fire-declared = { $number ->
    [0] { $side } fires at nobody
   *[other] { $side } fires, from its position at the enemy's: { $fires }
}
event-round-begins = { $side } begins round { $round }
event-combat-void = The combat at { $area } is void
event-battle-over = The combat at { $area } is over

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
event-stopped = { $units } is stopped at { $area }
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
event-straggles = { $unit } loses { $points } in stragglers{ $modified ->
    [yes] , the die changed by { $modifiers }
   *[no] {""}
}
event-recovers = { $unit } recovers stragglers: { $points }
event-condition = { $result ->
    [effective] { $unit } stays fit for action
    [ineffective] { $unit } can do little
    [spent] { $unit } has straggled away
   *[eliminated] { $unit } is lost
}

# Probes and interception (8), retreat before combat (9.2).
prompt-combine-for-the-probe = Others who came along may join the probe, or be done
prompt-block-the-probe = Your cavalry may block the probe, or be done
prompt-inspect-a-stack = Choose the stack to look into
prompt-intercept = Your cavalry may intercept, or be done
prompt-attack-or-defend = You may choose to attack or to defend in the interception combat
prompt-retreat-before-combat = Say who retreats before combat, or be done
prompt-go-where = Say where each goes who retreats, and be done

action-probe = { $target1 } probes
action-join-the-probe = { $target1 } joins the probe
action-block = { $target1 } blocks
action-inspect = look into { $target1 }
action-intercept = { $target1 } intercepts
action-take-the-attack = attack
action-take-the-defence = defend
action-retreat = { $target1 } retreats before combat
action-retreat-to = { $target1 } retreats to { $target2 }

event-probes = { $side } probes in { $area } with { $units }
event-blocks = { $number ->
    [0] { $side } does not block the probe
   *[other] { $side } blocks the probe with { $units }
}
event-probe-opposed = The probe in { $area } has strength { $strength } against { $against }
event-probe-blocked = The probe in { $area } is blocked
event-inspects = A look into a stack, { $number } deep: { $units }
event-intercepts = { $side } intercepts in { $area } with { $units }
event-does-not-intercept = { $side } does not intercept in { $area }
event-intercepted = { $units } is intercepted in { $area }, and must fight there
event-interception-missed = There was nobody to intercept in { $area }
event-attacker-chosen = { $side } attacks in the interception combat in { $area }
event-does-not-retreat = { $side } does not retreat before combat from { $area }
event-would-retreat = { $units } would retreat from { $area }
event-asks-for-a-refuge = { $number ->
    [0] { $side } asks for no more areas around { $from }
   *[other] { $side } asks whether its units may go from { $from } to { $area }
}
event-refuge = { $result ->
    [yes] { $units } has a place to go
   *[no] { $units } has nowhere to go, and stays
}
event-retreats = { $units } falls back from { $from } to { $to }
event-area-opened = { $result ->
    [yes] { $area } is held by nobody but shadows
   *[no] Nobody in { $area } shows himself
}

# The resolution of combat (9.6 to 9.8, 9.91, 9.92, 10, 11.3).

prompt-distribute-losses = Distribute the losses of this position: one point after the other, then be done
prompt-withdrawal = Say where each unit withdraws to; the Reserve may go along; then be done
prompt-river-return = Your officers hold the bank: stay, or go back over the river

action-lose = { $target1 } loses a point
action-withdraw = { $target1 } withdraws to { $target2 }
action-stay = stay
action-go-back = go back over the river

event-meets = { $attacker }, { $position } ({ $order }), meets { $defender }, { $target } ({ $reply })
event-no-fight = { $attacker }, { $position }, and { $defender }, { $target }, do not fight: one has nobody left
event-intensity = Intensity { $level }, { $strength } points against { $against }: column { $start }{ $shifted ->
    [yes] , shifted to { $column } ({ $shifts })
   *[no] {""}
}; the attacker loses { $attacker_loses }, the defender { $defender_loses }
event-fires = { $strength ->
    [0] { $side }, { $position }, has no strength to fire with
   *[other] { $side }, { $position }, fires at the enemy's { $target } with { $strength } points: column { $start }{ $shifted ->
        [yes] , shifted to { $column } ({ $shifts })
       *[no] {""}
    }
}
event-hits = The fire of { $side }, { $position }, costs { $lost ->
    [0] nothing
    [1] 1 point
   *[other] { $lost } points
}
event-adjusts-losses = Of { $called_for } points called for { $side }, { $position }, loses { $lost } ({ $shifts })
event-loses = { $all ->
    [yes] { $side }, { $position }, loses all that it has, { $lost }
   *[no] { $side }, { $position }, loses { $lost }
}
event-distributes = Of these losses of { $side }, { $position }, infantry bears { $infantry }
event-casualty = { $unit } is a casualty
event-may-withdraw = { $result ->
    [yes] { $side } withdraws from { $area }
   *[no] { $side } cannot withdraw from { $area }, and stays
}
event-drives-off = { $side } has driven off the enemy at { $area }
event-goes-back = { $side } has not driven off the enemy at { $area } and goes back over the river: { $units }
event-stays = { $side } holds the bank at { $area }
event-contested = { $result ->
    [yes] { $area } was under the control of both sides when the phase began
   *[no] { $area } was not under the control of both sides when the phase began
}

# What is told of hidden pieces, and the dice.

event-tell = { told-in-the-series }
told-in-the-series = { $question ->
    [line] { $answer ->
        [0] The enemy does not hold it
        [1] The enemy holds it, and does not bar the line
       *[other] The enemy holds it, and bars the line
    }
   *[other] { $about }: there are { $answer ->
        [yes] {""}
       *[no] no{" "}
    }{ $question }
}
event-narrow = { $body } is one of the { $is }
event-draw = { drawn-in-the-series }
drawn-in-the-series = { $table ->
    [fire] { $side } fires from the { $position }: the die shows { $die }
    [again] { $side }, { $position }: the die for one point more shows { $die }
    [probe] The probe, by a difference of { $against }: the die shows { $die }{ $modified ->
        [yes] , changed by { $modifiers }
       *[no] {""}
    }, { $result } to be seen
    [stragglers] { $unit } rolls for stragglers ({ $cause }): the die shows { $die }
    [casualty] Is { $unit } a casualty? The die shows { $die }
    [die] { $side } throws for the choice to attack or defend: the die shows { $die }
    [weather] The die for the weather shows { $die }
   *[other] { $table }: the die shows { $die }
}

word-fire-again = again
word-officer-casualty = casualty
word-optional-weather = weather
word-bars-the-lines = line
word-real-units = real units
word-all-but-dummies = others than dummies
word-artillery = guns
word-bars-a-retreat = foot units that bar a retreat
word-officers-present = officers
word-controlled = units that hold the area
word-controlled-with-artillery = units or guns that hold the area

# What only the rules need is not shown.
column-entered-from = -
column-forded-from = -
column-group = -
column-moves = -
column-traced = -
column-barred = -
column-tracing = -
column-tracer = -
column-infantry-lost = -
column-points-called = -
column-line-losses = -
column-line-intensity = -
column-arranged = -
column-entered = -
column-contested = -
column-probe = a probe goes on in
column-battle = the combat is fought in
column-attacker = the attacker of the combat
column-round = round of the combat
column-last-turn = last turn
