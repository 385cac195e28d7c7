import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { authenticatorOf, type EventAuthenticator } from '../connection/event-authenticator.ts';
import { asAuditEvent, type EventRow } from './as-audit-event.ts';

/** The leaf hash of an event, hex digits. */
export const leafHashOf = ({ leafHash }: Pick<EventAuthenticator, 'leafHash'>, { sequence: _, ...stated }: AuditEvent): string =>
  leafHash(canonicalJson(stated));

/** The MAC of an event row as it is read back. */
export const macOfRow = (authenticator: EventAuthenticator, row: EventRow): string =>
  authenticator.mac(row.organization_id, row.id, leafHashOf(authenticator, asAuditEvent(row)));

/** Returns true if an event row, as it is read back, is what the service wrote. */
export const hasValidMac = (connection: object, row: EventRow, mac: string | null): boolean => {
  if (mac === null) return false;
  const authenticator = authenticatorOf(connection);
  return authenticator.isAuthentic(row.organization_id, row.id, leafHashOf(authenticator, asAuditEvent(row)), mac);
};
