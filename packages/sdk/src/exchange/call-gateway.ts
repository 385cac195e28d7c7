import { GovernanceError } from '../wire/errors.ts';
import type { CallOptions } from '../wire/options.ts';
import { withDeadline } from './deadline.ts';
import { writeAuthorization } from './dpop-prover.ts';
import { exchange, type GatewayRequest, type GatewayTransport } from './exchange.ts';
import { retryTransient } from './retrying.ts';
import type { ServiceClock } from './service-clock.ts';
import type { TokenHolder } from './token-holder.ts';

/** State that every call with a token needs. */
export type GatewayConnection = {
  readonly transport: GatewayTransport;
  readonly tokens: TokenHolder;
  readonly clock: ServiceClock;
  readonly timeoutMs: number;
};

export const withToken = (request: GatewayRequest, token: string): GatewayRequest => ({
  ...request,
  headers: { ...request.headers, authorization: writeAuthorization(token) },
});

export const isUnauthorized = (error: unknown): boolean => error instanceof GovernanceError && error.status === 401;

/**
 * Makes one call as the agent. A refused token is replaced once; a second refusal is thrown. Transient failures are retried within the
 * timeout of the call, so the request must be idempotent; a failure that `isFinal` is thrown unchanged.
 */
export const callGateway = <Result>(
  { transport, tokens, timeoutMs }: GatewayConnection,
  request: GatewayRequest,
  understands: (json: unknown) => json is Result,
  options: CallOptions & { readonly isFinal?: (error: unknown) => boolean },
): Promise<Result> =>
  withDeadline(options.timeoutMs ?? timeoutMs, options.signal, (deadline) => {
    let replaced = false;
    const failuresOfMinting = new Set<unknown>();
    const takeToken = async (): Promise<string> => {
      try {
        return await tokens.take(deadline.signal);
      } catch (error) {
        failuresOfMinting.add(error);
        throw error;
      }
    };
    const attempt = async (): Promise<Result> => {
      const token = await takeToken();
      try {
        return await exchange(transport, withToken(request, token), understands, deadline.signal);
      } catch (error) {
        if (replaced || !isUnauthorized(error)) throw error;
        replaced = true;
        tokens.discard(token);
        return attempt();
      }
    };
    // The token request has already been retried; repeating that would multiply.
    return retryTransient(deadline, attempt, (error) => failuresOfMinting.has(error) || options.isFinal?.(error) === true);
  });
