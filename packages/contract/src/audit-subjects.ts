import type { IdNoun } from './tables/ids.ts';

/** What an audit event can be about, by the noun of its identifier. Readers meet new ones with new releases. */
export const AUDIT_SUBJECTS = [
  'action',
  'agent',
  'api_key',
  'approval',
  'credential',
  'delegation',
  'environment',
  'exchange_rate',
  'invitation',
  'member',
  'notification',
  'notification_channel',
  'organization',
  'passport',
  'policy',
  'policy_invariant',
  'role',
  'session',
  'sso_connection',
  'tool',
  'user',
  'webhook_subscription',
  'workspace',
] as const satisfies readonly IdNoun[];

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];
