import { SECRET_MEMBERS } from '@svc/contract/tables/secret-members.ts';

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** What rows mark as secret, whichever words it is called by. */
const MARKED = Object.entries(SECRET_MEMBERS).flatMap(([name, where]) => (where === 'anywhere' ? [folded(name)] : []));

const SECRET_PART =
  /password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|signingkey|encryptionkey|authorization|credential|cookie|cardnumber|creditcard|debitcard|securitycode|sessionid|bearer|mnemonic|seedphrase/;
const OTHERS = 'pwd|pass|pin|pan|cvv|cvv2|cvc|cvc2|otp|totp|mfacode|ssn|jwt|auth|xapikey|accountkey|sas|sig|xamzsignature|xgoogsignature|clientassertion';
const SECRET_WHOLE = new RegExp(`^(?:${MARKED.join('|')}|${OTHERS})$`);
const COUNT_OF_TOKENS = /tokens$/;

/** True when a member of this name holds something that must not be shown. Spelling of the name (case, dashes, underscores) does not count. */
export const namesSecret = (name: string): boolean => {
  const plain = folded(name);
  return SECRET_WHOLE.test(plain) || SECRET_PART.test(plain);
};

/** `max_tokens` and its like hold a number of tokens, which is no secret as long as it is a number. */
export const namesCount = (name: string): boolean => COUNT_OF_TOKENS.test(folded(name));
