#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes scipy_fixture.json: what SciPy says about data that the tests rebuild.

    python3 make_scipy_fixture.py > scipy_fixture.json     (SciPy 1.17.1, NumPy 2)

SciPy draws other random numbers than we do, so its results agree within Monte-Carlo error only;
the exact ones agree to rounding.
"""
import json

import numpy as np
from scipy import stats

rng = np.random.default_rng(20240817)


def case(name, differences, exact):
    resamples = np.inf if exact else 99999
    p = stats.permutation_test((differences,), np.sum, permutation_type="samples",
                               alternative="two-sided", n_resamples=resamples,
                               random_state=np.random.default_rng(1)).pvalue
    ci = stats.bootstrap((differences,), np.mean, method="percentile", n_resamples=99999,
                         batch=1000, random_state=np.random.default_rng(2)).confidence_interval
    return {"name": name, "exact": exact, "differences": [float(d) for d in differences],
            "p": float(p), "low": float(ci.low), "high": float(ci.high)}


ranks = rng.integers(1, 30, size=(2, 150))
gains = np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0.0)
cases = [
    case("exact gaussian", np.round(rng.normal(0.15, 0.4, 14), 6), True),
    case("exact hits", np.array([1.0] * 10 + [-1.0] * 3), True),
    case("ndcg of one relevant document", np.round(gains[0] - gains[1] + 0.03, 6), False),
    case("gaussian", np.round(rng.normal(0.04, 0.3, 200), 6), False),
    case("hits", rng.choice([-1.0, 0.0, 1.0], size=300, p=[0.1, 0.75, 0.15]), False),
]
print(json.dumps({"scipy": __import__("scipy").__version__, "cases": cases}, indent=1))
