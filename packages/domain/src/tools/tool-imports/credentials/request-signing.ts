import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { readText } from '../draft/reading.ts';

/** HTTP authentication schemes whose value is computed for each request, so that no stored secret can be sent as it is. */
const HTTP_SCHEMES: Readonly<Record<string, string>> = {
  digest: 'HTTP Digest',
  hoba: 'HTTP HOBA',
  mutual: 'HTTP Mutual',
  hawk: 'Hawk',
  negotiate: 'Negotiate',
  ntlm: 'NTLM',
  oauth: 'OAuth 1.0',
  dpop: 'DPoP',
  vapid: 'VAPID',
  gnap: 'GNAP',
  signature: 'HTTP signatures',
  aws: 'AWS Signature Version 2',
  sharedkey: 'Azure Shared Key',
  sharedkeylite: 'Azure Shared Key',
};

const COMPUTED_SCHEME = /(?:^|-)hmac(?:-|$)|^scram-/;

/** The signing scheme that the word of an HTTP authentication scheme names; undefined if a stored secret can be sent. */
export const readSigningWord = (word: string): string | undefined => {
  const plain = word.toLowerCase();
  if (Object.hasOwn(HTTP_SCHEMES, plain)) return HTTP_SCHEMES[plain];
  if (plain.startsWith('aws4')) return 'AWS Signature Version 4';
  return COMPUTED_SCHEME.test(plain) ? `HTTP ${plain.slice(0, 40)}` : undefined;
};

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\bsig(?:nature)?[ _-]?v(?:ersion)?[ _-]?4|\baws4|\bsigv4a?\b|amazon signature|\baws signature/i, 'AWS Signature Version 4'],
  [/\bhmac/i, 'HMAC'],
  [/\boauth[ _-]?1(?:\.0a?)?(?![\d.])/i, 'OAuth 1.0'],
  [/\bdigest (?:auth|access)|\bdigest_?auth/i, 'HTTP Digest'],
  [/\bhawk\b/i, 'Hawk'],
  [/\bshared[ _-]?key(?:[ _-]?lite)?\b/i, 'Azure Shared Key'],
  [/\bedge[ _-]?grid\b/i, 'Akamai EdgeGrid'],
  [
    /\bsigned requests?\b|\brequest sign(?:ing|ature)|\bsign(?:s|ed|ing)? (?:each|every|the|your|all) requests?\b/i,
    'a signature of each request',
  ],
];

/** The signing scheme that a text names; undefined if it names none. */
export const readSigningText = (text: string): string | undefined => TEXTS.find(([pattern]) => pattern.test(text.slice(0, 2_000)))?.[1];

const SIGNATURE_FIELD =
  /(?:^|[-_])(?:signature|hmac)(?:$|[-_])|^digest$|^x[-_](?:amz|goog)[-_](?:algorithm|credential|date|signature|signedheaders|security[-_]token|content[-_]sha256)$/i;

/** True for a header or query parameter that a signing scheme computes for each request. */
export const isSignatureField = (name: string): boolean => SIGNATURE_FIELD.test(name);

/** A name in camel case or with underscores as words, so that `awsHmac` and `aws_hmac` read alike. */
const inWords = (name: string): string => name.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');

/** Returns the signing scheme that a security scheme of type `apiKey` represents; undefined if it is a key that can be sent. */
export const readSigningKey = (name: string, scheme: JsonObject): string | undefined => {
  if (/sigv4/i.test(readText(scheme['x-amazon-apigateway-authtype']))) return 'AWS Signature Version 4';
  const field = readText(scheme.name);
  if (isSignatureField(field)) return 'a signature of each request';
  const isAuthorization = field.toLowerCase() === 'authorization';
  const named = inWords(name.slice(0, 200));
  return readSigningText(isAuthorization ? `${named} ${readText(scheme.description)}` : named);
};
