import { randomBytes } from 'node:crypto';

export type Case = { readonly name: string; readonly query: Readonly<Record<string, string>> };

const never = randomBytes(8).toString('hex');
const filtered = (name: string, query: Case['query']): Case => ({ name, query });

/** Returns each filter for common, rare and missing values. */
export const getCases = (some: {
  readonly request_id: string;
  readonly subject_id: string;
  readonly invoice: string;
  readonly actor_id: string;
  readonly occurred_at: string;
}): readonly Case[] => [
  filtered('no filter', {}),
  filtered('type, common', { type: 'action.allowed' }),
  filtered('type, 1 in 10,000', { type: 'policy.activated' }),
  filtered('type, 1 in a million', { type: 'organization.updated' }),
  filtered('type, none', { type: 'agent.revoked' }),
  filtered('actor_id, 1 in 200', { actor_id: some.actor_id }),
  filtered('actor_id, 1 in 500,000', { actor_id: 'agt_000000000000000000000RARE' }),
  filtered('actor_id, none', { actor_id: `agt_${never}` }),
  filtered('actor_type, rare', { actor_type: 'USER' }),
  filtered('actor_type, none', { actor_type: 'API_KEY' }),
  filtered('subject_id, one', { subject_id: some.subject_id }),
  filtered('subject_id, none', { subject_id: `act_${never}` }),
  filtered('severity, 1 in 50', { severity: 'warning' }),
  filtered('severity, 1 in 50,000', { severity: 'critical' }),
  filtered('workspace_id, none', { workspace_id: `wsp_${never}` }),
  filtered('environment_id, none', { environment_id: `env_${never}` }),
  filtered('request_id, one', { request_id: some.request_id }),
  filtered('request_id, none', { request_id: `req_${never}` }),
  filtered('from and to, one hour', { from: some.occurred_at, to: new Date(Date.parse(some.occurred_at) + 3_600_000).toISOString() }),
  filtered('q, common', { q: 'refund' }),
  filtered('q, 1 in 100,000', { q: 'reconciliation' }),
  filtered('q, two words, 1 in 100,000', { q: 'quarterly recon' }),
  filtered('q, one event', { q: some.invoice }),
  filtered('q, an identifier', { q: some.subject_id }),
  filtered('q, none', { q: `nothing${never}` }),
  filtered('q, none, short', { q: 'zzqxy' }),
  filtered('q and type, none', { q: 'reconciliation', type: 'policy.activated' }),
  filtered('severity and actor, rarely together', { severity: 'critical', actor_id: some.actor_id }),
];
