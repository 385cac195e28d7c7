import type { IncomingHttpHeaders } from 'node:http';

const FROM_HERE: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/** True if a page of another site navigates a browser here without a click (Fetch Metadata); programs send neither header. */
export const isSentByOthers = (headers: IncomingHttpHeaders): boolean =>
  !FROM_HERE.has(headers['sec-fetch-site']) && headers['sec-fetch-user'] !== '?1';
