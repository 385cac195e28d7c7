import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { maskWebTokens } from './web-tokens.ts';

/** Prefixes of third-party secrets. Prefixes that could begin a word are distinguished by their case and by what follows. */
const FOREIGN_PREFIXES = [
  'sk_live_',
  'sk_test_',
  'rk_live_',
  'rk_test_',
  'sk-',
  'xox[abeoprs]-',
  'xapp-',
  'gh[oprsu]_',
  'github_pat_',
  'glpat-',
  'glsa_',
  'shp(?:at|ca|pa|ss)_',
  'dop_v1_',
  'sq0(?:atp|csp)-',
  '(?-i:A[KS]IA(?=[A-Z0-9]{12}))',
  '(?-i:AIza)',
  'ya29\\.',
  '(?-i:SG\\.[\\w-]{16,}\\.)',
];

const prefixes = [...Object.values(SECRET_PREFIXES), ...FOREIGN_PREFIXES].join('|');

const KEYS = [
  `(?<![A-Za-z0-9])(?:${prefixes})[\\w-]{8,}`,
  // Telegram bots: the number of the bot and its token.
  '(?<![A-Za-z0-9])(?:bot)?\\d{6,12}:(?-i:AA)[\\w-]{28,}',
  '-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*',
  // Query parameters that sign a URL or contain a token.
  '(?<=[?&;](?:sig|signature|x-(?:amz|goog)-signature|x-amz-security-token|(?:access|auth|id|refresh)?_?token|api_?key|client_secret)=)[^&#;\\s"\'<>]{8,}',
  // A user with a password, before the host of an address.
  '(?<=:\\/\\/)[^\\s/?#@:]*:[^\\s/?#@]+(?=@)',
];

const KEY_SHAPES = new RegExp(KEYS.join('|'), 'gi');
const SECRET_SHAPES = new RegExp([...KEYS, '\\b(?:bearer|basic)\\s+[\\w+/=.~-]{8,}'].join('|'), 'gi');

/** Returns the text without keys, ours and those of others, by their prefix, JSON Web Tokens and private keys, at any position. */
export const maskKeyShapes = (text: string, mask: string): string => maskWebTokens(text, mask).replace(KEY_SHAPES, mask);

/** The same, and without authorization values. Logs and traces of policies are masked by this one function. */
export const maskSecretShapes = (text: string, mask: string): string => maskWebTokens(text, mask).replace(SECRET_SHAPES, mask);
