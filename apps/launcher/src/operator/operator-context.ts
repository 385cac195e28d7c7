import { hostname, userInfo } from 'node:os';
import { ID_PREFIXES } from '@svc/contract/tables/ids.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import type { ChangeContext } from '@svc/postgres/change/change.ts';
import { ulid } from 'ulid';

const newId = (noun: 'request' | 'audit_event', now: Date): string => `${ID_PREFIXES[noun]}_${ulid(now.getTime(), randomFraction)}`;

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** A change by a command of this machine: nobody signed in, so the audit events name the command and the account that ran it. */
export const operatorContext = (command: 'break-glass' | 'admin', organizationId: string, now: Date): ChangeContext => ({
  scope: { organization_id: organizationId },
  actor: { type: 'SYSTEM', id: command, name: `${accountName()}@${hostname()}` },
  requestId: newId('request', now),
  traceId: randomHex(16),
  now,
  newEventId: () => newId('audit_event', now),
});
