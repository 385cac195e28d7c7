import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import { ID_PREFIXES, type IdNoun, type IdOf } from '@svc/contract/tables/ids.ts';
import { randomFraction } from '@svc/keyring/bytes/random-fraction.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import type { Posting } from '@svc/operations/people/mail/post-mail.ts';
import type { ChangeContext } from '@svc/postgres/change/change.ts';
import { ulid } from 'ulid';
import { getOperatorName } from './operator-name.ts';

const newId = <Noun extends IdNoun>(noun: Noun, now: Date): IdOf<Noun> =>
  `${ID_PREFIXES[noun]}_${ulid(now.getTime(), randomFraction)}` as IdOf<Noun>;

/** Context of a change by a command of this machine: no one is signed in, so audit events name the command and the account that ran it. */
export const createOperatorContext = (
  command: 'break-glass' | 'admin' | 'subscription',
  organizationId: string,
  now: Date,
): ChangeContext => ({
  scope: { organization_id: organizationId },
  actor: { type: 'SYSTEM', id: command, name: getOperatorName() },
  requestId: newId('request', now),
  traceId: randomHex(16),
  now,
  newEventId: () => newId('audit_event', now),
});

/** Returns the sender data for mails of a command on this machine; the worker sends them. */
export const getOperatorSender = (masterKey: KeyObject, now: Date): { readonly mail: MailService; readonly posting: Posting } => ({
  mail: {
    kind: 'outbox',
    sealingKey: deriveKey(masterKey, 'mail-sealing'),
    digestKey: deriveKey(masterKey, 'address-digests'),
    service: hostname,
  },
  posting: { now, sourceIp: 'the machine of the service', newId: (noun) => newId(noun, now) },
});
