/** Parts of a request in addition to the method and the path. */
export type TestCallOptions = {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
};

export type TestResponse = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly text: string;
};

/** Drops the salted digests of records, which differ in each event and which no test compares by value; `text` contains them. */
const withoutDigests = (name: string, value: unknown): unknown => (name === 'record_digests' ? undefined : value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text, withoutDigests);
  } catch {
    return undefined;
  }
};

/** Reads a response; of an endless stream only the first heartbeat. */
const readText = async (response: Response): Promise<string> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value).split('\n\n')[0] ?? '';
};

/** Sends one HTTP request; any status is a response. */
export const call = async (base: string, method: string, path: string, options: TestCallOptions = {}): Promise<TestResponse> => {
  const { token, body, headers, raw, signal } = options;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${base}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    ...(signal ? { signal } : {}),
  });
  const text = await readText(response);
  return { status: response.status, headers: response.headers, json: parsed(text), text };
};

/** Returns the error code of a response, or its status as text. */
export const getCode = ({ status, json }: Pick<TestResponse, 'status' | 'json'>): string => json?.error?.code ?? String(status);

/** Sends a request of a test's setup; throws unless it succeeds. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const mustCall = async (base: string, method: string, path: string, options: TestCallOptions = {}): Promise<any> => {
  const answer = await call(base, method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.json;
};
