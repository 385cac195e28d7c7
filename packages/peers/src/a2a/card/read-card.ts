/** Reads agent cards of Agent2Agent 1.0 as they were served. Signatures are verified elsewhere, over the texts that are returned here. */

import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { findAmbiguity } from '../../mcp/definitions/json-text.ts';
import { isMembers, parseJson, plainText } from '../../mcp/upstream/messages.ts';

/** One signature of a card: a JWS in flattened serialization, without its payload. */
export type CardSignature = { readonly protected: string; readonly signature: string };

export type ReadCard = {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly organization: string | null;
  readonly skills: string[];
  readonly url: string;
  readonly tenant: string | null;
  readonly streaming: boolean;
  readonly push_notifications: boolean;
  /** Address that signs challenges; null if the card offers none. */
  readonly challengeUrl: string | null;
  readonly signatures: readonly CardSignature[];
  /** Texts that the signature may cover: the card without its signatures, with and without empty members. */
  readonly signedTexts: readonly string[];
};

export type CardFault = { readonly check: 'CARD' | 'INTERFACE'; readonly explanation: string };

/** The extension of a card that offers to sign challenges. Its parameter `url` is the address. */
const CHALLENGE_EXTENSION = 'urn:svc:a2a:challenge';

const { cardBytesMax, cardItemsMax } = LIMITS.a2a;

const cardFault = (explanation: string): CardFault => ({ check: 'CARD', explanation });
const interfaceFault = (explanation: string): CardFault => ({ check: 'INTERFACE', explanation });

const NUMBER_CHARACTERS = new Set('+-.0123456789eE');
/** An escape of an ASCII character that needs none, behind its backslash. */
const ESCAPED_ASCII = /^u00[2-7]/u;

/** Returns the position behind the string that begins at `from`; -1 if it escapes an ASCII character that needs no escape. */
const skipString = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') {
    const isEscape = text.charAt(at) === '\\';
    if (isEscape && ESCAPED_ASCII.test(text.slice(at + 1, at + 5))) return -1;
    at += isEscape ? 2 : 1;
  }
  return at + 1;
};

const skipNumber = (text: string, from: number): number => {
  let at = from;
  while (NUMBER_CHARACTERS.has(text.charAt(at))) at += 1;
  return at;
};

/** Returns true if a number or an ASCII character of a JSON text is written in another way than canonical JSON writes it. */
const isOddlyWritten = (text: string): boolean => {
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      at = skipString(text, at);
      if (at === -1) return true;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const end = skipNumber(text, at);
      const written = text.slice(at, end);
      if (JSON.stringify(Number(written)) !== written) return true;
      at = end;
    } else at += 1;
  }
  return false;
};

/** Members that a card must have, and that programs which sign cards may leave out of the signed text if they are empty. */
const REQUIRED: ReadonlySet<string> = new Set([
  ...['description', 'capabilities', 'skills', 'tags', 'defaultInputModes', 'defaultOutputModes'],
]);

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value as object).length === 0);

/** Returns the value without empty members, as protobuf programs write it. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isMembers(value)) return value;
  const kept = Object.entries(value).map(([name, each]) => [name, withoutEmpty(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !isEmpty(each)));
};

/** Returns the name of an empty member that need not be there, and that a signature may therefore not cover. */
const findEmpty = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(findEmpty).find((found) => found !== undefined);
  if (!isMembers(value)) return undefined;
  for (const [name, each] of Object.entries(value)) {
    if (isEmpty(each) && !REQUIRED.has(name)) return name;
    const found = findEmpty(each);
    if (found !== undefined) return found;
  }
  return undefined;
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= cardItemsMax;

const readSignatures = (value: unknown): readonly CardSignature[] | undefined => {
  if (!isList(value) || value.length === 0) return undefined;
  const read = value.flatMap((each) => {
    const isRead =
      isMembers(each) &&
      typeof each.protected === 'string' &&
      typeof each.signature === 'string' &&
      Object.entries(each).every(([name, part]) => name === 'protected' || name === 'signature' || (name === 'header' && isEmpty(part)));
    return isRead ? [{ protected: each.protected as string, signature: each.signature as string }] : [];
  });
  return read.length === value.length ? read : undefined;
};

