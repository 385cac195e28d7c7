import type { Deadline } from '../exchange/deadline.ts';
import { exchange, type GatewayTransport } from '../exchange/exchange.ts';
import { retryTransient } from '../exchange/retrying.ts';
import type { ServiceClock } from '../exchange/service-clock.ts';
import { GovernanceError } from '../wire/errors.ts';
import type { Grant } from '../wire/read-answers.ts';
import type { Audience } from './audience.ts';
import type { SigningKey } from './import-private-key.ts';
import { getSdkIdentity } from './sdk-identity.ts';
import { signAssertion } from './sign-assertion.ts';

/** Everything that authenticates the agent. */
export type Identity = {
  readonly agentId: string;
  readonly keyGeneration: number;
  readonly key: SigningKey;
  readonly audience: Audience;
  readonly clock: ServiceClock;
  readonly context?: string | undefined;
};

/** Applies the remedy of a failure that a new assertion can fix; each is tried once. */
const readCure = async (
  { dpop }: GatewayTransport,
  { clock, audience }: Identity,
  error: unknown,
  signedFor: string,
  deadline: Deadline,
): Promise<string | undefined> => {
  if (!(error instanceof GovernanceError)) return undefined;
  if (error.code === 'TIMESTAMP_OUT_OF_WINDOW') return clock.correct(error.details.server_time) ? 'time' : undefined;
  if (error.code === 'NONCE_REPLAYED') return 'nonce';
  if (error.details.oauth_error === 'invalid_dpop_proof' && dpop?.isRequired() === false) {
    // The agent is held to proofs of possession.
    dpop.require();
    return 'proof';
  }
  const mayHaveMoved = error.code === 'AGENT_AUTHENTICATION_FAILED';
  return mayHaveMoved && (await audience.hasMoved(signedFor, deadline)) ? 'audience' : undefined;
};

/** Sends assertions to `path` until one is accepted or finally refused. Each attempt signs a new one: no assertion is sent twice. */
export const presentAssertion = async <Result extends { readonly data: Pick<Grant, 'token_type'> }>(
  transport: GatewayTransport,
  identity: Identity,
  path: string,
  understands: (json: unknown) => json is Result,
  deadline: Deadline,
): Promise<Result> => {
  const cured = new Set<string>();
  // Only a client that proves possession of the key can use a token that is bound to it.
  const accepts = (json: unknown): json is Result =>
    understands(json) && (json.data.token_type === 'Bearer' || transport.dpop?.isRequired() === true);
  const present = async (): Promise<Result> => {
    const { agentId, keyGeneration, key, clock, context } = identity;
    const audience = await identity.audience.read(deadline);
    transport.dpop?.useAddress(audience);
    const assertion = await signAssertion(key, { agentId, keyGeneration, audience, nowMs: clock.nowMs(), context });
    const body = JSON.stringify({ agent_id: agentId, assertion, sdk: getSdkIdentity() });
    try {
      return await exchange(transport, { method: 'POST', path, body }, accepts, deadline.signal);
    } catch (error) {
      const cure = await readCure(transport, identity, error, audience, deadline);
      if (cure === undefined || cured.has(cure)) throw error;
      cured.add(cure);
      return present();
    }
  };
  return retryTransient(deadline, present);
};
