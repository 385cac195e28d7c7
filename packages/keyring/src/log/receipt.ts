import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { LogProof } from '@svc/contract/events/audit-log.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { encodeHeader, signCompactJws } from '../tokens/compact-jws.ts';

const RECEIPT_TYPE = `${WIRE_NAME}-receipt+jws`;

/**
 * The content of a receipt: the event of the decision about an action, its inclusion proof in the signed log, and `record`: the digests of
 * the
 * action, and how its row compared with them when the receipt was created.
 */
export type Receipt = {
  readonly iss: string;
  readonly iat: number;
  readonly event: AuditEvent;
  readonly proof: LogProof;
  readonly record: Readonly<Record<string, unknown>>;
};

/** Signs a receipt as a compact JWS [RFC 7515] with the platform's signing key. */
export const signReceipt = (keys: PlatformKeys, receipt: Receipt): string =>
  signCompactJws(encodeHeader(RECEIPT_TYPE, keys.signing.kid), receipt, keys.signing.privateKey);
