import { SIGNAL_NAMES } from '@svc/contract/risk/signal-table.ts';
import { SECRET_MEMBERS } from '@svc/contract/tables/secret-members.ts';

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Members that rows mark as secret, by any of their names. */
const MARKED = Object.entries(SECRET_MEMBERS).flatMap(([name, where]) => (where === 'anywhere' ? [folded(name)] : []));

const SECRET_PART =
  /password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|signingkey|encryptionkey|authorization|credential|cookie|cardnumber|creditcard|debitcard|securitycode|sessionid|bearer|mnemonic|seedphrase/;
const OTHERS =
  'pwd|pass|pin|pan|cvv|cvv2|cvc|cvc2|otp|totp|mfacode|ssn|jwt|auth|xapikey|accountkey|sas|sig|xamzsignature|xgoogsignature|clientassertion';
const SECRET_WHOLE = new RegExp(`^(?:${MARKED.join('|')}|${OTHERS})$`);
const COUNTED = /(?:tokens|apikeys)$/;

/** Names of risk signals, whose values are points. */
const POINTS: ReadonlySet<string> = new Set(SIGNAL_NAMES.map(folded));

/** Returns true if a member of this name contains something that must not be shown. Case, dashes and underscores do not count. */
export const namesSecret = (name: string): boolean => {
  const plain = folded(name);
  return SECRET_WHOLE.test(plain) || SECRET_PART.test(plain);
};

/**
 * Returns true for names such as `max_tokens`, `api_keys` and risk signals: a number under such a name is a count or points, not a secret.
 */
export const countNames = (name: string): boolean => COUNTED.test(folded(name)) || POINTS.has(folded(name));
