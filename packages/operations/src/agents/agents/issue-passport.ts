import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import { buildPassportClaims } from '@svc/domain/agents/agents/passport-claims.ts';
import { readPublicKey } from '@svc/keyring/public-keys/read-public-key.ts';
import { signPassport } from '@svc/keyring/tokens/passport.ts';
import { updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { insertPassport } from '@svc/postgres/agents/agents/passports.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { EventDetails } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { OpenedPlatformKeys } from '../identity/load-platform-keys.ts';

const DAY_SECONDS = 86_400;

/** Signing key and settings that issue a passport. */
export type PassportIssuer = {
  readonly settings: { readonly passportLifetimeDays: number };
  readonly platformKeys: Pick<OpenedPlatformKeys, 'keys'>;
};

export type IssuedPassport = { readonly id: string; readonly version: number; readonly expires_at: string };

/** Returns the lifetime of a passport. It never outlives its agent: an offline verifier cannot ask whether the agent has ended. */
const lifetimeSeconds = ({ settings }: PassportIssuer, { expires_at }: Agent, now: Date): number => {
  const seconds = settings.passportLifetimeDays * DAY_SECONDS;
  return expires_at === null ? seconds : Math.min(seconds, (Date.parse(expires_at) - now.getTime()) / 1000);
};

/** Signs and stores the current facts of the agent as the version that its row names. */
export const issuePassport = async (
  tx: TenantTransaction,
  deps: PassportIssuer,
  organizationId: string,
  agent: Agent,
  now: Date,
): Promise<IssuedPassport> => {
  const key = readPublicKey(agent.public_key);
  if (!key.ok) throw new Error('a stored public key cannot be read');
  const subject = {
    agent_id: agent.id,
    name: agent.name,
    organization_id: organizationId,
    environment_id: agent.environment_id,
    public_key_thumbprint: key.thumbprint,
    capabilities: agent.capabilities,
    key_generation: agent.key_generation,
    version: agent.passport_version,
  };
  const claims = buildPassportClaims(subject, now.getTime(), lifetimeSeconds(deps, agent, now));
  const { issued_at, expires_at, version } = claims;
  const id = newId('passport');
  const token = signPassport(deps.platformKeys.keys, claims);
  await insertPassport(tx, { organization_id: organizationId, id, agent_id: agent.id, version, token, issued_at, expires_at });
  return { id, version, expires_at };
};

/** Issues a new version after a change of what a passport states. */
export const reissuePassport = async (
  tx: TenantTransaction,
  deps: PassportIssuer,
  organizationId: string,
  agent: Agent,
  now: Date,
): Promise<{ readonly agent: Agent; readonly passport: IssuedPassport }> => {
  const passport_version = agent.passport_version + 1;
  await updateAgentRow(tx, organizationId, agent.id, { passport_version }, now);
  const next = { ...agent, passport_version, updated_at: now.toISOString() };
  return { agent: next, passport: await issuePassport(tx, deps, organizationId, next, now) };
};

/** Builds the event of a new passport, without the passport itself. */
export const buildPassportEvent = (
  agent: Agent,
  { id, version, expires_at }: IssuedPassport,
  because?: 'renewal',
  reason?: string,
): EventDetails => ({
  ...about.passport({ id }, agent),
  data: { agent_id: agent.id, version, expires_at, ...(because && { because }), ...(reason !== undefined && { reason }) },
});
