# %% [markdown]
# # What did Bob do wrong?
#
# Develin and Payne begin *Discrete Bidding Games* (2010) with a game of bidding Tic-Tac-Toe. Alice
# and Bob have four chips each; Alice also has the star, which breaks ties. Bob loses, and the
# authors ask: *What did Bob do wrong?*
#
# Let us play the game again and ask for a review.

# %%
import richman as rm

match = rm.play.Match("tic-tac-toe", alice="4*", bob=4)


def turn(alice, bob, move, star=None):
    """Both bid; in a tie the holder of the star decides; the winner of the bid moves."""
    match.bid("alice", alice)
    match.bid("bob", bob)
    if match.view().stage == "tie":
        match.use_star(star)
    match.move(move)


turn(1, 1, "b2", star=True)
turn(1, 1, "a1", star=True)
turn(2, 2, "c1", star=False)

assert match.position == "B.B/.A./..."
assert match.hands == {"alice": rm.Holding(6, True), "bob": rm.Holding(2, False)}
match

# %% [markdown]
# After three moves Bob threatens to complete the top row. He has two chips and bets both; Alice
# pays two chips and the star to stop him. Then she threatens the middle column, and so on.

# %%
turn(2, 2, "b1", star=True)
turn(4, 4, "b3", star=True)
turn(0, 0, "a2", star=True)
turn(1, 0, "c2")

assert match.over.winner == "alice" and match.over.how == "game"
match

# %% [markdown]
# ## The review

# %%
review = match.review()
print(review)
assert "nothing that Bob did could have changed the result" in str(review)

# %% [markdown]
# Nothing! (All that the review finds is that Alice could have won sooner.) Bob was lost before the
# first bid. With four chips each, the star decides the game, and Alice has it. Every decision of
# his was as good as any other, since she made no mistake.
#
# The picture shows the chips that each player had to spare for a win before every turn; below zero
# there were too few. Bob was one chip short all the time, or more.

# %%
assert review.mistakes == []
assert [(each["turn"], each["player"]) for each in review.slower] == [(3, "alice")]
review

# %%
turns = review.to_frame()
assert list(turns["bob_margin"][:7]) == [-1, -1, -1, -2, -3, -5, -7]
turns[
    [
        "position",
        "alice",
        "bob",
        "alice_bids",
        "bob_bids",
        "mover",
        "move",
        "alice_margin",
        "bob_margin",
    ]
]

# %% [markdown]
# What would have helped him? With the star he wins, and with one chip more he draws:

# %%
assert rm.solve("tic-tac-toe", alice="4*", bob=4).outcome == "alice"
assert rm.solve("tic-tac-toe", alice=4, bob="4*").outcome == "bob"
assert rm.solve("tic-tac-toe", alice="4*", bob=5).outcome == "draw"

# %% [markdown]
# ## Another game, with mistakes
#
# This time Alice is careless and bids nothing for the first move. Bob takes the centre for one
# chip. Yet she wins again. What did Bob do wrong now?

# %%
match = rm.play.Match("tic-tac-toe", alice="4*", bob=4)
turn(0, 1, "b2")
turn(1, 2, "b1")
turn(1, 1, "b3", star=True)
turn(2, 1, "a3")
turn(4, 4, "c3", star=True)
turn(0, 0, "a2", star=True)
turn(1, 0, "a1")
match

# %%
review = match.review()
print(review)
review

# %% [markdown]
# He had a won game after the first turn, and paid one chip too many in the second. A single chip!
#
# Every mistake can be read by a program too: whose it was, what it cost, and what was better.

# %%
for mistake in review.mistakes:
    cost = f"{mistake['before']} -> {mistake['guaranteed']}"
    print(f"turn {mistake['turn']}: {mistake['player']:5} {cost:12} better: {mistake['better']}")

decisive = [each for each in review.mistakes if each["grade"] == "result"]
assert [(each["turn"], each["player"]) for each in decisive] == [(1, "alice"), (2, "bob")]
assert decisive[1]["better"]["bids"] == [[1, 1]]

# %% [markdown]
# ## Would he really have won?
#
# We play the first turn again, and let the exact solution go on for Bob, against four computer
# players.

# %%
bob = rm.solve("tic-tac-toe", chips=8).strategy("bob")
for level in ("best", "rounding", "greedy", "random"):
    other = rm.play.Match("tic-tac-toe", alice="4*", bob=4)
    other.bid("alice", 0)
    other.bid("bob", 1)
    other.move("b2")
    end = rm.play.play_out(other, other.computer(level), bob)
    print(f"{level:9} {end.winner} wins after {len(other.turns)} turns")
    assert end.winner == "bob"

# %% [markdown]
# Four matches prove nothing, but the solution does:

# %%
after = rm.solve("tic-tac-toe", position=".../.B./...", alice="5*", bob=3)
assert after.outcome == "bob"
after

# %% [markdown]
# ## Your own match
#
# A match is kept as plain text, which `rm.review`, the command `richman review` and the web
# application read. Comments go in braces. Change a bid, and review it again.

# %%
record = match.record({"Event": "What did Bob do wrong?"})
assert rm.review(record).mistakes == review.mistakes
print(record)
