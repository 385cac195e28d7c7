import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { checkAssertionWindow } from '@svc/domain/agents/identity/assertion-window.ts';
import { buildAgentA2aPath } from '@svc/domain/peers/a2a/agent-a2a-path.ts';
import { type Asked, failClosed } from '@svc/enforcement/ports/fail-closed.ts';
import { type Current, loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import { signPeerToken } from '@svc/keyring/tokens/peer-token.ts';
import { isSignedByPeer, type PeerAssertion, readPeerAssertion } from '@svc/keyring/tokens/read-peer-assertion.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { findInboundTool, type InboundTool } from '../../identity/callers/authenticate-peer.ts';
import { quantizeResponseTime } from '../../identity/sign-in/on-the-beat.ts';
import { spendToken } from '../../identity/sign-in/spend-token.ts';

type Presented = {
  readonly assertion: unknown;
  /** The client id of the request, if there is one. */
  readonly clientId: string | undefined;
  /** The requested endpoint; null for the one of the agent. */
  readonly resource: string | null;
};

type Presenting = Asked & { readonly now: Date };

export type PeerRefusal = Refusal<
  | 'AGENT_AUTHENTICATION_FAILED'
  | 'TIMESTAMP_OUT_OF_WINDOW'
  | 'NONCE_REPLAYED'
  | 'A2A_CONNECTION_BLOCKED'
  | 'PASSPORT_INVALID'
  | 'RATE_LIMITED'
  | 'IDENTITY_SERVICE_UNAVAILABLE'
  | 'UNPROCESSABLE'
>;

type PeerGrant = { readonly token: string; readonly expires_in: number };

const failed = (fault?: string): PeerRefusal =>
  buildRefusal('AGENT_AUTHENTICATION_FAILED', fault, fault === undefined ? undefined : { fault });
const OTHER_CLIENT = 'client_id must be the connection that the assertion is from.';
const OTHER_RESOURCE = 'resource must be the A2A endpoint of the agent of the connection.';
const UNVERIFIED = 'The connection is not verified: the card of the remote agent has to be verified with a registered key first.';

/** True if the request or the assertion names a connection, so that it is not the sign-in of an agent. */
export const isPeerAssertion = (clientId: string | undefined, assertion: unknown): boolean => {
  if (clientId !== undefined) return isId('a2a_connection', clientId);
  return !('fault' in readPeerAssertion(assertion));
};

type Found = { readonly current: Current; readonly tool: InboundTool };

/** Finds the inbound connection of an assertion; undefined if there is none. */
const findPeer = async (deps: GatewayDeps, presenting: Presenting, connectionId: string): Promise<Found | undefined | Refusal> => {
  const home = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline, presenting, () => deps.connectionHomes(connectionId));
  if (home === undefined || isRefusal(home)) return home;
  if (home.agent_id === null) return undefined;
  const current = await loadCurrent(deps.pipeline, presenting, home.organization_id, home.agent_id);
  if (current === undefined || isRefusal(current)) return current;
  const tool = findInboundTool(current, connectionId);
  return tool && { current, tool };
};

/** Returns why a genuine assertion gets no token; undefined if it gets one. */
const unusable = ({ current, tool: { a2a } }: Found): PeerRefusal | undefined => {
  if (current.environment.is_archived) return failed();
  if (a2a.status === 'BLOCKED') return buildRefusal('A2A_CONNECTION_BLOCKED', 'The connection to the remote agent is blocked.');
  return a2a.status === 'VERIFIED' ? undefined : buildRefusal('PASSPORT_INVALID', UNVERIFIED);
};

/** Exchanges a genuine assertion for a token, and uses up its id. */
const grant = async (
  deps: GatewayDeps,
  presenting: Presenting,
  { claims }: PeerAssertion,
  found: Found,
): Promise<PeerGrant | PeerRefusal> => {
  const { current, tool } = found;
  const { connection_id, key_series } = tool.a2a;
  const spent = await spendToken(deps, connection_id);
  if (spent) return spent;
  const { organization_id, environment_id, agent_id } = current.agent;
  const used = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline, presenting, () =>
    deps.a2aTasks.useAssertion({ tenant: organization_id, connectionId: connection_id, jti: claims.jti }),
  );
  if (isRefusal(used)) return used as PeerRefusal;
  if (!used) return buildRefusal('NONCE_REPLAYED');
  const lifetimeSeconds = LIMITS.a2a.peerTokenSeconds;
  const subject = { connection_id, organization_id, environment_id, agent_id, key_series };
  const issued = { issuedAtMs: presenting.now.getTime(), lifetimeSeconds, id: newId('session') };
  return { token: signPeerToken(deps.platformKeys.keys, deps.tokenScope, subject, issued), expires_in: lifetimeSeconds };
};

/**
 * Exchanges a client assertion, signed with a registered key of an inbound connection, for a token for the endpoint of its agent. Until the
 * signature is verified, every response is the same, in the same time.
 */
export const redeemPeerAssertion = async (
  deps: GatewayDeps,
  presenting: Presenting,
  { assertion, clientId, resource }: Presented,
  audiences: readonly string[],
): Promise<PeerGrant | PeerRefusal> => {
  const startedAt = performance.now();
  const read = readPeerAssertion(assertion);
  if ('fault' in read) return quantizeResponseTime(startedAt, failed(read.fault));
  const { claims } = read;
  if (clientId !== undefined && clientId !== claims.connection_id) return quantizeResponseTime(startedAt, failed(OTHER_CLIENT));
  const found = await findPeer(deps, presenting, claims.connection_id);
  if (isRefusal(found)) return found as PeerRefusal;
  const isGenuine = found !== undefined && isSignedByPeer(read, found.tool.a2a.keys) && audiences.includes(claims.audience);
  if (!isGenuine) return quantizeResponseTime(startedAt, failed());
  const late = checkAssertionWindow(claims, presenting.now.getTime(), deps.settings.assertionWindowSeconds) ?? unusable(found);
  if (late) return late;
  const expected = deps.tokenScope.audience + buildAgentA2aPath(found.current.agent.agent_id);
  if (resource !== null && resource !== expected) return buildRefusal('UNPROCESSABLE', OTHER_RESOURCE, { oauth_error: 'invalid_target' });
  return grant(deps, presenting, read, found);
};
