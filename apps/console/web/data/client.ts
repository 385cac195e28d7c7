import { createControlClient } from '@svc/client/client.ts';
import { cookieTransport } from '@svc/client/transports/cookie.ts';

/** Transport of every request of the pages: the session is in a cookie, and this page alone keeps its CSRF token. */
export const transport = cookieTransport();

/** The control plane, one method per operation. Pages do not retry on their own; people do. */
export const client = createControlClient({ transport, retries: 0 });
