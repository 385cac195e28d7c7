import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';

export type BucketManner = 'stores' | 'redirects' | 'takes no conditions' | 'loses its answer';

/** A store that verifies S3 signatures with AWS's own signer, and writes no object twice. */
export type BucketPeer = {
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly manner: { of: BucketManner };
  readonly objects: Map<string, string>;
  readonly close: () => Promise<void>;
};

const REGION = 'eu-test-1';
const keys = { accessKeyId: 'AKIATESTSONLY', secretAccessKey: 'kept/by+the=tests' };

/** A hash in the signer's interface, keyed if it gets a key. */
function Sha256(this: unknown, secret?: string | Uint8Array) {
  const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  return { update: (bytes: string | Uint8Array) => void hash.update(bytes), digest: async () => new Uint8Array(hash.digest()) };
}

const signer = new SignatureV4({
  service: 's3',
  region: REGION,
  credentials: keys,
  uriEscapePath: false,
  sha256: Sha256 as never,
});

const UNSIGNED = new Set(['authorization', 'connection', 'content-length', 'accept', 'accept-encoding', 'user-agent']);

/** True if the request is signed by the key, over everything that it claims to sign. */
const isSigned = async (request: IncomingMessage, body: string): Promise<boolean> => {
  const signature = request.headers.authorization ?? '';
  const names = new Set(/SignedHeaders=([^,]+)/.exec(signature)?.[1]?.split(';'));
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(request.headers['x-amz-date'])) ?? [];
  const [, year, month, day, hour, minute, second] = date;
  const signingDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (names.has(name) && !UNSIGNED.has(name) ? [[name, String(value)]] : [])),
  );
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return false;
  if (Math.abs(signingDate.getTime() - Date.now()) > 900_000) return false;
  const { 'x-amz-date': _, ...others } = headers;
  const again = await signer.sign(
    { method: request.method ?? '', protocol: 'http:', hostname: '127.0.0.1', path: request.url ?? '', headers: others, body },
    { signingDate },
  );
  return again.headers.authorization?.replaceAll(' ', '') === signature.replaceAll(' ', '');
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

export const startBucket = async (): Promise<BucketPeer> => {
  const [objects, manner] = [new Map<string, string>(), { of: 'stores' as BucketManner }];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [body, path] = [await readText(request), request.url ?? ''];
    if (manner.of === 'redirects') return void response.writeHead(307, { location: `/elsewhere${path}` }).end();
    if (!(await isSigned(request, body))) return void response.writeHead(403).end('SignatureDoesNotMatch');
    const kept = objects.get(path);
    if (request.method === 'GET') return void response.writeHead(kept === undefined ? 404 : 200).end(kept);
    if (manner.of === 'takes no conditions') return void response.writeHead(501).end('NotImplemented');
    if (request.headers['if-none-match'] === '*' && kept !== undefined) return void response.writeHead(412).end('PreconditionFailed');
    objects.set(path, body);
    if (manner.of === 'loses its answer') return void request.socket.destroy();
    response.writeHead(200).end();
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ ...keys, manner, objects },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export const BUCKET_REGION = REGION;
