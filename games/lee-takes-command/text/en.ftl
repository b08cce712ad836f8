scenario-savage-station = Savage Station, 28 and 29 June 1862
scenario-malvern-hill = Malvern Hill, 30 June to 2 July 1862
scenario-campaign = Lee Takes Command, the whole campaign
option-no-stuart-raid = No raid by Stuart
option-corduroy-bridges = Corduroy bridges are built
option-pontoon-bridges = The engineer builds pontoon bridges
option-demolitions = Bridges are blown up
preset-plain = No optional rules
preset-engineers = Bridges are built and destroyed

prompt-activate = Activate corps: those near McClellan cost one, others two
prompt-transfer = Two divisions may go over to Jackson
prompt-command = Longstreet may get a command of his own
prompt-base = The enemy has attacked north of the Chickahominy: shift the base to the James?
prompt-feints = Put markers elsewhere, to deceive the enemy
prompt-deploy = Set up your army as you like in its areas
prompt-claim = Richmond is yours: show a unit that holds it
prompt-build = Begin bridges, where no enemy is
prompt-demolish = Blow up bridges
prompt-pontoons = The engineer may go an area, and throw pontoon bridges
prompt-wing = One wing goes forward with the center: which?
prompt-haul = Move the trains, by road, before all others
prompt-sail = Sail with gunboats
prompt-silence = A battery is hit: choose which
prompt-fall-back = The batteries hold: withdraw the gunboats downstream
prompt-show-stuart = Your area is probed: each of Stuart's brigades that you show takes one from the die
prompt-support = Gunboats support positions that defend beside the James

action-activate = activate { $target1 ->
    [trains] the supply trains
   *[other] { $target1 } Corps
}
action-end-activation = no more corps
action-transfer = D.H. Hill's and Whiting's divisions go to Jackson
action-keep-commands = commands stay as they are
action-form-command = Longstreet takes command at { $target1 }
action-shift-base = shift the base to { $target1 }
action-feign-shift = keep White House, and feign a shift
action-keep-base = keep White House
action-feint-at = a marker at { $target1 }
action-end-feints = no more markers
action-set-up = { $target1 } begins at { $target2 }
action-end-deployment = the army stands
action-claim-richmond = { $target1 } holds Richmond
action-no-claim = claim nothing
action-build = { $target1 } builds a bridge to { $target2 }
action-end-building = no more bridges
action-demolish = { $target1 } blows up { $target2 }
action-end-demolition = no more demolitions
action-lead-engineer = { $target1 } goes by { $target2 }
action-throw-bridge = { $target1 } throws a bridge at { $target2 }
action-end-pontoons = the engineer does no more
action-send-wing = { $target1 ->
    [left] the left wing attacks
   *[other] the right wing attacks
}
action-haul = { $target1 } goes by { $target2 }
action-double-move = the trains go two areas this turn
action-end-hauling = the trains stay there
action-sail = { $target1 } sails to { $target2 }
action-end-sailing = the gunboats stay there
action-silence = { $target1 }
action-fall-back = { $target1 } withdraws to { $target2 }
action-support = { $target1 } supports the { $target2 }
action-end-support = no more gunboats
action-show = show { $target1 }
action-end-claims = show nobody else

