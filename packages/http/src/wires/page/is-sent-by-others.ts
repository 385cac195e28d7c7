import type { IncomingHttpHeaders } from 'node:http';

const FROM_HERE: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/** Whether a page of another site leads a browser here by itself, where nobody clicked (Fetch Metadata); a program says neither. */
export const isSentByOthers = (headers: IncomingHttpHeaders): boolean =>
  !FROM_HERE.has(headers['sec-fetch-site']) && headers['sec-fetch-user'] !== '?1';
