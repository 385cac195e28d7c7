import { HEADERS } from '@svc/contract/tables/wire-name.ts';

export type ApiError = {
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
  readonly request_id?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};
export type Answer<Body> = { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly error: ApiError };

const NO_ANSWER: ApiError = { code: 'NO_ANSWER', message: 'The service did not answer. Is it still running?' };

/** The token of the session against forged requests; told with the session, and kept by this page alone. */
const kept: { csrf: string | undefined } = { csrf: undefined };

type Told = { readonly csrf_token?: unknown };

const noteToken = (body: unknown): void => {
  const { csrf_token } = (body ?? {}) as Told;
  if (typeof csrf_token === 'string') kept.csrf = csrf_token;
};

const asJson = async (response: Response): Promise<unknown> => response.json();

const ask = async <Body>(path: string, init: RequestInit, body: unknown, read = asJson): Promise<Answer<Body>> => {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const response = await fetch(path, { ...init, headers: { ...init.headers, ...type }, ...content });
    if (response.ok) return { ok: true, body: (await read(response)) as Body };
    const told = (await response.json()) as { readonly error?: ApiError };
    return { ok: false, error: told.error ?? NO_ANSWER };
  } catch {
    return { ok: false, error: NO_ANSWER };
  }
};

const ownHeaders = () => ({ [HEADERS.ownPage]: '1', ...(kept.csrf === undefined ? {} : { [HEADERS.csrf]: kept.csrf }) });

/** Asks the plane that this page comes from; the session is in a cookie that no script reads. */
export const call = async <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => {
  const answer = await ask<Body>(path, { method, headers: ownHeaders(), credentials: 'same-origin' }, body);
  if (answer.ok) noteToken(answer.body);
  return answer;
};

/** The same where the answer is a file, of whatever length: the browser keeps it, and no script reads it. */
export const callForFile = (method: string, path: string, body?: unknown): Promise<Answer<Blob>> =>
  ask(path, { method, headers: ownHeaders(), credentials: 'same-origin' }, body, (response) => response.blob());

type AsProgram = { readonly token?: string; readonly body?: unknown };

/** The same as a program would, without cookie: a session that it opens is told, and this browser does not get it. */
export const callAsProgram = <Body>(method: string, path: string, { token, body }: AsProgram): Promise<Answer<Body>> =>
  ask(path, { method, headers: token === undefined ? {} : { authorization: `Bearer ${token}` }, credentials: 'omit' }, body);
