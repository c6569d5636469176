# %% [markdown]
# # First steps
#
# In an ordinary game players take turns. In a *bidding game* nobody has a turn. Before every move
# both players bid for the right to make it; the higher bid wins, the winner pays it to the other
# player, and moves. Who should win, and how much should one bid?
#
# This notebook asks Richman. Run its cells from top to bottom, and change them as you like.

# %%
from fractions import Fraction

import richman as rm

rm.game("tic-tac-toe")

# %% [markdown]
# ## What is it worth?
#
# Suppose money can be divided at will, like gold dust. How much of it does Alice need to force a
# line of three?

# %%
real = rm.solve("tic-tac-toe")
real

# %% [markdown]
# With more than 133/256 of the money Alice can force a win, with less than 123/256 she can be
# forced to lose, and between the two both can force a draw. At the threshold 41/256 of all the
# money should be bid for the first move, which belongs in the centre.
#
# Every number is exact. There are no rounding errors to wonder about:

# %%
assert real.exact
assert real.win == Fraction(133, 256)
assert real.draw == 1 - real.win  # the players have the same moves, so Bob needs as much as Alice
assert real.bid == Fraction(41, 256)
assert real.moves["alice"] == ["b2"]

# %% [markdown]
# A position is written row by row. Here Alice holds a corner and Bob the centre. Bob's stone is
# worth more, so Alice now needs more of the money than at the start:

# %%
behind = rm.solve("tic-tac-toe", position="A../.B./...")
assert behind.win == Fraction(35, 64) > real.win
behind

# %% [markdown]
# ## Chips
#
# At a table people bid whole chips, and bids are often equal. One of the players holds a *star*
# `*`, which breaks ties: its holder may use it to win the bid, and then it goes to the other
# player. `4*` is four chips and the star.

# %%
even = rm.solve("tic-tac-toe", alice="4*", bob=4)
assert even.outcome == "alice" and even.within == 7
assert even.advice["alice"].bids == [(1, 1)]
assert even.advice["alice"].moves == ["b2"]
even

# %% [markdown]
# With four chips each, the star alone decides the game for Alice: she should bid 1, use the star in
# a tie, and play the centre. This is how the game goes if both play well:

# %%
trace = even.trace()
for turn in trace:
    star = "with the star" if turn.star_used else ""
    print(
        f"{turn.position}  Alice {turn.alice!s:3} Bob {turn.bob!s:3}"
        f" bids {turn.alice_bids}-{turn.bob_bids}  {turn.mover} moves {turn.move} {star}"
    )

assert [turn.move for turn in trace] == ["b2", "a1", "b1", "b3", "c1", "a2", "c2"]
assert rm.solve("tic-tac-toe", alice=4, bob="4*").outcome == "bob"

# %% [markdown]
# ## All totals at once
#
# What does Alice need with 0, 1, 2, ... chips in the game? `win` is the least holding with which
# she wins, `draw` the least with which she does not lose.

# %%
table = rm.table("tic-tac-toe", chips=range(65))
assert " ".join(str(row.win) for row in table.rows[:9]) == "1 1 1* 2* 2* 3 4 4 4*"
assert " ".join(str(row.draw) for row in table.rows[:9]) == "0 1 1* 1* 2* 3 3 4 4*"
table.to_frame().head(9)

# %%
axes = table.plot()

# %% [markdown]
# The steps are irregular, but they repeat: with 256 chips more in the game Alice needs exactly 133
# chips more. This is proved for all totals, and so the table above 65 chips is known too. It is no
# accident that 133/256 is what she needs of gold dust.

# %%
period = table.period["win"]
assert period.proved
assert (period.block, period.step) == (256, 133)
assert Fraction(period.step, period.block) == real.win

# %% [markdown]
# ## Coins instead of bids
#
# Now flip a fair coin before every move to decide who makes it. Richman's theorem says that Alice's
# chance to win is what is missing from her threshold to 1. The package computes the chance from
# coins alone, and also plays 10,000 games:

# %%
coins = rm.random_turn("tic-tac-toe", games=10_000)
assert coins.wins.chance == 1 - real.win
coins

# %% [markdown]
# ## Other games
#
# In Tug o' War a token stands on a line, and each player pulls it to an end. The tree shows the
# best moves and, at each position, what Alice needs.

# %%
assert "tug-of-war" in {game.name for game in rm.games()}
tree = rm.tree("tug-of-war:length=6")
assert rm.solve("tug-of-war:length=6").win == Fraction(1, 2)
tree

# %% [markdown]
# The rules of bidding can be changed too. In *poorman* bidding the winner pays the bank instead of
# the other player, so money runs out. Then Alice needs less:

# %%
poorman = rm.solve("tic-tac-toe", payment="poorman")
assert poorman.exact
assert poorman.win == Fraction(396925, 786688) < real.win

# %% [markdown]
# Who mistypes something reads what to do about it:

# %%
try:
    rm.solve("tic-tac-to")
except rm.Error as error:
    print(error)
    assert 'did you mean "tic-tac-toe"?' in str(error)

# %% [markdown]
# The other notebooks: a theorem about the first move of Tic-Tac-Toe, checked and plotted
# (`a-theorem.py`); a game of your own (`my-own-game.py`); a match and its review
# (`what-did-bob-do-wrong.py`); and a learning program, compared with the exact solution
# (`training.py`).
