"""Self-play training: config, self-play, replay, learner, checkpoints, evaluation."""
