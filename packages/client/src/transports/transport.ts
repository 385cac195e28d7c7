/** One HTTP request to a plane, without credentials. */
export type TransportRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
};

/** Sends requests to one plane and adds the credential. Rejects where no response comes back. */
export type Transport = {
  readonly send: (request: TransportRequest) => Promise<Response>;
  /** Receives each JSON result, for transports that learn from them. */
  readonly observe?: (result: unknown) => void;
};

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Base address without a trailing slash. Throws a TypeError if it is not an http or https address. */
export const baseAddress = (url: string): string => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`"${url}" is not a valid service address. Use an http or https URL such as https://governance.example.com.`);
  }
  return url.replace(/\/$/, '');
};
