import type { GraphqlCall } from '@svc/contract/tools/call-terms.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import { formatPointer } from '../json-pointer.ts';
import { carriesSecret, hideSecretLooks, type SecretPosition } from '../secret-looks.ts';

/** Receives the JSON Pointer below the tool of each position with a secret. */
type Found = (pointer: string) => void;

const ALONE = /^\{[^{}]*\}$/;

const hideTexts = (texts: Readonly<Record<string, string>>, part: 'headers' | 'query', found: Found): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const place = part === 'headers' ? 'header' : 'query';
      const hidden = carriesSecret(name, place) ? MASKED : hideSecretLooks(text, place, MASKED);
      if (hidden !== text) found(formatPointer(['execution', part, name]));
      return [name, hidden];
    }),
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
};

/** A pair of a query as it is written, `name=value`. */
const hidePair = (pair: string): string => {
  const [name = '', ...rest] = pair.split('=');
  const value = rest.join('=');
  if (value === '') return pair;
  const plain = decoded(value);
  const isHidden = carriesSecret(decoded(name), 'query') || hideSecretLooks(plain, 'query', MASKED) !== plain;
  return isHidden ? `${name}=${MASKED}` : pair;
};

const hidePath = (path: string): string => {
  const plain = decoded(path);
  const hidden = hideSecretLooks(plain, 'path', MASKED);
  return hidden === plain ? path : hidden;
};

const QUERY_EXPRESSION = /\{[?&]([^{}]*)\}/g;

const namesSecretPair = (url: string): boolean =>
  [...url.matchAll(QUERY_EXPRESSION)].some(([, names = '']) => names.split(',').some((name) => carriesSecret(name, 'query')));

const hideUrl = (url: string, found: Found): string => {
  const [path = '', ...query] = url.split(/(?<!\{)\?/);
  const pairs = query.join('?');
  const hidden = [hidePath(path), ...(query.length === 0 ? [] : [pairs.split('&').map(hidePair).join('&')])].join('?');
  if (hidden !== url || namesSecretPair(url)) found('/execution/url');
  return hidden;
};

/** A secret that an action is about, such as the password of a new user, comes as a parameter; one written out is the caller's own. */
const isWrittenOut = (value: unknown): boolean => typeof value === 'string' && value !== '' && !ALONE.test(value);

const BODY_PLACE: SecretPosition = 'body';

const hideBody = (value: unknown, path: readonly string[], found: Found): unknown => {
  if (typeof value === 'string') {
    const hidden = hideSecretLooks(value, BODY_PLACE, MASKED);
    if (hidden !== value) found(formatPointer(path));
    return hidden;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => hideBody(item, [...path, String(index)], found));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const at = [...path, name];
      if (!isWrittenOut(member) || !carriesSecret(name, BODY_PLACE)) return [name, hideBody(member, at, found)];
      found(formatPointer(at));
      return [name, MASKED];
    }),
  );
};

/** A name is matched from its first character alone, so that the time is linear in the length of the document. */
const WRITTEN_ARGUMENT = /(?<![_0-9A-Za-z])([_A-Za-z][_0-9A-Za-z]*)(\s*:\s*)"((?:[^"\\\n]|\\.)+)"/g;

/** A GraphQL document may contain a secret as a literal argument, too. */
const hideGraphql = (graphql: GraphqlCall, found: Found): GraphqlCall => {
  const query = graphql.query.replace(WRITTEN_ARGUMENT, (whole, name: string, colon: string) =>
    carriesSecret(name, BODY_PLACE) ? `${name}${colon}"${MASKED}"` : whole,
  );
  if (query !== graphql.query) found('/execution/graphql/query');
  return hideBody({ ...graphql, query }, ['execution', 'graphql'], found) as GraphqlCall;
};

/** An execution as it may be shown: nothing in it that by its name or its look is a secret. */
export const hideExecutionSecrets = (execution: ToolExecution, found: Found = () => undefined): ToolExecution => ({
  ...execution,
  url: hideUrl(execution.url, found),
  ...(execution.headers === undefined ? {} : { headers: hideTexts(execution.headers, 'headers', found) }),
  ...(execution.query === undefined ? {} : { query: hideTexts(execution.query, 'query', found) }),
  ...(execution.graphql === undefined ? {} : { graphql: hideGraphql(execution.graphql, found) }),
  ...(execution.body === undefined ? {} : { body: hideBody(execution.body, ['execution', 'body'], found) }),
});
