import { maskKeyShapes } from '@svc/policy/masks/secret-shapes.ts';

/**
 * The part of a request in which a template puts a text: in the path of a URL, identifiers are usual that would be secrets anywhere else.
 */
export type SecretPosition = 'header' | 'query' | 'path' | 'body';

const CERTAIN =
  /password|passwd|passphrase|secret(?!ar)|(?:api|app|auth|access|account|client|encryption|function|functions|host|license|master|private|service|shared|signing|subscription|user)keys?$|xapikey|authorization|authentication(?!type)|credential|cookie|session(?:id|key)|bearer|^(?:x?auth|pwd|pass|pin|sas|jwt|cvv2?|cvc2?|otp|totp)$|jwt$/;
const TOKEN = /tokens?$/;
const NO_SECRET_TOKEN =
  /(?:page|next|previous|prev|continuation|continue|cursor|sync|delta|start|change|paging|pagination|idempotency|resume|skip|list|max|min|total|num|count|prompt|completion|stop|input|output)tokens?$/;
const KEY = /key$/;
const NO_SECRET_KEY =
  /(?:idempotency|idempotence|partition|routing|sort|order|cache|surrogate|primary|foreign|row|object|dedup|deduplication|group|message|correlation|public|project|issue|translation|resource|event|shard|range|hash|lookup|natural|business|external|record|entity|item|dataset|feature|flag|config|lock|map|search|space|parent|tenant|registry)key$/;

/** Query parameters that sign a URL. In a header or body such a member may be a document's own signature. */
const SIGNS_URL = /^(?:x?(?:amz|goog)?signature|sig|hmac)$/;

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Returns true if a header or member of this name usually carries a secret, in any notation of the name. */
export const carriesSecret = (name: string, place: SecretPosition): boolean => {
  const plain = folded(name);
  if (CERTAIN.test(plain) || (TOKEN.test(plain) && !NO_SECRET_TOKEN.test(plain))) return true;
  if (place === 'query' && SIGNS_URL.test(plain)) return true;
  return place === 'header' && KEY.test(plain) && !NO_SECRET_KEY.test(plain);
};

const SCHEME = /^\s*(?:basic|bearer|digest|hawk|negotiate|apikey|token)\s+\S/i;
/** In a longer text "basic information" is not an authorization, "Basic dXNlcjpwYXNz" is. */
const AUTHORIZATION = /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s+(?=[\w+/.~-]*(?:[0-9=]|[a-z][A-Z]))[\w+/=.~-]{8,}/g;
const RUN = /[A-Za-z0-9+/_=-]{20,}/g;
const PATH_RUN = /[A-Za-z0-9+_=-]{20,}/g;
/** Services that require a key in the path, by the words before it: Telegram bots, incoming webhooks of Slack and Discord. */
const KEY_IN_PATH =
  /(?<=\/bot)\d+:[^/{}]+|(?<=\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)\w+(?:\/\w+)+|(?<=\/api(?:\/v\d+)?\/webhooks\/\d+\/)[\w-]+/gi;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ULID = /^(?:[A-Za-z0-9-]+_)?[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const HEX = /^[0-9a-f]+$/i;
const CHANGES_MIN = 6;
const CHANGES_SHARE = 0.27;

const getKind = (character: string): string => {
  if (character >= '0' && character <= '9') return 'digit';
  if (character >= 'a' && character <= 'z') return 'lower';
  return character >= 'A' && character <= 'Z' ? 'upper' : 'mark';
};

/**
 * Returns true if a run of characters looks random: digits, lower-case and upper-case letters alternate far more often than in words. An
 * initial
 * capital does not count, and neither does a separator.
 */
const looksRandom = (run: string): boolean => {
  let changes = 0;
  let before = 'mark';
  for (const character of run) {
    const kind = getKind(character);
    if (kind !== before && kind !== 'mark' && before !== 'mark' && !(before === 'upper' && kind === 'lower')) changes += 1;
    before = kind;
  }
  return changes >= Math.max(CHANGES_MIN, run.length * CHANGES_SHARE);
};

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+/g;
const LETTERS_MIN = 2.3;
const DIGITS_MAX = 2;
const ACRONYM_MAX = 3;

/** Returns true for a name composed of pronounceable words, such as `addProjectV2ItemById`. */
const isCamelCase = (run: string): boolean => {
  const words = run.match(WORD) ?? [];
  const spoken = words.filter((word) => /^[A-Za-z]/.test(word));
  if (words.some((word) => /^[^A-Za-z0-9_]/.test(word)) || run.replace(/[^0-9]/g, '').length > DIGITS_MAX) return false;
  const canBeSpoken = spoken.every((word) =>
    /^[A-Z]+$/.test(word) ? word.length <= ACRONYM_MAX : word.length < 3 || /[aeiouy]/i.test(word),
  );
  return canBeSpoken && spoken.join('').length >= spoken.length * LETTERS_MIN;
};

const isRandom = (run: string, place: SecretPosition): boolean =>
  (place === 'header' || !isCamelCase(run)) &&
  !UUID.test(run) &&
  !ULID.test(run) &&
  !(place === 'path' && HEX.test(run)) &&
  looksRandom(run);

/** Returns the text with likely secrets replaced by `mask`: by prefix or shape, or because no person would write it. */
export const hideSecretLooks = (text: string, place: SecretPosition, mask: string): string => {
  if (place === 'header' && SCHEME.test(text)) return mask;
  const placed = place === 'path' ? text.replace(KEY_IN_PATH, mask) : text;
  const shaped = maskKeyShapes(placed, mask).replace(AUTHORIZATION, mask);
  return shaped.replace(place === 'path' ? PATH_RUN : RUN, (run) => (isRandom(run, place) ? mask : run));
};
