/** Told where a password was short enough for beside a second factor, and the last factor was removed while it was hashed. */
export const FACTOR_GONE = 'Use at least 15 characters: the second factor beside which fewer would do was removed meanwhile.';
