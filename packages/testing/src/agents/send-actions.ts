import { connect } from 'node:net';

export type SentActions = {
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds of each response, in the order of arrival. */
  readonly tookMs: readonly number[];
};

type ActionLoad = {
  readonly gatewayUrls: readonly string[];
  /** Access tokens; each connection uses one after the other. */
  readonly tokens: readonly string[];
  readonly body: object;
  /** Requests in total. */
  readonly count: number;
  readonly connections: number;
};

const HEAD_END = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;

const buildRequest = (token: string, body: object): Buffer => {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  return Buffer.from(
    `POST /gateway/v1/actions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${length}${HEAD_END}${text}`,
  );
};

/** Returns the status of a complete response; undefined while it is incomplete. */
const readStatus = (bytes: Buffer): number | undefined => {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`A response without content-length: ${head}`);
  return bytes.length < headEnd + HEAD_END.length + Number(length) ? undefined : Number(head.slice(STATUS_AT, STATUS_AT + 3));
};

/**
 * Sends the same action many times over kept connections, one request in flight on each. It costs a fraction of what a client of the API
 * does, so that hundreds of thousands can be sent in a test.
 */
export const sendActions = async ({ gatewayUrls, tokens, body, count, connections }: ActionLoad): Promise<SentActions> => {
  const requests = tokens.map((token) => buildRequest(token, body));
  const statuses = new Map<number, number>();
  const tookMs: number[] = [];
  let sent = 0;
  const run = (lane: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: Number(new URL(gatewayUrls[lane % gatewayUrls.length] ?? '').port),
        noDelay: true,
      });
      let received: Buffer = Buffer.alloc(0);
      let sentAt = 0;
      const sendNext = (): void => {
        if (sent >= count) {
          socket.destroy();
          return resolve();
        }
        received = Buffer.alloc(0);
        sentAt = performance.now();
        socket.write(requests[sent % requests.length] ?? '');
        sent += 1;
      };
      socket.on('connect', sendNext);
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const status = readStatus(received);
        if (status === undefined) return;
        tookMs.push(performance.now() - sentAt);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        sendNext();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The gateway closed a connection.')));
    });
  await Promise.all(Array.from({ length: connections }, (_, lane) => run(lane)));
  return { statuses, tookMs };
};