event-flood = The rivers are in flood: bridges, fords and ferries are out
event-fall = The rivers have fallen
event-supports = { $boat } supports the Union, { $position }
event-sails = { $boat } sails from { $from } to { $to }
event-falls-back = { $boat } withdraws to { $to }
event-engineer-goes = { $unit } goes from { $from } to { $to }, before all others
event-sunk = { $boat } is sunk at { $at }
event-silenced = { $battery } is silenced
event-destroyed = { $train } is burnt at { $at }
event-bases = Markers of a supply base lie at { $areas }
event-hauled = { $unit } goes by road, as trains do, from { $from } to { $to }
event-begun = { $unit } begins a bridge: { $at }
event-finished = A bridge is finished: { $at }
event-given-up = A bridge is given up unfinished: { $at }
event-washed-away = The flood carries away a bridge: { $at }
event-pontoon = The engineer throws a pontoon bridge: { $at }
event-demolished = { $at } is blown up
event-command-formed = A new command is formed: a counter more lies at { $area }
event-engineer-joins = A counter more is set up at { $area }: the engineers are with the army
event-commands = { $mixed ->
    [yes] Infantry of several commands is in the area
   *[other] The infantry in the area is of one command
}
event-held-back = The { $wing } wing of the attack does not come forward: it stays in Reserve
event-casualties = For losses in combat { $side } scores { $points }
event-bombardment = Richmond is bombarded: { $side } scores { $points }
event-lee-cut-off = For Lee's line to Richmond { $side } scores { $points }
event-mcclellan-cut-off = For McClellan's line to his base { $side } scores { $points } in all
event-stragglers = For stragglers that have not come back { $side } scores { $points }
event-divisions = For divisions that can fight no more { $side } scores { $points }
event-north-bank = For the north of the Chickahominy { $side } scores { $points }
event-trains = For trains that are not at the base { $side } scores { $points }
event-gunboats = For gunboats that are sunk { $side } scores { $points }
event-base = For the shift of the base { $side } scores { $points }
event-caught = { $lost ->
    [yes] Caught in { $at }
   *[no] Nobody in { $at }
}
event-tell = { $question ->
    [caught-trains] { $answer ->
        [0] No trains are caught alone
       *[other] Trains caught alone: { $answer }
    }
    [caught-engineer] { $answer ->
        [0] The engineer is not caught alone
       *[other] The engineer is caught alone
    }
    [caught-batteries] { $answer ->
        [0] No battery is taken
       *[other] Batteries taken: { $answer }
    }
   *[other] { told-in-the-series }
}
event-draw = { $table ->
    [activation] McClellan's die shows { $die }: { $answer } corps
    [coordination] Do the wings come up? The die shows { $die }{ $several ->
        [yes] , one less for several commands
       *[other] {""}
    }{ $again ->
        [yes] , one more for an attack before
       *[other] {""}
    }: { $answer ->
        [center] the center attacks alone
        [all] all attack
       *[other] one wing attacks with the center
    }
    [batteries] The batteries fire: the die shows { $die }, { $answer } to be sunk
    [gunboats] { $boats } gunboats fire: the die shows { $die }, { $answer } battery silenced
    [obstacles] { $boat } meets the obstacles: the die shows { $die }, it { $answer ->
        [sunk] is sunk
       *[other] passes
    }
   *[other] { drawn-in-the-series }
}

word-shore-battery = batteries
word-river-obstacles = obstacles
word-union-infantry = units of Union infantry
word-trains-caught = caught-trains
word-engineer-caught = caught-engineer
word-batteries-caught = caught-batteries
word-wagons = trains, or those who pose as such
word-workers = infantry and cavalry
word-engineer = engineers

column-came-from = -
column-came-to = -
column-came-on = -
column-campaign = the campaign is played
column-rained = turns that it has rained
column-flooded = rivers in flood
column-bluffs-fell = the turn in which the bluffs fell
column-corps-left = corps that may yet be activated
column-attacked-north = the turn of the first attack north of the Chickahominy
column-bases-placed = markers of a base lie on the map
column-base-shifted = the base has been shifted
column-shifted-on = the turn of the shift
column-departed-on = the turn in which a train last left White House
column-hauling = trains are about to go
column-doubled-on = the turn of the trains' double move
column-infantry-attack = the infantry's attack of this phase
column-pontoons-built = pontoon bridges built
column-unseen-points = points that the enemy will hear of at the end
column-shift-scores = the shift of the base scores
column-trains-astray = trains that are not at the base score
column-retreating = the Union retreats to the south

