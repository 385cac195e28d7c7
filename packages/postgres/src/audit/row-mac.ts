import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { type EventAuthenticator, getEventAuthenticator } from '../connection/event-authenticator.ts';
import { asAuditEvent, type StoredEventRow } from './as-audit-event.ts';

/** The leaf hash of an event, hex digits. */
export const computeLeafHash = ({ leafHash }: Pick<EventAuthenticator, 'leafHash'>, { sequence: _, ...stated }: AuditEvent): string =>
  leafHash(canonicalJson(stated));

/** The MAC of an event row as it is read back. */
export const macOfRow = (authenticator: EventAuthenticator, row: StoredEventRow): string =>
  authenticator.mac(row.organization_id, row.id, computeLeafHash(authenticator, asAuditEvent(row)));

/** Returns true if an event row, as it is read back, is what the service wrote. */
export const hasValidMac = (connection: object, row: StoredEventRow, mac: string | null): boolean => {
  if (mac === null) return false;
  const authenticator = getEventAuthenticator(connection);
  return authenticator.isAuthentic(row.organization_id, row.id, computeLeafHash(authenticator, asAuditEvent(row)), mac);
};
