import { type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import {
  AS_IT_COMES,
  GUESSABLE,
  INVITATIONS,
  LOCKOUT,
  LYING_PROVIDER,
  PAGES_SEEN,
  PASSWORD_HASH,
  PASSWORDS,
  REQUIRED_FACTOR,
  SETTINGS_DOCUMENTED,
  SETTINGS_PAGE,
  SIGNUP,
} from './tests.ts';

/** V6.1 to V6.3: documentation, passwords, and ways to sign in. */
export const passwords: Readonly<Record<string, Requirement>> = {
  '6.1.1': requirementMet(
    1,
    'Controls against guessing, their settings and protections from lockout are documented.',
    SETTINGS_DOCUMENTED('states every limit against guessing as the tables have it, with its setting'),
    SETTINGS_PAGE('Limits against guessing'),
  ),
  '6.1.2': requirementMet(
    2,
    'Context-specific words refused in passwords are documented.',
    SETTINGS_DOCUMENTED('lists the words that passwords may not contain'),
    SETTINGS_PAGE('Words no password is made of'),
  ),
  '6.1.3': requirementMet(
    2,
    'All authentication paths and their strengths are documented.',
    SETTINGS_DOCUMENTED('names exactly the rows that open a session'),
    SETTINGS_PAGE('Ways to sign in'),
  ),
  '6.2.1': requirementMet(
    1,
    'Passwords have at least eight characters.',
    PASSWORDS('with a second factor accepts eight characters, and no common ones'),
    SIGNUP('a password that is the only proof has 15 characters, of any kind and form'),
  ),
  '6.2.2': requirementMet(
    1,
    'Users can change their password.',
    PASSWORDS('requires the current password, ends every other session in every organization, and keeps the requesting one'),
  ),
  '6.2.3': requirementMet(
    1,
    'A password change requires the current password.',
    PASSWORDS('with a wrong password changes nothing, and uses up the attempts of the session alone, which then ends'),
  ),
  '6.2.4': requirementMet(
    1,
    'The 3,000 most common matching passwords are refused.',
    GUESSABLE('rejects the 3,000 most common breached passwords of eight characters, each tenth tried, and all of fifteen'),
    SIGNUP(
      'a password that is common, or contains the name, the address or the organization, is refused with its pointer and creates nothing',
    ),
  ),
  '6.2.5': requirementMet(
    1,
    'There are no composition rules.',
    SIGNUP('a password that is the only proof has 15 characters, of any kind and form'),
  ),
  '6.2.6': requirementMet(
    1,
    'Password fields mask input.',
    PAGES_SEEN('hide a password while it is typed, and accept a paste and a password manager'),
  ),
  '6.2.7': requirementMet(
    1,
    'Paste and password managers are permitted.',
    PAGES_SEEN('hide a password while it is typed, and accept a paste and a password manager'),
  ),
  '6.2.8': requirementMet(
    1,
    'Passwords are verified exactly, without truncation or case conversion.',
    PASSWORD_HASH('does not truncate a password: the last of 1,000 characters counts'),
    PASSWORD_HASH('verifies a password with its own hash and no other'),
  ),
  '6.2.9': requirementMet(
    2,
    'Passwords of 64 characters are accepted.',
    PASSWORD_HASH('does not truncate a password: the last of 1,000 characters counts'),
    SETTINGS_DOCUMENTED('states every limit against guessing as the tables have it, with its setting'),
  ),
  '6.2.10': requirementMet(2, 'Passwords do not expire periodically.', PASSWORDS('is never forced by age')),
  '6.2.11': requirementMet(
    2,
    'The documented words are refused.',
    PASSWORDS('to a password that is short, common, unchanged, or derived from its owner is refused with its pointer'),
    SETTINGS_DOCUMENTED('lists the words that passwords may not contain'),
  ),
  '6.2.12': requirementMet(
    2,
    'Passwords known from breaches are refused.',
    GUESSABLE('rejects the 3,000 most common breached passwords of eight characters, each tenth tried, and all of fifteen'),
    PASSWORDS('to a password that is short, common, unchanged, or derived from its owner is refused with its pointer'),
  ),
  '6.3.1': requirementMet(
    1,
    'Guessing is limited as documented.',
    LOCKOUT('an account locks after its attempts from any address, also for the correct password'),
    LOCKOUT('an address locks after its attempts on any accounts, and other addresses are unaffected'),
    LOCKOUT('concurrent guesses count like sequential ones, and concurrent correct passwords all succeed'),
  ),
  '6.3.2': requirementMet(
    1,
    'There are no default accounts.',
    AS_IT_COMES('has no account, key or member, and accepts no credential before one is created'),
    SIGNUP(
      'an unauthenticated client cannot create any organization, not even the first, without the token of the set-up link, which stays valid',
    ),
  ),
  '6.3.3': requirementUnmet(
    2,
    'All users must use a second factor.',
    'An organization decides, and the default is off, so that the first user can sign in. Meanwhile: set `require_mfa` on every organization; a session without a factor can then only enrol one.',
  ),
  '6.3.4': requirementMet(
    2,
    'No authentication path is undocumented or weaker than the others.',
    SETTINGS_DOCUMENTED('names exactly the rows that open a session'),
    REQUIRED_FACTOR('a session without one can only enrol, on every row, from the next request on'),
    LYING_PROVIDER('a second factor of the provider counts only where the connection trusts it'),
    INVITATIONS('with a second factor must prove it before it has a session'),
  ),
};
