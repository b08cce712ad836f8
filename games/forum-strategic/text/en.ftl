side-union = the Union
side-confederate = the Confederacy
phase-setup = The map of July 1861
phase-mustering = Mustering
phase-blockade = Blockade
phase-orders = Orders
phase-marches = Marches
phase-supply = Supply
phase-battles = Battles
phase-capture = Capture
phase-recruiting = Recruiting
phase-peace = June 1866 is over
scenario-war = The war, July 1861 to June 1866
scenario-war-by-umpire = The war, armies by the umpire
option-umpire-battles = The umpire decides battles
option-umpire-attrition = The umpire decides attrition
option-umpire-recruiting = The umpire decides how much is raised
option-umpire-blockade = The umpire decides on the blockade
option-umpire-armies = The umpire grants the first armies
option-confederates-first = The Confederacy moves first
option-army-maximum-by-values = Army maximum by values of cities
option-invaders-from-the-first-ports = Landings only from ports of the start
option-one-fortress = One fortress on the Mississippi
option-cavalry-near-its-parent = Cavalry stays near infantry
option-fog = Fog: the enemy's formations are not known
preset-house = House rules
preset-umpire = As on the forum, with an umpire

prompt-allot-marches = Allot the marches to your commanders
prompt-spend-marches = Spend your marches: choose a box to march from; put out screens
prompt-march = March: move formations out of the box, one after the other; or first dig works, or send one by sea
prompt-withdraw = You are beaten: choose where to withdraw
prompt-forage = Forage where there is no supply
prompt-recruit = Raise a formation
prompt-muster = Where is it raised?
prompt-grant = Umpire: how many units may this side raise?
prompt-blockade = Umpire: change the blockade of ports
prompt-report = Umpire: what has each side lost today, in strength points, and how does the day end?
prompt-enter-attrition = Umpire: what does this hungry formation lose, in strength points?

action-allot = a march for { $target1 ->
    [East] the East
   *[West] the West
}
action-no-more-orders = no more orders
action-march = march from { $target1 }
action-entrench = { $target1 } entrenches
action-sail = { $target1 } sails to { $target2 }
action-land = { $target1 } lands at { $target2 }
action-screen = { $target1 } screens { $target2 }
action-no-more-marches = no more marches
action-move = { $target1 } goes to { $target2 }
action-move-as-by-road = { $target1 } goes to { $target2 }, as by road
action-jump = { $target1 } jumps, as by road, over the enemy at { $target2 } and on by { $target3 }
action-halt = halt there
action-end-march = end this march
action-withdraw = withdraw to { $target1 }
action-forage = { $target1 } forages
action-no-more-foraging = nobody else forages
action-raise = raise a { $target1 }
action-muster = at { $target1 }
action-grant = { $target2 } units for { $target1 }
action-no-more-recruits = raise no more
action-blockade = change the blockade of { $target1 }
action-lost = { $target1 } has lost { $target2 }
action-beaten = { $target1 } is beaten and withdraws
action-another-day = another day of battle
action-starve = { $target1 } loses { $target2 }

event-reveal = { $piece } is seen on the map
event-narrow = { $body } has put out a screen
event-tell = Is there a cavalry corps to be jumped over? { $answer ->
    [yes] Yes
   *[other] No
}
event-draw = { $table ->
    [Marches] The die for marches shows { $die }: { $answer } marches
    [washington] Washington has fallen: the die shows { $die }, and the Union's army maximum is { $answer } less for good
    [attrition] Hunger: the die shows { $die }, and { $unit } loses { $answer }
   *[other] A day of battle at { $at }, { $column }: the die shows { $die }; of a hundred attacker and defender lose { $answer }
}
event-entrenched = { $unit } digs in at { $at }
event-march = { $unit } marches from { $from } to { $to }
event-jump = { $unit } rides from { $from } past the enemy to { $to }
event-sail = { $unit } sails from { $from } to { $to }
event-land = { $unit } sails from { $from } and lands at { $to }
event-losses = { $side } has lost { $lost } at { $at } today, and recovers { $recovered }
event-destroyed = { $unit } is destroyed at { $at }
event-surrender = { $unit } surrenders at { $at }
event-starved = { $unit } is starved out at { $at }
event-captured = { $side } has captured { $at }
event-stopped = Cavalry at { $at } keeps the enemy from jumping over it

column-to-allot = marches to allot
column-lost-boxes = lost with Washington
column-may-land = may land
column-marches-used = marches used
column-raised-here = raised here
# What only the rules need is not shown.
column-came-from = -
column-decided = -
column-moved = -
