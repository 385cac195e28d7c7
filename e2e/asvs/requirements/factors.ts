import { met, notApplicable, type Requirement, testsOf, unmet } from '../requirement.ts';
import {
  CLI,
  DATA_TOLD,
  DEVICES,
  FACTORS,
  INVITATIONS,
  LYING_PROVIDER,
  MAILED_SIGNUP,
  PASSKEYS,
  PASSWORDS,
  RECOVERY_CODES,
  REQUIRED_FACTOR,
  SETTINGS_TOLD,
  SSO,
} from './tests.ts';

const SAML = testsOf('apps/control-plane/src/people/sso/saml-attacks.test.ts');
const ADMIN = testsOf('e2e/promises/admin.test.ts');

/** V6.4 to V6.8: lifecycle of factors, codes, and claims of identity providers. */
export const factors: Readonly<Record<string, Requirement>> = {
  '6.4.1': met(
    1,
    'First codes are random, short-lived, good once, and become no password.',
    INVITATIONS('is good for a week, and its code, once used, withdrawn, replaced, over or never issued, is answered alike with 410'),
    MAILED_SIGNUP('expires after ten minutes'),
    PASSWORDS('by resetMemberPassword gets a code that nobody else sees, is signed out here, and gets in by no password of before'),
  ),
  '6.4.2': met(
    1,
    'There are no hints and no secret questions.',
    SETTINGS_TOLD('no row asks for or tells a hint, a secret question or a telephone number'),
  ),
  '6.4.3': met(
    2,
    'A forgotten password is replaced without passing by the second factor.',
    PASSWORDS('is replaced by the code that is mailed, which ends every session and gives none'),
    PASSWORDS('of 32 uses of one code at once one wins'),
    REQUIRED_FACTOR('enrolling one opens the rest to this session, and every new sign-in is asked for it'),
  ),
  '6.4.4': met(
    2,
    'Whoever lost a factor proves themselves as for enrolling one.',
    REQUIRED_FACTOR('does so over nobody who may do more, over nobody of other organizations too, and not over themselves'),
    REQUIRED_FACTOR('takes them all, ends the sessions, and what waits to become one'),
    FACTORS('takes a fresh proof, shows the secret once, and proves nothing before its first code'),
    ADMIN('the operator removes the second factors of whoever lost them, and is told who owns what'),
  ),
  '6.5.1': met(
    2,
    'Codes of every kind are good once.',
    FACTORS('takes each code once, and none that is older than the last: on whichever plane, of many at once one wins'),
    FACTORS('stands for the factor once: of 32 at once one wins, whatever its spelling'),
    PASSWORDS('of 32 uses of one code at once one wins'),
    DEVICES('an approval ends with the session that gave it, with its time, and is worth nothing to another sign-in'),
  ),
  '6.5.2': met(
    2,
    'Kept recovery codes are hashed, by a password hash unless of 112 bits.',
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
    FACTORS('is kept as a keyed hash, and ten new ones end those there were'),
  ),
  '6.5.3': met(
    2,
    'Codes and seeds come from a secure generator.',
    DATA_TOLD('draws what nobody may guess from the source of the system, and from no other'),
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
  ),
  '6.5.4': met(
    2,
    'Codes have six random digits at least.',
    PASSWORDS('a code is six ASCII digits and nothing else'),
    RECOVERY_CODES('creates recovery codes of 120 random bits, so that even a plain hash could not be guessed'),
  ),
  '6.5.5': unmet(
    2,
    'Mailed codes live ten minutes at most, one-time codes of apps 30 seconds.',
    'Mailed codes do. A code of an app is taken one step early or late, so for up to 90 seconds, since clocks of telephones differ; it is good once. Meanwhile: use passkeys.',
  ),
  '6.6.1': notApplicable(2, 'Codes by telephone only for validated numbers, beside stronger ways.', 'Nothing is sent by telephone.'),
  '6.6.2': met(
    2,
    'A code is bound to the request it was made for.',
    MAILED_SIGNUP('differs for each start, and only the last one is valid'),
    PASSWORDS('the code of one address is none for another, and a session or the code itself stands nowhere as it was'),
    DEVICES('an approval ends with the session that gave it, with its time, and is worth nothing to another sign-in'),
    CLI('is approved with its own code alone, and of DEVICE tells the code to nobody who has not typed it'),
  ),
  '6.6.3': met(
    2,
    'Guessing at codes is limited.',
    PASSWORDS('a code has five tries, and guesses at it count with guesses at the password'),
    MAILED_SIGNUP('is used up by five attempts, so that of a hundred concurrent guesses at most five are compared'),
    REQUIRED_FACTOR(
      'of a hundred at once, at sign-in and at step-up together, ten are told, and then a right one is refused at the one and the session has ended at the other',
    ),
  ),
  '6.8.1': met(
    2,
    'An identity is of one provider, and no other can speak for it.',
    SSO('lets somebody new in with a verified address of a verified domain, once as new and then as the same'),
    SSO('lets nobody in by an address alone: not verified, of another domain, or taken'),
    REQUIRED_FACTOR('what the identity provider of one organization says opens no session in another'),
  ),
  '6.8.2': met(
    2,
    'Unsigned and wrongly signed statements of providers are refused.',
    LYING_PROVIDER('it is signed at all'),
    LYING_PROVIDER('the provider signed it'),
    SAML('why nobody was signed in is in the log, and not in the answer'),
    PASSKEYS('refuses every ceremony that is not an honest one, an old one, and one of a copy that counts less'),
  ),
  '6.8.3': met(2, 'A SAML assertion is taken once.', SAML('an assertion is used once, whichever request it answers')),
  '6.8.4': met(
    2,
    'What a provider says of its proof is checked, and silence counts least.',
    LYING_PROVIDER('a second factor of the provider counts only where the connection trusts it'),
  ),
};
