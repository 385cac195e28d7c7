import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { isFinal } from '@svc/domain/agents/agents/final-status.ts';
import { type PublishedPlatformKey, platformJwk } from '@svc/keyring/sealed/platform-key.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readSignedPassport } from './verify-passport.ts';

type Exporting = CallContext & { readonly agentId: string; readonly reason: string | undefined };

const UNKNOWN_KEY = 'The key that signed the passport is retired. Renew the passport, then export it.';

/** Returns the current passport with the key that verifies it, for verification where this service cannot be reached. */
export const exportPassport = async (
  { tx, emit }: Change<'passport.exported'>,
  { scope, now, agentId, reason }: Exporting,
  keys: { readonly published: readonly PublishedPlatformKey[] },
) => {
  const { organization_id } = scope;
  const agent = await findAgent(tx, organization_id, agentId);
  if (!agent) return buildRefusal('NOT_FOUND');
  if (isFinal(agent.status)) return buildRefusal('GONE', `The agent is ${agent.status}, and its passport with it.`);
  const passport = await findCurrentPassport(tx, organization_id, agent.id);
  if (!passport) return buildRefusal('NOT_FOUND');
  const read = readSignedPassport(passport.token, keys, now);
  if (isRefusal(read)) return buildRefusal('GONE', UNKNOWN_KEY);
  const data = { agent_id: agent.id, version: passport.version, ...(reason === undefined ? {} : { reason }) };
  emit('passport.exported', { ...about.passport(passport, agent), data });
  return { passport, key: platformJwk(read.key), exported_at: now.toISOString() };
};
