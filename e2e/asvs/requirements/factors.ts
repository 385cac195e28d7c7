import { notApplicable, proveByTest, type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import {
  CLI,
  DATA_DOCUMENTED,
  DEVICES,
  FACTORS,
  INVITATIONS,
  LYING_PROVIDER,
  MAILED_SIGNUP,
  PASSKEYS,
  PASSWORDS,
  RECOVERY_CODES,
  REQUIRED_FACTOR,
  SETTINGS_DOCUMENTED,
  SSO,
} from './tests.ts';

const SAML = proveByTest('apps/control-plane/src/people/sso/saml-attacks.test.ts');
const ADMIN = proveByTest('e2e/promises/admin.test.ts');

/** V6.4 to V6.8: lifecycle of factors, codes, and claims of identity providers. */
export const factors: Readonly<Record<string, Requirement>> = {
  '6.4.1': requirementMet(
    1,
    'Initial codes are random, short-lived, single-use, and never become passwords.',
    INVITATIONS('is valid for a week, and a used, withdrawn, replaced, expired or unknown code is answered alike with 410'),
    MAILED_SIGNUP('expires after ten minutes'),
    PASSWORDS('by resetMemberPassword gets a private code, is signed out, and cannot use the previous password'),
  ),
  '6.4.2': requirementMet(
    1,
    'There are no password hints or secret questions.',
    SETTINGS_DOCUMENTED('no row accepts or returns a hint, a secret question or a telephone number'),
  ),
  '6.4.3': requirementMet(
    2,
    'A password reset does not bypass the second factor.',
    PASSWORDS('is replaced by the mailed code, which ends every session and creates none'),
    PASSWORDS('is replaced by one of 32 concurrent uses of a code'),
    REQUIRED_FACTOR('enrolling one opens the rest to this session, and every new sign-in requires it'),
  ),
  '6.4.4': requirementMet(
    2,
    'Replacing a lost factor requires the proofs of enrolment.',
    REQUIRED_FACTOR('is refused for people with more permissions, also in other organizations, and for themselves'),
    REQUIRED_FACTOR('removes all of them, ends the sessions, and pending sign-ins'),
    FACTORS('requires a recent step-up, returns the secret once, and proves nothing before its first code'),
    ADMIN('the operator removes the second factors of a person who lost them, and sees who owns what'),
  ),
  '6.5.1': requirementMet(
    2,
    'Codes of every kind are single-use.',
    FACTORS('accepts each code once, and none older than the last, across concurrent instances'),
    FACTORS('replaces the factor once: of 32 concurrent uses one wins, in any form'),
    PASSWORDS('is replaced by one of 32 concurrent uses of a code'),
    DEVICES('an approval ends with its session or its time, and is invalid for another sign-in'),
  ),
  '6.5.2': requirementMet(
    2,
    'Recovery codes are stored hashed, with a password hash unless they have 112 bits.',
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
    FACTORS('is stored as a keyed hash, and ten new ones replace the previous ones'),
  ),
  '6.5.3': requirementMet(
    2,
    'Codes and seeds come from a secure random generator.',
    DATA_DOCUMENTED('names the random source of the system as the only one for secret values'),
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
  ),
  '6.5.4': requirementMet(
    2,
    'Codes have at least six random digits.',
    PASSWORDS('a code is six ASCII digits and nothing else'),
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
  ),
  '6.5.5': requirementUnmet(
    2,
    'Mailed codes expire within ten minutes, TOTP codes within 30 seconds.',
    'Mailed codes do. A TOTP code is accepted one step early or late, so for up to 90 seconds, since clocks of phones differ; it is single-use. Meanwhile: use passkeys.',
  ),
  '6.6.1': notApplicable(2, 'Codes by telephone only for validated numbers, beside stronger ways.', 'Nothing is sent by telephone.'),
  '6.6.2': requirementMet(
    2,
    'A code is bound to its request.',
    MAILED_SIGNUP('differs for each start, and only the last one is valid'),
    PASSWORDS('requires the code of its address, and sessions and codes are not stored in plain text'),
    DEVICES('an approval ends with its session or its time, and is invalid for another sign-in'),
    CLI('is approved with its own code alone, and for DEVICE reveals the code only to a person who typed it'),
  ),
  '6.6.3': requirementMet(
    2,
    'Guesses at codes are limited.',
    PASSWORDS('a code has five attempts, and its guesses count with guesses at the password'),
    MAILED_SIGNUP('is used up by five attempts, so that of a hundred concurrent guesses at most five are compared'),
    REQUIRED_FACTOR(
      'of a hundred concurrent requests at sign-in and step-up ten are answered; then sign-in refuses a correct one and the session has ended',
    ),
  ),
  '6.8.1': requirementMet(
    2,
    'An identity belongs to one provider, and no other can assert it.',
    SSO('admits a new person with a verified address of a verified domain, and later recognizes them'),
    SSO('is refused by an address alone: unverified, of another domain, or taken'),
    REQUIRED_FACTOR('an identity provider of one organization opens no session in another'),
  ),
  '6.8.2': requirementMet(
    2,
    'Unsigned and wrongly signed assertions are refused.',
    LYING_PROVIDER('it is signed at all'),
    LYING_PROVIDER('the provider signed it'),
    SAML('the reason of a refused sign-in is in the log, and not in the response'),
    PASSKEYS('refuses every forged or expired ceremony, and one with a lower signature counter'),
  ),
  '6.8.3': requirementMet(2, 'A SAML assertion is accepted once.', SAML('an assertion is accepted once, for any request')),
  '6.8.4': requirementMet(
    2,
    'Authentication strength claimed by a provider is checked; a missing claim counts as weakest.',
    LYING_PROVIDER('a second factor of the provider counts only where the connection trusts it'),
  ),
};
