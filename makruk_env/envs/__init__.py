"""The faces of the game for reinforcement learning libraries; PettingZoo and Gymnasium are imported here only."""
