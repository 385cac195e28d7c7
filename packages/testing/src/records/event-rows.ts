import { leafDigits } from '@svc/keyring/log/merkle.ts';
import { newEventRows } from '@svc/postgres/recorder/event-rows.ts';

/** Events as the recorder of a plane sends them. */
export const eventRows = newEventRows(leafDigits);
export const leafHash = leafDigits;
export { eventLeafHash } from '@svc/keyring/log/audit-log.ts';
