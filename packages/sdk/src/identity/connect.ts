import { type GatewayConnection, isUnauthorized, withToken } from '../exchange/call-gateway.ts';
import { withDeadline } from '../exchange/deadline.ts';
import { newDpopProver } from '../exchange/dpop-prover.ts';
import { exchange, type GatewayTransport } from '../exchange/exchange.ts';
import { retryTransient } from '../exchange/retrying.ts';
import { newServiceClock } from '../exchange/service-clock.ts';
import { createTokenCache } from '../exchange/token-holder.ts';
import type { Handshake } from '../wire/answers.ts';
import type { CallOptions, GovernanceOptions, SideError } from '../wire/options.ts';
import { type Grant, isHandshakeAnswer, isTokenAnswer } from '../wire/read-answers.ts';
import { isObject } from '../wire/read-members.ts';
import { PATHS } from '../wire/wire-format.ts';
import { createFixedAudience, createPublishedAudience } from './audience.ts';
import { importPrivateKey } from './import-private-key.ts';
import { type Identity, presentAssertion } from './present-assertion.ts';

type OnError = (failure: SideError) => void;

/** One agent at one gateway. */
export type AgentSession = GatewayConnection & {
  readonly agentId: string;
  readonly handshake: (options: CallOptions) => Promise<Handshake>;
  readonly logout: (options: CallOptions) => Promise<void>;
  /** Opens another session of the agent, with a token of its own, in the named flow context. Throws TypeError for an invalid name. */
  readonly inContext: (context: string) => AgentSession;
  /** Returns a hook that may throw without effect: the given one, or the client's own. */
  readonly tell: (given: OnError | undefined) => OnError;
};

const DEFAULT_TIMEOUT_MS = 30_000;

const readUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('gatewayUrl must be an http or https URL without user, query or fragment.');
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
};

const readAgentId = (text: string): string => {
  if (typeof text !== 'string' || !/^agt_[0-9A-Za-z]{1,60}$/.test(text)) throw new TypeError('agentId must be the id of an agent, agt_...');
  return text;
};

const readContext = (text: string): string => {
  if (typeof text === 'string' && /^[A-Za-z0-9._:-]{1,64}$/.test(text)) return text;
  throw new TypeError('The id of a context must be 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore, colon and hyphen.');
};

const readWhole = (name: string, given: number | undefined, otherwise: number): number => {
  const value = given ?? otherwise;
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name} must be an integer of at least 1.`);
  return value;
};

const tellingOf =
  (clientOnError: OnError | undefined) =>
  (given: OnError | undefined): OnError =>
  (failure) => {
    const hook = given ?? clientOnError;
    // A failing hook does not affect the caller.
    Promise.resolve(failure)
      .then(hook)
      .then(undefined, () => {});
  };

const isRevoked = (json: unknown): json is { readonly revoked: boolean } => isObject(json) && typeof json.revoked === 'boolean';

/** A token that the gateway no longer accepts means that the session has ended. */
const endSession = async (transport: GatewayTransport, token: string, signal: AbortSignal): Promise<void> => {
  try {
    await exchange(transport, withToken({ method: 'POST', path: PATHS.logout, body: '{}' }, token), isRevoked, signal);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
  }
};

/** Removes the token, which is never exposed. */
const withoutGrant = ({ token: _token, token_type: _type, expires_in: _seconds, ...rest }: Grant & Handshake): Handshake => rest;

/** State that the sessions of a client share. */
type Shared = Pick<GatewayConnection, 'transport' | 'clock' | 'timeoutMs'> & {
  readonly identity: Identity;
  readonly localMs: () => number;
  readonly tell: AgentSession['tell'];
};

const readOptions = (options: GovernanceOptions): Shared => {
  const agentId = readAgentId(options.agentId);
  const timeoutMs = readWhole('timeoutMs', options.timeoutMs, DEFAULT_TIMEOUT_MS);
  const localMs = options.clock ?? Date.now;
  const clock = newServiceClock(localMs);
  const dpop = newDpopProver({ nowMs: clock.nowMs, isRequired: options.dpop === true, signInPaths: [PATHS.token, PATHS.handshake] });
  const transport: GatewayTransport = {
    url: readUrl(options.gatewayUrl),
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    dpop,
  };
  const audience =
    options.audience === undefined ? createPublishedAudience(transport, timeoutMs, localMs) : createFixedAudience(options.audience);
  const keyGeneration = readWhole('keyGeneration', options.keyGeneration, 1);
  const identity: Identity = { agentId, keyGeneration, key: importPrivateKey(options.privateKey), audience, clock };
  return { transport, clock, timeoutMs, identity, localMs, tell: tellingOf(options.onError) };
};

const openSession = (shared: Shared): AgentSession => {
  const { transport, clock, timeoutMs, identity, localMs, tell } = shared;
  const tokens = createTokenCache({
    nowMs: localMs,
    mint: () =>
      withDeadline(timeoutMs, undefined, async (deadline) => {
        const { data } = await presentAssertion(transport, identity, PATHS.token, isTokenAnswer, deadline);
        return data;
      }),
    onRenewalError: (error) => tell(undefined)({ error, during: 'renewal' }),
  });
  const connection: GatewayConnection = { transport, tokens, clock, timeoutMs };
  return {
    ...connection,
    agentId: identity.agentId,
    tell,
    inContext: (context) => openSession({ ...shared, identity: { ...identity, context: readContext(context) } }),
    handshake: (call) =>
      withDeadline(call.timeoutMs ?? timeoutMs, call.signal, async (deadline) => {
        const askedAtMs = localMs();
        const { data } = await presentAssertion(transport, identity, PATHS.handshake, isHandshakeAnswer, deadline);
        tokens.adopt(data, askedAtMs);
        return withoutGrant(data);
      }),
    logout: async (call) => {
      const token = tokens.current();
      if (token === undefined) return;
      await withDeadline(call.timeoutMs ?? timeoutMs, call.signal, (deadline) =>
        retryTransient(deadline, () => endSession(transport, token, deadline.signal)),
      );
      tokens.discard(token);
    },
  };
};

/** Opens the client of one agent; throws TypeError for an invalid option. */
export const connect = (options: GovernanceOptions): AgentSession => openSession(readOptions(options));
