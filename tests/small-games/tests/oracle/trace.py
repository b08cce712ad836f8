"""Traces of random games of the slow model; see README.md."""
import os
import random
import sys

sys.path.insert(0, os.environ["PICKET_MODEL"])
import picket  # noqa: E402

picket.HLEN = 4
SIDE = {"A": "amber", "B": "blue"}
OPTIONS = [(), ("dusk",), ("hesitation",), ("dusk", "hesitation")]
PROBE = {"le-1": "..-1", "0": "0", "1": "1", "ge2": "2.."}


def fnv(text):
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h & 0xFFFFFFFF:08x}"


def flag(value):
    return "yes" if value else "no"


def canonical(what, a, name):
    """The events of the model in the words of the module; `name` renames handles."""
    bodies = [name(h) for h in a.get("bodies", [])]
    rule = a.get("rule", "")
    if what == "draw":
        stream, no = a["no"].split("#")
        stream = {"public": "public", "A": "amber", "B": "blue"}[stream]
        head = f"draw {a['table']} {stream} {no}"
        if a["table"] == "levy":
            return [f"{head} {a['piece']} {a['result']} {rule}"]
        head += f" {a['die']}"
        if a["table"] == "straggle":
            public = [m for m in a["mods"] if m[0] == "pl:7.g"]
            tail = f"{name(a['body'])} {public}"
            if "column" in a:
                private = [m for m in a["mods"] if m[0] != "pl:7.g"]
                tail += f" {private} {a['column']} {flag(a['result'] == 'weary')}"
        elif a["table"] == "probe":
            tail = f"{a['diff']} {PROBE[a['column']]} {a['result']}"
        elif a["table"] == "fight":
            tail = f"{a['position']} {SIDE[a['by']]} {a['odds']} {a['start']} {a['shifts']} {a['column']} {a['result']}"
        elif a["table"] == "arrears":
            tail = f"{a['column']} {a['result']}"
        elif a["table"] == "rain":
            tail = flag(a["result"] == "high")
        else:
            tail = ""
        return [f"{head} {tail} {rule}".replace("'", "").replace("  ", " ")]
    if what == "phase":
        return [f"phase {a['phase']} {SIDE[a['side']]}"]
    if what == "reveal":
        weary = " weary" if a.get("weary") else ""
        return [f"reveal {bodies[0]} {a['ident']}{weary} {rule}"]
    if what == "narrow":
        return [f"narrow {bodies[0]} {a['can_be'][0]} {rule}"]
    if what == "tell":
        if a["q"] == "supplied":
            about = ""
        elif "place" in a:
            about = SIDE[a["place"][1][0]] + "." + a["place"][1][1:]
        else:
            about = " ".join(bodies)
        return [f"tell {a['q']} {about} {flag(a['ans'])} {rule}".replace("  ", " ")]
    if what == "removed":
        return [f"{'lost' if a['to'] == 'lost' else 'removed'} {bodies[0]} {rule}"]
    if what == "regrouped":
        returned = [[k, v] for k, v in sorted(a["returned"].items())]
        return [f"regrouped {SIDE[a['side']]} {returned}"]
    if what == "stopped":
        if "link" in a:
            return [f"stopped {' '.join(bodies)} {a['area']} {a['link']} {rule}"]
        return [f"stopped {a['area']} {rule}"]
    if what in ("marched", "pressed"):
        return [f"{what} {' '.join(bodies)} {a['link']} {a['to']}"]
    if what == "declined":
        return [f"declined {a['area']}"]
    if what == "intercepts":
        return [f"intercepts {a['area']} {SIDE[a['side']]}"]
    if what == "clash":
        return [f"clash {a['area']} {SIDE[a['by']]}"]
    if what == "concealed":
        return [f"turned_down {bodies[0]} {rule}"]
    if what == "displaced":
        return [f"displaced {bodies[0]} {a['to']} {rule}"]
    if what == "probe":
        return [f"probe {name(a['stack'])} {name(a['target'])}"]
    if what == "blocks":
        return [f"blocks {a['n']}"]
    if what == "search":
        return [f"search {bodies[0]} {a['area']}"]
    if what == "battle":
        return [f"battle {a['area']} {SIDE[a['attacker']]} {flag(a['clash'])}"]
    if what in ("no_battle", "battle_over"):
        return [f"{what} {a['area']}"]
    if what == "falters":
        return [f"falters {SIDE[a['side']]} {a['position']}"]
    if what == "orders":
        given = [[[p, a[s][p]] for p in ("road", "field") if p in a[s]] for s in "AB"]
        return [f"orders {given[0]} {given[1]}".replace("'", "")]
    if what == "deployed":
        return [f"deployed {SIDE[a['side']]} {a['road']} {a['field']}"]
    if what == "open":
        return [f"open {SIDE[a['side']]} {a['areas']} {rule}"]
    if what == "retreats":
        verdict = "allowed" if a["verdict"] == "allowed" else "must_go_on"
        return [f"retreats {' '.join(bodies)} {a['to']} {verdict} {rule}"]
    if what in ("set_up", "rested"):
        return [what]
    if what == "end":
        return [f"arrears {a['arrears']}", f"scores {a['vp']['A']} {a['vp']['B']}"]
    if what == "end_player_turn":
        return []
    raise ValueError(what)


