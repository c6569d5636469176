# %% [markdown]
# # A theorem, checked and plotted
#
# Where should Alice make her first move in bidding Tic-Tac-Toe? Mike Develin and Sam Payne answer
# in *Discrete Bidding Games* (Electronic Journal of Combinatorics 17, 2010). Their Theorem 6.7, in
# other words:
#
# - With whole chips and a star that breaks ties, the centre is a best first move for every total of
#   chips except five.
# - A corner is a best first move for exactly these totals: 0 to 7, 9, 11 to 14, 19, 20, 22 and 26.
#
# They computed what Alice needs at each of 256 totals, with a first move in the centre (their
# Figure 3) and in a corner (Figure 4). This notebook does so again from the rules of the game,
# proves the theorem for *all* totals, and finds five cells of Figure 4 that differ.

# %%
import json
from fractions import Fraction

from IPython.display import SVG

import richman as rm

# %% [markdown]
# ## Three games
#
# A first move goes to the centre, to a corner, or to the middle of a side. So we play three games:
# in each of them one of these is the only first move that Alice has. Tic-Tac-Toe is written out as
# a game file, and her other first moves are struck out.


# %%
def with_first_move(name):
    """Tic-Tac-Toe, in which Alice's first move is fixed."""
    game = json.loads(rm.game("tic-tac-toe").export())
    start = game["positions"][game["start"]]
    start["alice"] = [move for move in start["alice"] if move["name"] == name]
    game["name"] = f"tic-tac-toe with the first move {name}"
    return rm.from_dict(game)


totals = range(256)
games = {
    "centre": with_first_move("b2"),
    "corner": with_first_move("a1"),
    "side": with_first_move("b1"),
}
tables = {place: rm.table(game, chips=totals) for place, game in games.items()}

frame = tables["centre"].to_frame()[["win"]].set_axis(["centre"], axis=1)
for place in ("corner", "side"):
    frame[place] = tables[place].to_frame()["win"]

assert " ".join(map(str, frame["centre"].head(12))) == "1 1 1* 2* 2* 3* 4 4 4* 5* 5* 6*"
assert " ".join(map(str, frame["corner"].head(12))) == "1 1 1* 2* 2* 3 4 4 5 5* 6 6*"
assert " ".join(map(str, frame["side"].head(12))) == "1 1 1* 2* 2* 3* 4 4 5 6 6 6*"
frame.head(12).T


# %% [markdown]
# The first two rows begin Figures 3 and 4. A threshold such as `2*` means that Alice needs two
# chips and the star. Thresholds are ordered 0, 0\*, 1, 1\*, ..., so we count half steps: `2*` is 5.
# The best first moves are those with which she needs least.


# %%
def half_steps(threshold):
    """The place of a threshold in the order 0, 0*, 1, 1*, ..."""
    return 2 * threshold.threshold.chips + threshold.threshold.star


need = {place: [half_steps(row.win) for row in table.rows] for place, table in tables.items()}
least = [min(needs) for needs in zip(*need.values())]
best = {place: [k for k in totals if need[place][k] == least[k]] for place in need}

assert set(totals) - set(best["centre"]) == {5}
assert best["corner"] == [*range(8), 9, *range(11, 15), 19, 20, 22, 26]
assert set(best["side"]) <= set(best["centre"])

# %% [markdown]
# ## From 256 totals to all
#
# The thresholds are periodic: with 256 chips more in the game Alice needs 133 more if she begins in
# the centre, 137 more with a corner, and 138 more with a side. So every 256 chips put a corner 4
# chips (8 half steps) further behind. It is never ahead by more than one half step, and so from 256
# chips on it is always behind, and so is a side. With the first 256 totals, that is the theorem.

