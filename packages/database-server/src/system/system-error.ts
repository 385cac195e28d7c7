/** Returns true if a system call failed for one of these reasons, so that a catch handles only what it expects. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
