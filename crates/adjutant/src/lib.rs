//! Play board wargames by their real rules.
