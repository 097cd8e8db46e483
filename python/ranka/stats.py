"""The laboratory's statistics."""

from ranka._ranka import (
    binomial_test,
    chi_square,
    clopper_pearson,
    elo_of,
    holm,
    rank_correlation,
    ratings,
    score_of,
    sign_test,
    sprt_test,
    wilson,
)

__all__ = [
    "binomial_test",
    "chi_square",
    "clopper_pearson",
    "elo_of",
    "holm",
    "rank_correlation",
    "ratings",
    "score_of",
    "sign_test",
    "sprt_test",
    "wilson",
]
