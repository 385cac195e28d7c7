/** What the load generator is asked for. Each lane is one connection with one request in flight. */
export type Job = {
  readonly port: number;
  /** The requests of each lane, whole as they go over the wire. */
  readonly lanes: readonly (readonly Uint8Array[])[];
  /** Sends the requests of a lane over and over for this long; each once when left out. */
  readonly forMs?: number;
  /** What the body of each right answer holds. */
  readonly proof: string;
  /** Stands in each request where a number goes that no request had before. */
  readonly unique?: string;
};

export type JobReport = {
  readonly answered: number;
  readonly wrong: number;
  /** The first wrong answer as it came. */
  readonly complaint: string | null;
  readonly tookMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The last right answer. */
  readonly sample: Uint8Array;
  readonly sampleHeadLength: number;
};

/** Where the bare server parses the request and serialises its answer. */
export const JSON_ECHO_PATH = '/json';

/** HTTP/1.1 as it goes over the wire. */
export const httpRequest = (path: string, body: unknown, token?: string, idempotencyKey?: string): Buffer => {
  const text = JSON.stringify(body);
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  const key = idempotencyKey === undefined ? '' : `idempotency-key: ${idempotencyKey}\r\n`;
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${authorization}${key}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
};
