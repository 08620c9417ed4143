"""Old name of `hookwright.store.estimate`; removed in the next release."""

from hookwright.store import estimate as _new
from hookwright.store.estimate import *  # noqa: F403

expected = _new.expected_value
learned = _new.fit_samples
prior = _new.prior_belief
t_above = _new.student_t_tail
under = _new.child_prior
updated = _new.update_belief