/** Returns why an address is not one of the registered host; undefined if it is. */
const addressFault = (text: unknown, cardUrl: URL): string | undefined => {
  if (typeof text !== 'string' || !URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'contains a user name or password';
  if (url.hash !== '') return 'contains a fragment';
  if (url.protocol !== cardUrl.protocol) return `does not begin with ${cardUrl.protocol}//`;
  return url.host === cardUrl.host ? undefined : `has the host ${url.host}, which is not the registered ${cardUrl.host}`;
};

const VERSION = /^1(?:\.\d{1,4}){0,2}$/u;

const readInterface = (card: JsonObject, cardUrl: URL): { url: string; tenant: string | null } | CardFault => {
  const { supportedInterfaces: all } = card;
  if (!isList(all) || all.length === 0) return interfaceFault('The card states no interface.');
  for (const each of all) {
    if (!isMembers(each)) return interfaceFault('An interface of the card is not an object.');
    const fault = addressFault(each.url, cardUrl);
    if (fault !== undefined) return interfaceFault(`The address of an interface ${fault}.`);
  }
  const usable = all.find(
    (each) =>
      isMembers(each) &&
      each.protocolBinding === 'JSONRPC' &&
      typeof each.protocolVersion === 'string' &&
      VERSION.test(each.protocolVersion),
  ) as JsonObject | undefined;
  if (usable === undefined) return interfaceFault('The card has no interface of Agent2Agent 1.0 over JSON-RPC.');
  return { url: String(usable.url), tenant: typeof usable.tenant === 'string' && usable.tenant !== '' ? usable.tenant : null };
};

/** Returns the address that signs challenges; null if the card offers none. */
const readChallenge = (card: JsonObject, cardUrl: URL): string | null | CardFault => {
  const { extensions } = isMembers(card.capabilities) ? card.capabilities : ({} as JsonObject);
  const found = isList(extensions) ? extensions.find((each) => isMembers(each) && each.uri === CHALLENGE_EXTENSION) : undefined;
  if (!isMembers(found)) return null;
  const url = isMembers(found.params) ? found.params.url : undefined;
  const fault = addressFault(url, cardUrl);
  return fault === undefined ? String(url) : interfaceFault(`The address of the challenge ${fault}.`);
};

export const isCardFault = (read: ReadCard | CardFault): read is CardFault => 'check' in read;

const textFault = (text: string): string | undefined => {
  if (Buffer.byteLength(text) > cardBytesMax) return `The card is larger than ${cardBytesMax} bytes.`;
  const value = parseJson(text);
  if (!isMembers(value)) return 'The card is not a JSON object.';
  const ambiguity = findAmbiguity(text);
  if (ambiguity !== undefined) return `The card can be read in two ways: ${ambiguity.pointer} ${ambiguity.fault}.`;
  if (isOddlyWritten(text)) return 'The card writes a number or a character in an unusual way, so that programs may read it differently.';
  const empty = findEmpty(value);
  return empty === undefined
    ? undefined
    : `The member ${plainText(empty).slice(0, 100)} of the card is empty, and a signature need not cover it. Leave it out.`;
};

/** Reads a card that was served at an address. All addresses in it must be of the same scheme, host and port. */
export const readCard = (text: string, cardUrl: URL): ReadCard | CardFault => {
  const fault = textFault(text);
  if (fault !== undefined) return cardFault(fault);
  const { signatures: signed, ...card } = JSON.parse(text) as JsonObject;
  const { name, description, version, provider, skills, capabilities } = card;
  if (typeof name !== 'string' || plainText(name) === '' || typeof version !== 'string' || plainText(version) === '')
    return cardFault('The card states no name or no version.');
  const signatures = readSignatures(signed);
  if (signatures === undefined) return cardFault('The card has no signature in the form that Agent2Agent defines.');
  const used = readInterface(card, cardUrl);
  if ('check' in used) return used;
  const challengeUrl = readChallenge(card, cardUrl);
  if (challengeUrl !== null && typeof challengeUrl !== 'string') return challengeUrl;
  const skillNames = (isList(skills) ? skills : []).map((each) => (isMembers(each) ? plainText(each.name).slice(0, 120) : ''));
  return {
    name: plainText(name).slice(0, 120),
    description: plainText(description),
    version: plainText(version).slice(0, 60),
    organization: isMembers(provider) ? plainText(provider.organization).slice(0, 120) || null : null,
    skills: skillNames.filter((each) => each !== ''),
    ...used,
    streaming: isMembers(capabilities) && capabilities.streaming === true,
    push_notifications: isMembers(capabilities) && capabilities.pushNotifications === true,
    ...{ challengeUrl, signatures },
    signedTexts: [canonicalJson(card), canonicalJson(withoutEmpty(card))],
  };
};
