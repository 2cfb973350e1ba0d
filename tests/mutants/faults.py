"""The faults that recur in AlphaZero programs, and mutants that put them into this one."""

from __future__ import annotations

from tests.mutants.runner import Mutant

FAULTS = {
    1: "the wrong player's value in backup or target",
    2: "virtual loss of the wrong sign, or not taken back",
    3: "the mask after the softmax",
    4: "a child looked up by its action's number in a list of children",
    5: "a random fallback that hides errors",
    6: "noise frozen, shared, doubled, or where none belongs",
    7: "a mate seen one visit late, a finished game sent to the network",
    8: "a draw counted as a win for one side",
    9: "the cap on a game's length learnt as a draw",
    10: "repetition or count missing from what tells positions apart",
    11: "the count missing from the observation",
    12: "the observation not turned to the mover, the policy not turned back",
    13: "evaluation games all alike",
    14: "a table or tree carried from one game to the next",
    15: "a resume that loses buffer, optimizer, random state or counters",
    16: "memory that grows",
    17: "position, policy and result off by one against each other",
    18: "exploration's blunders in the result alone",
    19: "constants that are not the paper's",
    20: "a small window learnt by heart",
    21: "an evaluation by other settings than told",
    22: "draw collapse that nobody sees",
}
SEARCH, ROOT, ANALYSIS, REUSE = (
    f"tests/agents/search/test_{name}.py" for name in ("search", "root", "analysis", "reuse")
)
FAULTS_OF_SEARCH, FAULTS_OF_TRAINING = (
    "tests/faults/test_faults_of_search.py",
    "tests/faults/test_faults_of_training.py",
)
TARGETS, AUXILIARY, LEARNER, REPLAY = (
    f"tests/training/test_{name}.py" for name in ("targets", "auxiliary", "learner", "replay")
)
ALPHABETA, TRANSPOSITIONS = (f"tests/agents/test_{name}.py" for name in ("alphabeta", "transpositions"))
RESUME, ENDINGS, BLUNDERS = (f"tests/training/test_{name}.py" for name in ("resume", "endings", "blunders"))
OBSERVE, ARENA = "tests/core/test_observe.py", "tests/training/test_arena.py"


def _names(file: str, *tests: str) -> tuple[str, ...]:
    return tuple(f"{file}::test_{test}" for test in tests)