class Traced(picket.Game):
    def __init__(self, *args, **kw):
        self.traced, self.dice = [], []
        super().__init__(*args, **kw)

    def draw(self, stream, table, sides=6, **parts):
        value, no = super().draw(stream, table, sides, **parts)
        self.dice.append(f"{table}={value}")
        return value, no

    def emit(self, what, **aud):
        idents = {}
        for v in picket.VIEWERS:
            idents[v] = {h: self.body[b].ident for b, h in self.h[v].items()}
            idents[v] |= {s.h[v]: self.body[s.bodies[0]].ident for s in self.stack.values() if v in s.h}
        shown = {v: aud.get(v, aud.get("all")) for v in picket.VIEWERS}
        self.traced.append((what, shown, idents))
        super().emit(what, **aud)

    def restack(self, stack, area):
        """A group that marches becomes a stack of its own, even when it leaves nobody behind (pl:3.b)."""
        if all(self.body[b].moved == 0 for b in stack.bodies):
            for v in picket.VIEWERS:
                stack.h[v] = self.newh(v, "/")
        super().restack(stack, area)


def text_of(game, action):
    words = [action[0]]
    for x in action[1:]:
        if isinstance(x, tuple) and x[0] == "b":
            words.append(game.body[x[1]].ident)
        elif isinstance(x, tuple):
            words.append("/" + game.body[game.stack[x[1]].bodies[0]].ident)
        else:
            words.append(str(x))
    return " ".join(words)


def asked(game):
    if game.ask is None:
        return "over"
    parts = []
    for seat in sorted(game.ask["seats"]):
        offers = sorted(text_of(game, a) for a in game.offers(seat))
        parts.append(f"{seat} {game.ask['name']} {fnv(';'.join(offers))}")
    return ", ".join(parts)


def play(seed, full):
    options = OPTIONS[seed % 4]
    game = Traced(key=seed, options=options)
    rng = random.Random(seed * 7 + 1)
    names = {v: {} for v in picket.VIEWERS}
    lines = [f"| {asked(game)}"]
    while not game.ended:
        seat = rng.choice(sorted(game.ask["seats"]))
        offers = game.offers(seat)
        if len(offers) > 1 and offers[-1] == ("done",) and rng.random() < 0.75:
            offers = offers[:-1]
        action = rng.choice(offers)
        decision = f"{seat} {text_of(game, action)}"
        game.traced = []
        game.act(seat, action)
        hashes, whole = [], []
        for v in picket.VIEWERS:
            def name(h, v=v):
                return names[v].setdefault(h, f"#{len(names[v])}")
            texts = [t for what, shown, _ in game.traced if shown[v] is not None for t in canonical(what, shown[v], name)]
            hashes.append(fnv("\n".join(texts)) if texts else "-")
            if full:
                lines += [f"  {v}: {t}" for t in texts]
        for what, shown, idents in game.traced:
            v = max(picket.VIEWERS, key=lambda v: len(shown[v] or {}) if shown[v] is not None else -1)
            whole += canonical(what, shown[v], lambda h: idents[v][h])
        lines.append(f"{decision} | {asked(game)} | {' '.join(hashes)} | {'; '.join(whole)}")
    head = f"game {seed} {' '.join(options)}".strip()
    print(head)
    print("dice " + " ".join(game.dice))
    print("\n".join(lines))


if __name__ == "__main__":
    if sys.argv[1] == "--full":
        play(int(sys.argv[3]), True)
    else:
        for seed in range(int(sys.argv[1])):
            play(seed, False)
