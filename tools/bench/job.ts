/** A job of the load generator. Each lane is one connection with one request in flight. */
export type LoadJob = {
  readonly port: number;
  /** The raw requests of each lane. */
  readonly lanes: readonly (readonly Uint8Array[])[];
  /** Repeats the requests of a lane for this long; without it each is sent once. */
  readonly forMs?: number;
  /** Contained in the body of each right response. */
  readonly proof: string;
  /** Placeholder in each request for a unique number. */
  readonly unique?: string;
};

export type JobReport = {
  readonly answered: number;
  readonly wrong: number;
  /** The first wrong response as received. */
  readonly complaint: string | null;
  readonly tookMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The last right response. */
  readonly sample: Uint8Array;
  readonly sampleHeadLength: number;
};

/** Path on which the bare server parses the request and serializes its response. */
export const JSON_ECHO_PATH = '/json';

/** Builds a raw HTTP/1.1 request. */
export const buildHttpRequest = (path: string, body: unknown, token?: string, idempotencyKey?: string): Buffer => {
  const text = JSON.stringify(body);
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  const key = idempotencyKey === undefined ? '' : `idempotency-key: ${idempotencyKey}\r\n`;
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${authorization}${key}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
};
