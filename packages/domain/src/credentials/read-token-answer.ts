import { LIMITS } from '@svc/contract/tables/limits.ts';
import { failureOfCode, type TokenFailure } from './token-failures.ts';

const { credentials, oauth } = LIMITS;

/** Tokens issued by a token endpoint (RFC 6749, section 5.1). */
export type GivenTokens = {
  readonly access_token: string;
  /** Undefined if the sent refresh token stays valid. */
  readonly refresh_token: string | undefined;
  readonly expiresInSeconds: number;
  readonly scope: string | null;
};

export type TokenAnswer = { readonly tokens: GivenTokens } | { readonly failure: TokenFailure };

/** Returns true for a text that a header can contain unchanged, up to the maximum length of a token. */
const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= oauth.tokenCharsMax && /^[\u0021-\u007e]+$/.test(value);

/** A shorter one could not be distinguished from other text when a service echoes it. */
const isAccessToken = (value: unknown): value is string => isToken(value) && value.length >= credentials.secretCharsMin;

const getSeconds = (value: unknown): number => {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds, oauth.lifetimeSecondsMax)
    : oauth.otherwiseSeconds;
};

const getScope = (value: unknown): string | null =>
  typeof value === 'string' && /^[\u0020-\u007e]+$/.test(value) ? value.slice(0, oauth.scopeCharsMax) : null;

const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * Reads what a token endpoint answered, and believes nothing of it but tokens that can be sent. Some servers refuse with status 200; tokens that
 * come with it are taken all the same, since a server that rotates gives them out once.
 */
export const readTokenAnswer = (status: number, body: string): TokenAnswer => {
  if (status >= 500) return { failure: 'failing' };
  if (status >= 300 && status < 400) return { failure: 'redirect' };
  const answer = readObject(body);
  if (typeof answer?.error === 'string' && !(status < 300 && isAccessToken(answer.access_token)))
    return { failure: failureOfCode(answer.error) };
  if (status >= 400) return { failure: status === 429 ? 'failing' : 'other' };
  if (answer === undefined || !isAccessToken(answer.access_token)) return { failure: 'unusable' };
  const { access_token, refresh_token, expires_in, scope, token_type } = answer;
  const isRenewed = refresh_token !== undefined && refresh_token !== null && refresh_token !== '';
  if (isRenewed && !isToken(refresh_token)) return { failure: 'unusable' };
  // A token of a type with a proof must not be sent as a bearer token (RFC 6749, section 7.1). Other types are tolerated: Slack uses `bot`.
  if (typeof token_type === 'string' && /^(dpop|mac|pop)$/i.test(token_type)) return { failure: 'unusable' };
  const renewed = isRenewed ? refresh_token : undefined;
  return { tokens: { access_token, refresh_token: renewed, expiresInSeconds: getSeconds(expires_in), scope: getScope(scope) } };
};
