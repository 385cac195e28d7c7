/**
 * The shared store did not count a use, so nobody may go on: callers refuse with 503.
 * Carries the system's own code where there is one, and nothing of the connection's address or password.
 */
export class RateLimiterUnavailableError extends Error {
  readonly code: string;
  constructor(reason: string, code: string) {
    super(`The store of the rate limiter did not count a use: ${reason}`);
    this.name = 'RateLimiterUnavailableError';
    this.code = code;
  }
}