MUTANTS = (
    Mutant(
        1, "values keep their sign on the way up", "agents/search/backup.py",
        "            value = -value\n", "            value = value * 1.0\n",
        _names(FAULTS_OF_SEARCH, "01_values_change_sides_on_the_way_up",
               "01_the_side_ahead_is_told_so_whoever_it_is_and_whoever_moves"),
    ),
    Mutant(
        1, "the result as the other side sees it", "training/targets.py",
        "np.where(sides == game.winner, 1, -1)", "np.where(sides == game.winner, -1, 1)",
        _names(TARGETS, "whoever_mates_has_won"),
    ),
    Mutant(
        1, "the values to come as White sees them", "training/auxiliary.py",
        "np.where(sides == 0, averages, -averages)", "averages",
        _names(AUXILIARY, "the_values_to_come_by_hand"),
    ),
    Mutant(
        1, "signs by depth instead of by side", "agents/search/backup.py",
        "        if positions[node].side != side:\n", "        if positions[node].side != side or side >= 0:\n",
        _names(SEARCH, "a_declaration_keeps_the_sign"),
    ),
    Mutant(
        1, "alpha-beta turns the sign of a declaration", "agents/negamax.py",
        "    return -best if room.frames[level].turned else best\n", "    return -best\n",
        _names(ALPHABETA, "a_declaration_keeps_the_sign"),
    ),
    Mutant(
        2, "virtual losses not taken back", "agents/search/virtual_loss.py",
        "        under_edges[nodes[node].parent_edge] -= 1\n", "",
        _names(ANALYSIS, "an_evaluator_that_failed_is_asked_again"),
    ),
    Mutant(
        2, "virtual wins", "agents/search/virtual_loss.py",
        "(edge.total - under_edges[e]) / visits", "(edge.total + under_edges[e]) / visits",
        _names(ANALYSIS, "what_is_under_way_counts_as_lost"),
    ),
    Mutant(
        3, "softmax over all actions, then the mask", "training/learner.py",
        "F.log_softmax(logits.masked_fill(~legal, lowest), 1)", "F.log_softmax(logits, 1)",
        _names(LEARNER, "illegal_logits_have_no_say"),
    ),
    Mutant(
        4, "logits taken by place", "agents/search/evaluators.py",
        "        edges[e].prior = logits[edges[e].action]\n",
        "        edges[e].prior = logits[e - here.first_edge]\n",
        _names(FAULTS_OF_SEARCH, "04_a_logit_belongs_to_its_action_and_not_to_its_place"),
    ),
    Mutant(
        5, "an illegal answer replaced by the first legal move", "makruk_env/batch.py",
        "    if illegal >= 0:\n        raise",
        "    if illegal >= 0:\n        chosen = games.moves[:, 0].astype(np.int64)\n"
        "    if illegal > len(games):\n        raise",
        _names(FAULTS_OF_TRAINING, "05_an_agent_that_answers_nonsense_is_not_replaced_by_chance"),
    ),
    Mutant(
        6, "the same noise in every search", "agents/search/root.py",
        "draw_gamma(streams, i, settings.noise_total / root.num_edges)",
        "draw_gamma(streams.copy(), i, settings.noise_total / root.num_edges)",
        _names(SEARCH, "noise_is_drawn_anew_only_on_legal_actions_and_never_without_being_asked_for"),
    ),
    Mutant(
        6, "Gumbel noise without a temperature", "agents/search/root.py",
        "                keys[k] += head.temperature * draw_gumbel(streams, i)\n",
        "                keys[k] += 0.0\n            keys[k] += draw_gumbel(streams, i)\n",
        _names(ROOT, "without_temperature_a_gumbel_root_is_free_of_chance"),
    ),
    Mutant(
        7, "ends of games evaluated like other positions", "agents/search/rounds.py",
        "        if nodes[leaf].proof != UNKNOWN:\n",
        "        if nodes[leaf].proof != UNKNOWN and nodes[leaf].num_edges:\n",
        _names(FAULTS_OF_SEARCH, "07_a_finished_game_gets_no_evaluation"),
    ),
    Mutant(
        7, "mates seen when they are visited", "agents/search/tree.py",
        "    if mark_mates(positions[node], rules, moves, n, edges, first, positions[len(positions) - 1]):\n",
        "    if n < 0:\n",
        _names(FAULTS_OF_SEARCH, "07_an_end_is_known_when_its_node_is_made"),
    ),
    Mutant(
        8, "a draw lost by both", "training/targets.py",
        "    if game.winner != NOBODY:\n", "    if game.winner != NOBODY or not game.truncated:\n",
        _names(TARGETS, "a_draw_is_a_draw_for_both"),
    ),
    Mutant(
        9, "a game cut short learnt as drawn", "training/targets.py",
        "0 if game.truncated and not settings.cut_material else 1", "1",
        _names(TARGETS, "a_game_cut_off_teaches_no_result"),
    ),
    Mutant(
        9, "a game cut short learnt as ending there", "training/auxiliary.py",
        "np.full(len(game), not game.truncated)", "np.ones(len(game))",
        _names(AUXILIARY, "a_game_cut_off_tells_neither_its_length_nor_its_count"),
    ),
    Mutant(
        10, "the game's past left out of the tree", "agents/search/rounds.py",
        "copy_past(games[i], histories[i], origins[i], paths[g])", "games[i].ply",
        _names(SEARCH, "repetition_is_seen_through_the_games_own_past"),
    ),
    Mutant(
        10, "no keys along the descent", "agents/search/select.py",
        "        path[position.ply - head.origin] = position.key\n",
        "        path[position.ply - head.origin] = np.uint64(0)\n",
        _names(SEARCH, "repetition_is_seen_along_the_descent"),
    ),
    Mutant(
        10, "the count's number left out of the table's key", "agents/transpositions.py",
        "np.uint64(position.count_number) << _S32", "np.uint64(0)",
        _names(TRANSPOSITIONS, "every_field_makes_another_key"),
    ),
    Mutant(
        10, "the positions that stood left out of the table's key", "agents/transpositions.py",
        "        key ^= mix(stood + _STOOD)\n", "",
        _names(TRANSPOSITIONS, "every_field_makes_another_key"),
    ),
    Mutant(
        11, "the count's number not shown", "makruk_env/core/observe.py",
        "        fill(cells, 17, np.float32(position.count_number) * _PER_COUNT)\n", "        fill(cells, 17, _ZERO)\n",
        _names(OBSERVE, "count_planes"),
    ),
    Mutant(
        12, "Black sees the board as White does", "makruk_env/core/observe.py",
        "    flip = FLIP[side]\n", "    flip = FLIP[0]\n",
        _names(OBSERVE, "men_stand_where_the_fen_says_seen_by_the_mover"),
    ),
    Mutant(
        13, "one opening for all games of a match", "training/arena.py",
        "= random_opening(rng, rules, *OPENING_PLIES)",
        "= random_opening(np.random.default_rng(0), rules, *OPENING_PLIES)",
        _names(ARENA, "games_of_deterministic_agents_differ_and_a_seed_repeats_them"),
    ),
    Mutant(
        14, "edges of the games before left in the tree", "agents/search/rounds.py",
        "        head.num_edges = 0\n", "",
        _names(FAULTS_OF_SEARCH, "14_a_used_tree_has_all_of_its_room_again"),
    ),
    Mutant(
        14, "a proof left over from the game before", "agents/search/tree.py",
        "        edge.proof = UNKNOWN\n", "",
        _names(FAULTS_OF_SEARCH, "14_proofs_do_not_outlive_their_game"),
    ),
    Mutant(
        14, "another game's tree taken for one's own", "agents/search/reuse.py",
        "        if history[positions[node].ply - origin] != positions[node].key:\n            return False\n", "",
        _names(REUSE, "no_tree_is_found_but_the_games_own"),
    ),
    Mutant(
        14, "the table's rows of another move read for this one's", "agents/transpositions.py",
        "table[k].generation == generation and table[k].key == key", "table[k].key == key",
        _names(TRANSPOSITIONS, "another_generation_sees_nothing"),
    ),
    Mutant(
        15, "a resume without the optimizer", "training/learner.py",
        '        self.optimizer.load_state_dict({"state": moments, "param_groups": groups})\n',
        "        assert groups\n",
        _names(LEARNER, "a_resumed_learner_goes_on_to_the_same_bits"),
    ),
    Mutant(
        15, "a resume that draws anew", "training/replay.py",
        '        self._random.bit_generator.state = json.loads(bytes(state["random"]).decode())\n', "",
        _names(REPLAY, "a_resumed_memory_draws_the_same_and_goes_on_the_same"),
    ),
    Mutant(
        15, "a resume whose games begin anew", "training/loop.py",
        '            table.load_state_dict(checkpoint.as_arrays(checkpoint.load_part(folder, f"games-{i}")))\n',
        "            assert table.games is not None, i\n",
        (f"{RESUME}::test_a_stopped_run_goes_on_bit_for_bit[1]",),
    ),
    Mutant(
        15, "games of a lost try kept", "training/loop.py",
        'ChunkWriter(self.run / GAMES_FILE, int(state["games_bytes"]))', "ChunkWriter(self.run / GAMES_FILE)",
        _names(RESUME, "what_was_played_after_the_checkpoint_is_played_again"),
    ),
    Mutant(
        16, "old rows never dropped", "training/replay.py",
        "        self._first = first\n", "        self._first = min(self._first, first)\n",
        _names(FAULTS_OF_TRAINING, "16_a_replay_does_not_grow"),
    ),
    Mutant(
        17, "each row with the position after its move", "training/targets.py",
        "    positions = history[:-1][game.full]\n", "    positions = history[1:][game.full]\n",
        _names(TARGETS, "a_row_holds_the_search_of_its_own_position"),
    ),
    Mutant(
        17, "each row with the values after its move", "training/auxiliary.py",
        "        averages[ply] = total / known if known else 0\n",
        "        averages[ply - 1] = total / known if known else 0\n",
        _names(AUXILIARY, "the_values_to_come_by_hand"),
    ),
    Mutant(
        18, "the search's value left out of the target", "training/targets.py",
        "        outcome = (1 - q_share) * outcome + q_share * searched\n",
        "        assert searched.shape == outcome.shape\n",
        _names(TARGETS, "the_search_has_its_share_of_the_target"),
    ),
    Mutant(
        18, "blunders told of the opponent", "training/blunders.py",
        "signs * (white[:-1] - white[1:])", "signs * (white[1:] - white[:-1])",
        _names(BLUNDERS, "a_mate_that_was_not_seen_is_a_gain", "the_losses_are_those_of_the_boards"),
    ),
    Mutant(
        19, "PUCT's exploration without the root", "agents/search/select.py",
        "settings.c_init) * math.sqrt(n)", "settings.c_init) * n",
        _names(FAULTS_OF_SEARCH, "19_puct_and_gumbel_are_those_of_the_papers"),
    ),
    Mutant(
        19, "Gumbel's values in [-1, 1]", "agents/search/gumbel.py",
        "        score = keys[k] + scale * 0.5 * (completed_q(edge, untried) + 1.0)\n",
        "        score = keys[k] + scale * completed_q(edge, untried)\n",
        _names(FAULTS_OF_SEARCH, "19_puct_and_gumbel_are_those_of_the_papers"),
    ),
    Mutant(
        19, "halving by three", "agents/search/gumbel.py",
        "head.halved // 2", "head.halved // 3",
        _names(ROOT, "halving_shares_the_simulations_out_as_the_paper_says"),
    ),
    Mutant(
        20, "a window of the first rows for ever", "training/replay.py",
        "max(self.config.window_min, int(self.config.growth * self.total))", "self.config.window_min",
        _names(REPLAY, "the_window_grows_with_the_rows_seen"),
    ),
    Mutant(
        20, "rows trained on again and again", "training/loop.py",
        "        self._debt += self.config.learner.reuse * len(rows)\n",
        "        self._debt += 9 * self.config.learner.reuse * len(rows)\n",
        _names(FAULTS_OF_TRAINING, "20_no_row_is_trained_on_more_often_than_reuse_allows"),
    ),
    Mutant(
        21, "one side's settings told for both", "training/ledger.py",
        "Side.of(players[1], known[1])", "Side.of(players[0], known[1])",
        _names(FAULTS_OF_TRAINING, "21_a_match_tells_the_settings_each_side_played_with"),
    ),
    Mutant(
        22, "all draws under one name", "training/loggers.py",
        '    return f"draw_{Termination(game.termination).name.lower()}"\n',
        '    return f"draw_{Termination(4).name.lower()}"\n',
        _names("tests/training/test_loggers.py", "draws_are_told_apart_and_all_ends_make_one"),
    ),
    Mutant(
        22, "an alarm that looks at cut games alone", "training/endings.py",
        "for kind, won in self._late if not won)", 'for kind, won in self._late if not won and kind == "TRUNCATED")',
        _names(ENDINGS, "the_alarm_tells_the_kinds_of_draws"),
    ),
    Mutant(
        22, "all games from the array", "training/selfplay.py",
        "            if self.rng.random() < self.config.endings_share:\n", "            if self.rng.random() < 0:\n",
        _names(FAULTS_OF_TRAINING, "22_games_begin_in_many_ways"),
    ),
)  # fmt: skip
