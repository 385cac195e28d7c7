import { createServer, type RequestListener, type Server } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { boundConnections, type ConnectionBounds } from './bound-connections.ts';
import { closeUnread, type UnreadBounds } from './close-unread.ts';
import { noteOpen } from './let-go.ts';
import { applyBackpressure } from './one-at-a-time.ts';
import { BoundedRequest, stopReading } from './stop-reading.ts';

/** Timeouts of the headers, and of the whole request; a slower client is disconnected. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const LOOK_FOR_SLOW_EVERY_MS = 2_000;
/** Idle time of a connection without requests. */
const KEEP_ALIVE_MS = 72_000;

/** Creates an HTTP server whose connections are bounded, individually and together, in time, bytes and number. */
export const newServer = (handle: RequestListener, bounds: ConnectionBounds, unread: UnreadBounds = LIMITS.connections): Server => {
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_FOR_SLOW_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      IncomingMessage: BoundedRequest,
    },
    applyBackpressure(handle),
  );
  // One more, so that a single excess header gets the standard refusal; many more make the request unreadable.
  server.maxHeadersCount = LIMITS.connections.headersMax + 1;
  server.setTimeout(unread.unreadMs);
  stopReading(server, unread.unreadMs);
  const open = boundConnections(server, bounds);
  noteOpen(server, open);
  closeUnread(server, open, unread);
  return server;
};
