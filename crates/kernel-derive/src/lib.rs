//! Derives for the frames and choices of `adjutant-kernel`.