# %%
growth = {}
for place, table in tables.items():
    period = table.period["win"]
    assert period.proved and period.start == 0 and 256 % period.block == 0
    growth[place] = period.step * (256 // period.block)
assert growth == {"centre": 133, "corner": 137, "side": 138}

gap = {
    place: [mine - centre for mine, centre in zip(need[place], need["centre"])]
    for place in ("corner", "side")
}
for place, ahead in gap.items():
    assert min(ahead) + 2 * (growth[place] - growth["centre"]) > 0

# %% [markdown]
# ## The picture
#
# What a first move in a corner costs, in chips. Below the line, at five chips only, the corner is
# better.

# %%
from matplotlib import pyplot

cost = [Fraction(each, 2) for each in gap["corner"]]
figure, axes = pyplot.subplots(figsize=(9, 3))
axes.bar(totals, [float(each) for each in cost], width=1, color="#1c4a8a")
axes.axhline(0, color="black", linewidth=0.8)
axes.annotate("5 chips", (5, -0.5), (14, -0.45), arrowprops={"arrowstyle": "-"}, va="center")
axes.set(xlabel="chips in the game", ylabel="chips lost in a corner", title="Theorem 6.7")
pyplot.show()

assert [k for k in totals if cost[k] < 0] == [5] and cost[5] == Fraction(-1, 2)
assert max(cost) == 4 and cost.index(4) == 227

# %% [markdown]
# The gap grows because the corner is worse with gold dust, too: there Alice needs 137/256 of the
# money instead of 133/256. Chips follow gold dust closely. Theorems 3.10 and 3.11 of the paper say
# that the threshold divided by the total approaches the real-money threshold; since thresholds are
# periodic, they even stay within a bounded distance of it, for all totals:

# %%
share = {place: rm.solve(game).win for place, game in games.items()}
assert share["centre"] == Fraction(133, 256) and share["corner"] == Fraction(137, 256)
for place, part in share.items():
    assert part == Fraction(growth[place], 256)
    away = [Fraction(need[place][k], 2) - part * k for k in totals]
    print(f"{place}: between {min(away)} and {max(away)} chips from {part} of the total")
    assert all(abs(each) < 2 for each in away)

# %% [markdown]
# The package draws the same for any game: the distance at the top, and below it who wins with which
# chips.

# %%
SVG(rm.table("tic-tac-toe", chips=range(64)).svg())

# %% [markdown]
# ## What the paper prints
#
# Richman has the paper's tables, and compares them cell by cell with what it computes. Figure 3
# agrees in all 256 cells.

# %%
assert rm.reproduce("DP10 Figure 3").claims[0]["match"] == 256

figure_4 = rm.reproduce("DP10 Figure 4").claims[0]
assert (figure_4["match"], figure_4["cells"]) == (251, 256)
assert [(int(cell["at"]), cell["printed"], cell["computed"]) for cell in figure_4["differ"]] == [
    (56, "31", "30*"),
    (120, "65", "64*"),
    (155, "84*", "83*"),
    (184, "99*", "99"),
    (248, "133*", "133"),
]
for cell in figure_4["differ"]:
    assert str(tables["corner"].rows[int(cell["at"])].win) == cell["computed"]

# %% [markdown]
# Our own table has the computed numbers, although it was made in another way. Why do the cells
# differ?

# %%
print(figure_4["why"])
print()
misprint = next(cell for cell in figure_4["differ"] if "why" in cell)
assert misprint["at"] == "155" and "A misprint for 83*" in misprint["why"]
print(misprint["why"])

# %% [markdown]
# None of these cells touches the theorem. One sentence after the figures does have the two
# functions exchanged, f' for the centre and f'' for the corner; the list of totals in it is right.

# %%
sentence = rm.reproduce("DP10 Figures 3 and 4, comparison")
print(sentence.claims[0]["why"])
assert sentence.claims[0]["status"] == "differs"
assert rm.reproduce("DP10 Theorem 6.7").claims[0]["status"] == "checked"
sentence

# %% [markdown]
# ## A proof to keep
#
# The thresholds of every position, for all totals, fit in a file. `rm.verify` proves it from the
# rules without solving anything. So does [`richman_check.py`](../richman_check.py), a second judge
# in plain Python that shares nothing with the solver.

# %%
tables["corner"].certificate("corner.json")
verdict = rm.verify("corner.json")
assert verdict.valid
verdict
