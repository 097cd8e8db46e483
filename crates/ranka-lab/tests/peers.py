"""Writes what scipy and statsmodels answer to `peers.json`, which `peers.rs` compares with: `python3 peers.py > peers.json`.

Needs `pip install scipy statsmodels`; the file says which versions answered.
"""

import json
import random

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

rng = random.Random(22)
COUNTS = [(0, 1), (1, 1), (0, 10), (3, 10), (5, 10), (10, 10), (33, 50), (502, 1000), (9_950, 10_000), (50_400, 100_000)]
COUNTS += [(rng.randint(0, n), n) for n in (2, 7, 23, 80, 200, 400, 2_100, 20_000)]


def values(n, kind):
    """Scores of games, or any numbers."""
    return [rng.choice([0.0, 0.5, 1.0]) if kind == "scores" else round(rng.gauss(3, 2), 3) for _ in range(n)]


def listed(pair):
    return [float(end) for end in pair]


answers = []
for k, n in COUNTS:
    for level in (0.9, 0.95, 0.99):
        for name, method in (("wilson", "wilson"), ("clopper_pearson", "beta")):
            ends = listed(proportion_confint(k, n, 1 - level, method))
            answers.append({"of": name, "successes": k, "trials": n, "level": level, "interval": ends})
    for share in (0.5, 0.1, 0.763):
        p = {side: float(stats.binomtest(k, n, share, side).pvalue) for side in ("two-sided", "greater", "less")}
        answers.append({"of": "binomial", "successes": k, "trials": n, "share": share, **p})
for (k1, n1), (k2, n2) in zip(COUNTS[2:], COUNTS[3:]):
    z, p = proportions_ztest([k1, k2], [n1, n2])
    ends = listed(confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff"))
    answers.append({"of": "proportions", "one": [k1, n1], "other": [k2, n2], "z": float(z), "p": float(p), "interval": ends})
for n1, n2, kind in [(2, 2, "any"), (5, 9, "any"), (40, 30, "scores"), (300, 500, "scores"), (1000, 20, "any")]:
    one, other = values(n1, kind), values(n2, kind)
    welch, alone = stats.ttest_ind(one, other, equal_var=False), stats.ttest_1samp(one, 0.5)
    rank = stats.spearmanr(one[: min(n1, n2)], other[: min(n1, n2)])
    row = {"of": "means", "one": one, "other": other, "t": float(welch.statistic), "p": float(welch.pvalue)}
    row |= {"interval": listed(welch.confidence_interval(0.95)), "t_half": float(alone.statistic), "p_half": float(alone.pvalue)}
    if min(n1, n2) > 2:
        row |= {"rho": float(rank.statistic), "p_rho": float(rank.pvalue)}
    answers.append(row)
for observed, shares in [([33, 17], [1, 1]), ([315, 108, 101, 32], [9, 3, 3, 1]), ([5, 90, 5], [0.1, 0.7, 0.2]), ([4000, 4200], [0.5, 0.5])]:
    expected = numpy.array(shares) / sum(shares) * sum(observed)
    found = stats.chisquare(observed, expected)
    answers.append({"of": "chi_square", "observed": observed, "shares": shares, "statistic": float(found.statistic), "p": float(found.pvalue)})
for n in (1, 3, 8, 20):
    p = [round(rng.random() ** 3, 6) for _ in range(n)]
    answers.append({"of": "holm", "p": p, "corrected": listed(multipletests(p, method="holm")[1])})
for z in (-8.0, -3.0, -1.96, -0.1, 0.0, 0.5, 2.5758, 6.0):
    answers.append({"of": "normal", "z": z, "below": float(stats.norm.cdf(z))})

versions = {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__}
rows = ",\n".join(json.dumps(answer) for answer in answers)
print(f'{{"versions": {json.dumps(versions)}, "answers": [\n{rows}\n]}}')
