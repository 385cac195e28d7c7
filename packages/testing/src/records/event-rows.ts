import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
import { recordDigest } from '@svc/keyring/log/record-digest.ts';
import { newEventRows } from '@svc/postgres/recorder/event-rows.ts';
import { TEST_AUTHENTICATOR } from '../database/master-key.ts';

/** Formats events like the recorder of a plane. */
export const eventRows = newEventRows(TEST_AUTHENTICATOR);
export const digestDocument = recordDigest;

/** Returns the leaf of an event as a verifier computes it, in hex. */
export const getEventLeaf = (event: AuditEvent): string => eventLeafHash(event).toString('hex');
