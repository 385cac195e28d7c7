import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { isFinal } from '@svc/domain/agents/agents/final-status.ts';
import type { PassportClaims } from '@svc/domain/agents/agents/passport-claims.ts';
import { type PublishedPlatformKey, platformJwk } from '@svc/keyring/sealed/platform-key.ts';
import { verifyPassport as verifyToken } from '@svc/keyring/tokens/passport.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';

/** Keys whose signatures are accepted, the newest first. */
type Keys = { readonly published: readonly PublishedPlatformKey[] };

/** Returns the claims of a passport with the key that signed it; the refusal of the last key if none did. */
export const readSignedPassport = (token: string, { published }: Keys, now: Date) => {
  let refused = buildRefusal('PASSPORT_INVALID', 'The passport was not signed by this service.');
  for (const key of published) {
    const claims = verifyToken(token, platformJwk(key), now.getTime());
    if (!isRefusal(claims)) return { claims, key };
    refused = claims;
  }
  return refused;
};

const isSame = (claims: PassportClaims, agent: { readonly id: string; readonly environment_id: string }): boolean =>
  claims.agent_id === agent.id && claims.environment_id === agent.environment_id;

/** Verifies a passport of an agent of the caller's organization. For other organizations it is as invalid as one that does not exist. */
export const verifyPassport = async (
  { tx, emit }: Change<'passport.verified'>,
  { scope, now, passport }: CallContext & { readonly passport: string },
  keys: Keys,
) => {
  const { organization_id } = scope;
  const read = readSignedPassport(passport, keys, now);
  if (isRefusal(read)) return read;
  const { claims } = read;
  const agent = claims.organization_id === organization_id ? await findAgent(tx, organization_id, claims.agent_id) : undefined;
  if (!agent || !isSame(claims, agent))
    return buildRefusal('PASSPORT_INVALID', 'There is no agent with this passport in the organization.');
  if (isFinal(agent.status)) return buildRefusal('PASSPORT_INVALID', `The agent is ${agent.status}, and its passport with it.`);
  const current = await findCurrentPassport(tx, organization_id, agent.id);
  if (current === undefined || current.version !== claims.version || current.token !== passport)
    return buildRefusal('PASSPORT_INVALID', 'The passport was replaced by a newer version.', { version: current?.version ?? null });
  const { name, status } = agent;
  const { version, capabilities, public_key_thumbprint, issued_at, expires_at, environment_id } = claims;
  emit('passport.verified', { ...about.passport(current, agent), data: { agent_id: agent.id, version, expires_at } });
  return {
    ...{ id: current.id, agent_id: agent.id, name, status, organization_id, environment_id, version },
    ...{ capabilities: [...capabilities], public_key_thumbprint, issued_at, expires_at, verified_at: now.toISOString() },
  };
};
