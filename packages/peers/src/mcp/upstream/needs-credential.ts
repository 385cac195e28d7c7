/** Reads what a server that refused a request asks for: its challenge (RFC 9110) and its protected resource metadata (RFC 9728). */
import type { McpConnection } from './connection.ts';
import type { NeedsCredential } from './failures.ts';
import { type AnswerText, answerText, isMembers, parseJson } from './messages.ts';

const METADATA_BYTES_MAX = 65_536;
const METADATA_MS = 4_000;
const SCOPES_MAX = 50;
const TEXT_CHARS_MAX = 2_048;

const REMEDY = 'Connect a credential for this server, then list its tools again.';

/** Returns a parameter of the challenge; undefined if it is not there. */
const challengeParameter = (challenge: string, name: 'resource_metadata' | 'scope'): string | undefined => {
  for (const [, key, quoted, token] of challenge.matchAll(/\b([a-z_]{1,32})=(?:"([^"\\]{0,2048})"|([^\s",]{1,2048}))/giu))
    if (key?.toLowerCase() === name) return quoted ?? token;
  return undefined;
};

const isScope = (text: unknown): text is string => typeof text === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/.test(text);

const readScopes = (challenged: string | undefined, listed: unknown): readonly string[] | undefined => {
  const scopes = (challenged === undefined ? (Array.isArray(listed) ? listed : []) : challenged.split(' ')).filter(isScope);
  return scopes.length === 0 ? undefined : scopes.slice(0, SCOPES_MAX);
};

/** Addresses of the metadata, all of the server's own origin. */
const metadataUrls = (server: URL, stated: string | undefined): readonly string[] => {
  if (stated !== undefined) return URL.parse(stated)?.origin === server.origin ? [stated] : [];
  const wellKnown = `${server.origin}/.well-known/oauth-protected-resource`;
  return server.pathname === '/' ? [wellKnown] : [wellKnown + server.pathname, wellKnown];
};

const readIssuer = (servers: unknown): string | undefined => {
  const [first] = Array.isArray(servers) ? servers : [];
  if (typeof first !== 'string' || first.length > TEXT_CHARS_MAX) return undefined;
  const protocol = URL.parse(first)?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? first : undefined;
};

const fetchMetadata = async ({ send, remainingMs }: McpConnection, url: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const result = await send({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    timeoutMs: Math.min(METADATA_MS, remainingMs()),
    responseBytesMax: METADATA_BYTES_MAX,
  });
  if (result.kind !== 'answered' && result.kind !== 'answered_large') return undefined;
  const answer = answerText(result);
  if (typeof answer === 'string' || answer.status !== 200 || !answer.isJson) return undefined;
  const document = parseJson(answer.text);
  return isMembers(document) ? document : undefined;
};

/** Explains a challenge. Metadata is read from the server's own origin only, even if the challenge states another. */
export const explainChallenge = async (connection: McpConnection, { status, headers }: AnswerText): Promise<NeedsCredential> => {
  const challenge = (headers['www-authenticate'] ?? '').slice(0, 4 * TEXT_CHARS_MAX);
  const stated = challengeParameter(challenge, 'resource_metadata');
  const server = new URL(connection.url);
  const urls = metadataUrls(server, stated);
  const scope = challengeParameter(challenge, 'scope');
  const isForeign = stated !== undefined && urls.length === 0;
  const opening =
    status === 403
      ? 'The server refused the credential: it lacks a scope.'
      : 'The server asks for a credential, or does not accept the one it got.';
  const foreign = isForeign ? ' Its metadata address is on another origin and was not read.' : '';
  for (const metadataUrl of urls) {
    const document = await fetchMetadata(connection, metadataUrl);
    if (document === undefined) continue;
    const [issuer, scopes] = [readIssuer(document.authorization_servers), readScopes(scope, document.scopes_supported)];
    const resource = typeof document.resource === 'string' ? document.resource.slice(0, TEXT_CHARS_MAX) : undefined;
    const other = resource === undefined || resource === connection.url ? '' : ' Its metadata names another resource than its address.';
    return {
      kind: 'NEEDS_CREDENTIAL',
      explanation: `${opening}${other} ${REMEDY}`,
      metadataUrl,
      ...(issuer === undefined ? {} : { issuer }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(resource === undefined ? {} : { resource }),
    };
  }
  const scopes = readScopes(scope, undefined);
  return { kind: 'NEEDS_CREDENTIAL', explanation: `${opening}${foreign} ${REMEDY}`, ...(scopes === undefined ? {} : { scopes }) };
};
