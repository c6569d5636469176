# %% [markdown]
# # My own game
#
# A fox is in a garden. Alice wants it to leave by the north or the south, Bob wants it to leave by
# the east or the west. Before every step they bid, and whoever wins the bid leads the fox one step.
# There are some hedges in the way, so it is not obvious who is better off.
#
# Rules are any Python object with a `start`, with `moves` and with `winner`. Positions can be any
# values that Python can hash; here they are pairs of numbers.

# %%
from fractions import Fraction

import richman as rm


class Fox:
    """Lead the fox out of the garden: Alice by the north or south, Bob by the east or west."""

    name = "fox in the garden"
    garden = ("..#..", ".....", "#..#.", ".....")
    start = (2, 1)

    def moves(self, fox, player):
        x, y = fox
        steps = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
        return [step for step in steps if not self.is_hedge(step)]

    def winner(self, fox):
        x, y = fox
        if not 0 <= y < len(self.garden):
            return "alice"
        return None if 0 <= x < len(self.garden[0]) else "bob"

    def is_hedge(self, square):
        return self.winner(square) is None and self.garden[square[1]][square[0]] == "#"

    def svg(self, fox):
        """Optional: how a position looks."""
        width, height = len(self.garden[0]), len(self.garden)
        shapes = [f'<rect x="-1" y="-1" width="{width + 2}" height="{height + 2}" fill="#f3d9d5"/>']
        for x in (-1, width):
            shapes.append(f'<rect x="{x}" y="0" width="1" height="{height}" fill="#d5dff0"/>')
        for y in range(height):
            for x in range(width):
                colour = "#356635" if self.is_hedge((x, y)) else "#dcebcf"
                shapes.append(
                    f'<rect x="{x}" y="{y}" width="1" height="1" fill="{colour}"'
                    ' stroke="white" stroke-width="0.05"/>'
                )
        x, y = fox[0] + 0.5, fox[1] + 0.5
        shapes.append(f'<circle cx="{x}" cy="{y}" r="0.3" fill="#d97b29"/>')
        box = f'viewBox="-1 -1 {width + 2} {height + 2}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(shapes)}</svg>'


fox = rm.rules(Fox())
fox

# %% [markdown]
# ## Who is better off?
#
# The fox can walk in circles forever, so nobody could search this game to its end. It is solved
# all the same, and exactly:

# %%
answer = rm.solve(fox, all=True)
assert answer.exact
assert answer.win == answer.draw == Fraction(3, 8)
answer

# %% [markdown]
# Alice needs only more than 3/8 of the money. With the fox at each other square she needs:

# %%
values = answer.values(exact=True)
need = dict(zip(values.positions, values.win))
garden = Fox.garden
rows = [[need.get((x, y), "#") for x in range(len(garden[0]))] for y in range(len(garden))]
assert [" ".join(map(str, row)) for row in rows] == [
    "1/2 1/4 # 1/4 1/2",
    "3/4 1/2 3/8 1/2 3/4",
    "# 3/8 1/4 # 3/4",
    "1/2 1/4 1/8 1/4 1/2",
]

# %% [markdown]
# Alice leads the fox to the neighbour where she needs least, Bob to the one where she needs most,
# and she needs the mean of the two. We do not have to believe it: here is every square, in exact
# numbers.

# %%
rules = Fox()
squares = [(x, y) for y in range(len(garden)) for x in range(len(garden[0]))]
squares = [square for square in squares if not rules.is_hedge(square)]
for square in squares:
    around = [need[step] for step in rules.moves(square, "alice")]
    assert need[square] == (min(around) + max(around)) / 2

# %%
from matplotlib import pyplot

figure, axes = pyplot.subplots(figsize=(5, 4))
shade = [[float(need.get((x, y), "nan")) for x in range(5)] for y in range(4)]
axes.imshow(shade, cmap="RdBu", vmin=0, vmax=1)
for x, y in squares:
    axes.text(x, y, need[x, y], ha="center", va="center")
axes.set(xticks=[], yticks=[], title="what Alice needs: red is good for her")
pyplot.show()

# %% [markdown]
# ## With chips
#
# A table for whole chips, with a period that is proved for every total:

# %%
table = rm.table(fox, chips=range(33))
period = table.period["win"]
assert period.proved
assert (period.block, period.step, period.start) == (8, 3, 0)
assert Fraction(period.step, period.block) == answer.win
assert " ".join(str(row.win) for row in table.rows[:9]) == "1 1 1 2 2* 2* 2* 3 4"
assert " ".join(str(row.draw) for row in table.rows[:9]) == "0 0 0* 1* 1* 2* 2* 3 3"
table.to_frame()[["win", "draw"]].head(9).T

# %%
axes = table.plot()

# %% [markdown]
# Where `win` is above `draw` there are holdings with which neither player can force the fox out:
# both can keep it in the garden forever.
#
# ## Proved
#
# Saved solutions and certificates hold the game itself, so anybody can check them, without this
# notebook and without solving anything.

# %%
table.certificate("fox-rules.json")
answer.save("fox-money.json")
for name in ("fox-rules.json", "fox-money.json"):
    verdict = rm.verify(name)
    assert verdict.valid

# %% [markdown]
# A wrong number does not pass:

# %%
from pathlib import Path

money = Path("fox-money.json").read_text()
Path("wrong.json").write_text(money.replace('"3/8"', '"1/4"'))
verdict = rm.verify("wrong.json")
assert not verdict
assert verdict.wrong.startswith('position "(2, 1)": the win threshold is said to be 1/4')

# %% [markdown]
# ## Played
#
# With four chips each Alice can force a win, although Bob has the star. She plays by the solution,
# Bob is one of the simpler computer players:

# %%
question = {"alice": 4, "bob": "4*"}
solution = rm.solve(fox, **question)
assert solution.outcome == "alice" and solution.within == 9

match = rm.play.Match(fox, **question)
end = rm.play.play_out(match, solution.strategy("alice"), match.computer("greedy"))
for turn in match.turns:
    bids = f"{turn.bids['alice']}-{turn.bids['bob']}"
    hands = f"{turn.hands['alice']!s:>2} to {turn.hands['bob']!s:<2}"
    print(f"{turn.position}  {hands}  bids {bids}  {turn.mover} to {turn.move}")
assert end.winner == "alice"
assert [turn.move for turn in match.turns] == ["(2, 2)", "(2, 3)", "(1, 3)", "(1, 4)"]
match

# %% [markdown]
# ## Reviewed
#
# How many chips had each player to spare before every turn, and where did a decision cost
# something?

# %%
review = match.review()
print(review)
assert [(each["turn"], each["player"]) for each in review.mistakes] == [
    (1, "bob"),
    (3, "alice"),
    (3, "bob"),
]
review

# %% [markdown]
# The fox game has everything that listed games have. To share it, write it as a game file: the
# command `richman`, its web application and this package all read it.

# %%
fox.to_file("fox.json")
again = rm.load("fox.json")
assert rm.solve(again).win == answer.win
again