# Areas by their numbers.
place-1 = 1 Anderson's Tavern
place-2 = 2 Hanover Junction
place-3 = 3 Chesterfield Ford
place-4 = 4 Reedy Church
place-5 = 5 Reedy Swamp
place-6 = 6 Hebron Church
place-7 = 7 Herring Creek
place-8 = 8 Beulahville
place-9 = 9 Dunkirk
place-10 = 10 Newtown Road
place-11 = 11 Mattaponi Heights
place-12 = 12 Auburn Mills
place-13 = 13 Taylorsville
place-14 = 14 Dawn
place-15 = 15 Littlepage's Bridge
place-16 = 16 Mangohick
place-17 = 17 Epworth
place-18 = 18 Enfield
place-19 = 19 Rumford
place-20 = 20 Governor's Swamp
place-21 = 21 Aylett's
place-22 = 22 Walkerton Road
place-23 = 23 Ashland
place-24 = 24 Hickory Hill
place-25 = 25 Hanover Court House
place-26 = 26 Wickham's
place-27 = 27 Hanover Ferry
place-28 = 28 Etna Mills
place-29 = 29 Jacks Creek
place-30 = 30 Moncuin Creek
place-31 = 31 Central Crossing
place-32 = 32 Cattail Church
place-33 = 33 Mantapike
place-34 = 34 Gwathmey's
place-35 = 35 Slash Church
place-36 = 36 Peake's Station
place-37 = 37 Crump's Creek
place-38 = 38 Nelson's Bridge
place-39 = 39 Dabney's Ferry
place-40 = 40 Wyoming
place-41 = 41 Sharon Church
place-42 = 42 King William Court House
place-43 = 43 West Point Road
place-44 = 44 Half Sink
place-45 = 45 Hughes' Crossroads
place-46 = 46 Cash Corner
place-47 = 47 Enon Church
place-48 = 48 Haw's Shop
place-49 = 49 Hanovertown
place-50 = 50 New Castle Road
place-51 = 51 Manquin
place-52 = 52 Acquinton Church
place-53 = 53 Cohoke Mill
place-54 = 54 Yellow Tavern
place-55 = 55 Atlee's Station
place-56 = 56 Meadow Bridge
place-57 = 57 Eller's Mill
place-58 = 58 Pole Green Church
place-59 = 59 Bethesda Church
place-60 = 60 Matadequin Creek
place-61 = 61 Old Church
place-62 = 62 New Castle Ferry
place-63 = 63 Piping Tree Ferry
place-64 = 64 Pampatike
place-65 = 65 Elsing Green
place-66 = 66 Brook Hill
place-67 = 67 Old Tavern
place-68 = 68 Gaines Mill
place-69 = 69 Cold Harbor
place-70 = 70 Barker's Mill
place-71 = 71 Parsley's Corner
place-72 = 72 Black Creek
place-73 = 73 Garlick's Landing
place-74 = 74 Retreat Plantation
place-75 = 75 Horse Landing
place-76 = 76 Sweet Hall Road
place-77 = 77 Richmond
place-78 = 78 Oakwood
place-79 = 79 Fair Oaks
place-80 = 80 Seven Pines
place-81 = 81 Savage Station
place-82 = 82 Dispatch Station
place-83 = 83 Bottom's Bridge
place-84 = 84 Summit Station
place-85 = 85 Tunstall's Station
place-86 = 86 White House
place-87 = 87 Midlothian Turnpike
place-88 = 88 Falling Creek
place-89 = 89 Edgehill
place-90 = 90 Darbytown
place-91 = 91 West Swamp
place-92 = 92 East Swamp
place-93 = 93 Long Bridge Road
place-94 = 94 Baltimore Crossroads
place-95 = 95 Talleysville
place-96 = 96 New Kent Court House
place-97 = 97 Drewry's Bluff
place-98 = 98 Chaffin's Bluff
place-99 = 99 Laurel Hill
place-100 = 100 White's Tavern
place-101 = 101 Glendale
place-102 = 102 White Oak Bridge
place-103 = 103 Long Bridge
place-104 = 104 Roxbury
place-105 = 105 Cedar Grove
place-106 = 106 Providence Forge
place-107 = 107 Windsor Shades
place-108 = 108 Chester
place-109 = 109 Proctor's Creek
place-110 = 110 Farrar's Island
place-111 = 111 Varina
place-112 = 112 New Market
place-113 = 113 Curles Neck
place-114 = 114 Fussell's Mill
place-115 = 115 Malvern Hill
place-116 = 116 Carter's Mill
place-117 = 117 Samaria Church
place-118 = 118 Steam Mill
place-119 = 119 Mount Zion
place-120 = 120 Ruthville
place-121 = 121 Lower Chickahominy
place-122 = 122 Swift Creek
place-123 = 123 Port Walthall
place-124 = 124 Ware Bottom Church
place-125 = 125 Point of Rocks
place-126 = 126 Bermuda Hundred
place-127 = 127 Shirley
place-128 = 128 Harrison's Landing
place-129 = 129 Westover
place-130 = 130 Charles City Court House
place-131 = 131 Kennon's
place-132 = 132 Petersburg Turnpike
place-133 = 133 Appomattox River
place-134 = 134 Broadway Landing
place-135 = 135 Cobb's Hill
place-136 = 136 City Point
place-137 = 137 Bailey's Creek
place-138 = 138 Jordan's Point
place-139 = 139 Coggins Point
place-140 = 140 Windmill Point
place-141 = 141 Weyanoke
place-142 = 142 Sandy Point Road
