/** Bounds that both ends keep. A peer that exceeds one is disconnected with a sentence that names it. */

/** Longest JSON header of a frame, in bytes. */
export const MAX_HEADER_BYTES = 8 * 1024 * 1024;

/** Longest data part of a frame, in bytes. */
export const MAX_DATA_BYTES = 64 * 1024 * 1024;

/** Most norm layers one run may announce; further ones are named in the status, not captured. */
export const MAX_LAYERS = 4096;

/** Most samples of one batch that get their own mean and variance. */
export const MAX_SAMPLES = 4096;

/** Longest text (layer name, path, message) that is kept, in UTF-16 code units. */
export const MAX_TEXT = 4096;

/** Most training processes connected at once. */
export const MAX_CONNECTIONS = 64;

/** A connection that has not sent its token after this time is closed, in milliseconds. */
export const TOKEN_TIMEOUT_MS = 5_000;

/** Most features of a layer whose covariance is taken. */
export const MAX_COVARIANCE_FEATURES = 1024;

/** Most rows of a tensor that deep capture sends as they are. */
export const MAX_RAW_ROWS = 4096;

/** Most callers of one module that are told apart; a module called more often is one layer. */
export const MAX_CALLS = 8;
