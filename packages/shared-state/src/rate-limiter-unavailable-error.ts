/**
 * Thrown if the shared store did not count a use, so that the request must not continue: callers refuse with 503.
 * Carries the error code of the system, and nothing of the connection's address or password.
 */
export class RateLimiterUnavailableError extends Error {
  readonly code: string;
  constructor(reason: string, code: string) {
    super(`The store of the rate limiter did not count a use: ${reason}`);
    this.name = 'RateLimiterUnavailableError';
    this.code = code;
  }
}
