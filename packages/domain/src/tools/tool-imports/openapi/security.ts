import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { PLAIN_FORM, readDescribedForm } from '../credentials/authorization-form.ts';
import { combineWantedCredentials } from '../credentials/combine-wanted-credentials.ts';
import { readSigningKey, readSigningText, readSigningWord } from '../credentials/request-signing.ts';
import { isMembers, readList, readMembers, readText, toLine } from '../draft/reading.ts';
import { resolved } from '../schema/resolve-reference.ts';
import type { Api } from './api.ts';

export type Security = {
  readonly credentials: readonly WantedCredential[];
  readonly notes: readonly string[];
  readonly scopes: readonly string[];
};

/** From the most suitable for programs to those that require a person. */
const FLOWS = ['clientCredentials', 'authorizationCode', 'password', 'implicit'] as const;
const FLOW_WORDS = {
  clientCredentials: 'CLIENT_CREDENTIALS',
  authorizationCode: 'AUTHORIZATION_CODE',
  password: 'PASSWORD',
  implicit: 'IMPLICIT',
} as const;

export type WantedSecurity = WantedCredential | { readonly unsent: string };

const urlText = (value: unknown, server: string): { url?: string } => {
  const url = URL.parse(readText(value).slice(0, 1_000), `${server}/`);
  return url === null || readText(value) === '' ? {} : { url: url.href };
};

const ofOauth = (name: string, scheme: JsonObject, scopes: readonly string[], server: string): WantedCredential => {
  const flows = readMembers(scheme.flows);
  const flow = FLOWS.find((each) => isMembers(flows[each]));
  const chosen = readMembers(flow && flows[flow]);
  const { url: token_url } = urlText(chosen.tokenUrl, server);
  const { url: authorization_url } = urlText(chosen.authorizationUrl, server);
  const oauth = {
    ...(flow ? { flow: FLOW_WORDS[flow] } : {}),
    ...(token_url ? { token_url } : {}),
    ...(authorization_url ? { authorization_url } : {}),
  };
  return { scheme: 'OAUTH', name, placement: {}, scopes: [...scopes], oauth };
};

const signing = (name: string, scheme: string): WantedSecurity => ({
  unsent: `${name} is request signing (${scheme}), which is not supported`,
});

/** A key in the header `Authorization`, with the word before it that its description states. */
export const readAuthorization = (name: string, description: string): WantedSecurity => {
  const signed = readSigningText(description);
  if (signed !== undefined) return signing(name, signed);
  return { name, ...(readDescribedForm(description) ?? PLAIN_FORM), scopes: [] };
};

const ofApiKey = (name: string, scheme: JsonObject): WantedSecurity => {
  const parameter = truncateText(readText(scheme.name), 100);
  if (parameter === '') return { unsent: `${name} does not declare the name of its key` };
  const signed = readSigningKey(name, scheme);
  if (signed !== undefined) return signing(name, signed);
  if (scheme.in === 'query') return { scheme: 'QUERY', name, placement: { parameter }, scopes: [] };
  if (scheme.in === 'cookie') return { unsent: `${name} is a cookie, and tool calls send no cookies` };
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(parameter)) return { unsent: `${name} has no valid header name` };
  if (parameter.toLowerCase() === 'authorization') return readAuthorization(name, readText(scheme.description));
  return { scheme: 'HEADER', name, placement: { header: parameter }, scopes: [] };
};

const ofHttp = (name: string, scheme: JsonObject): WantedSecurity => {
  const word = readText(scheme.scheme).toLowerCase();
  if (word === 'bearer') return { scheme: 'BEARER', name, placement: {}, scopes: [] };
  if (word === 'basic') return { scheme: 'BASIC', name, placement: {}, scopes: [] };
  const signed = readSigningWord(word);
  return signed === undefined ? { unsent: `${name} is HTTP ${toLine(word, 20)}, which is not supported` } : signing(name, signed);
};

const wantedOf = (api: Api, written: string, scopes: readonly string[], server: string): WantedSecurity => {
  const name = toLine(written, 80);
  const schemes = readMembers(readMembers(api.root.components).securitySchemes);
  const found = resolved(Object.hasOwn(schemes, written) ? schemes[written] : undefined, api.resolve);
  const scheme = 'value' in found ? readMembers(found.value) : {};
  if (scheme.type === 'http') return ofHttp(name, scheme);
  if (scheme.type === 'apiKey') return ofApiKey(name, scheme);
  if (scheme.type === 'oauth2') return ofOauth(name, scheme, scopes, server);
  if (scheme.type === 'openIdConnect') return { scheme: 'OAUTH', name, placement: {}, scopes: [...scopes], oauth: {} };
  if (scheme.type === 'mutualTLS') return { unsent: `${name} is a client certificate, and tool calls send none` };
  return { unsent: `${name} is not declared in the document` };
};

const CREDENTIALS_MAX = 8;
const SCOPES_MAX = 20;

/** Finds the credentials of an operation, of which each alone is enough. A note names those that cannot be sent. */
export const readCredentials = (api: Api, operation: JsonObject, server: string): Security => {
  const asked = (Array.isArray(operation.security) ? operation.security : readList(api.root.security)).map(readMembers);
  const credentials = new Map<string, WantedCredential>();
  const notes = new Set<string>();
  const all = new Set<string>();
  for (const alternative of asked) {
    const names = Object.keys(alternative);
    const scopes = (name: string) =>
      readList(alternative[name])
        .map((scope) => toLine(scope, 120))
        .slice(0, SCOPES_MAX);
    for (const scope of names.flatMap(scopes)) all.add(scope);
    const each = names.map((name) => wantedOf(api, name, scopes(name), server));
    const sendable = each.filter((wanted): wanted is WantedCredential => !('unsent' in wanted));
    for (const wanted of each) if ('unsent' in wanted) notes.add(`A credential cannot be sent: ${wanted.unsent}.`);
    const isWhole = sendable.length === names.length;
    const together = names.length > 1 && isWhole ? combineWantedCredentials(sendable) : undefined;
    if (names.length > 1 && together === undefined)
      notes.add(`It requires ${names.map((name) => toLine(name, 40)).join(' and ')} together, which one credential cannot send.`);
    // Without the part that cannot be sent, the others are refused too.
    for (const wanted of together !== undefined ? [together] : isWhole ? sendable : []) {
      const key = JSON.stringify([wanted.scheme, wanted.placement, wanted.extras, wanted.scopes]);
      if (credentials.has(key) || credentials.size < CREDENTIALS_MAX) credentials.set(key, wanted);
      else notes.add(`It requires more credentials than the ${CREDENTIALS_MAX} that are listed.`);
    }
  }
  if (asked.length === 0 && !isMembers(readMembers(api.root.components).securitySchemes))
    notes.add('The document does not declare how calls authenticate.');
  return { credentials: [...credentials.values()], notes: [...notes], scopes: [...all] };
};
