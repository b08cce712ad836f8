side-traders = Free traders
side-revenue = Revenue
phase-sail = Sailing
phase-dawn = Dawn
scenario-landing = The landing
prompt-sail = Sail or hail with a vessel, or wait
action-sail = { $target1 } sails to { $target2 }
action-wait = wait
action-hail = { $target1 } hails { $target2 }
event-chase = { $cutter } hails { $boat }: { $result ->
    [taken] it is taken
   *[other] it gets away
}
option-moonless = Moonless night
