import { type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import {
  AUTH,
  BROWSER,
  CONNECTIONS,
  FACTORS,
  MEMBERS,
  PAGES_SEEN,
  PASSWORDS,
  PRIVILEGES,
  REQUIRED_FACTOR,
  SCIM,
  SECRET_TOKEN,
  SESSIONS,
  SETTINGS_DOCUMENTED,
  SETTINGS_PAGE,
  SSO,
} from './tests.ts';

const LIFE = 'states how long sessions last as the tables have it, within the requirements of NIST SP 800-63B-4';

export const sessions: Readonly<Record<string, Requirement>> = {
  '7.1.1': requirementMet(
    2,
    'Session lifetimes are documented and justified.',
    SETTINGS_DOCUMENTED(LIFE),
    SETTINGS_PAGE('How long a session lasts'),
  ),
  '7.1.2': requirementMet(
    2,
    'Limits of concurrent sessions and their effect are documented.',
    SESSIONS('the list returns every valid session, with device, addresses, times and proofs, and marks the current one'),
    SETTINGS_PAGE('How long a session lasts'),
  ),
  '7.1.3': requirementMet(
    2,
    'Coordination of sessions with providers is documented.',
    SSO('reaches its organization alone, and ends with the connection'),
    SETTINGS_PAGE('How long a session lasts'),
  ),
  '7.2.1': requirementMet(
    1,
    'Session tokens are verified by the server.',
    PRIVILEGES('a proof expires, and is valid for one person only'),
    BROWSER('is invalid if it occurs twice, has another name, holds no session, or is too long'),
  ),
  '7.2.2': requirementMet(
    1,
    'Sessions use generated tokens, not static secrets.',
    AUTH('returns the same as sign-up, with a separate session'),
    SECRET_TOKEN('creates a thousand different secrets, each digit varying but the one that 256 bits do not fill'),
  ),
  '7.2.3': requirementMet(
    1,
    'Tokens are unique and random, with at least 128 bits.',
    SECRET_TOKEN('creates a thousand different secrets, each digit varying but the one that 256 bits do not fill'),
  ),
  '7.2.4': requirementUnmet(
    1,
    'Each authentication issues a new token and ends the previous one.',
    'A sign-in issues a new token. A step-up keeps the token, since programs hold it too, and expires after five minutes. Meanwhile: sign out before signing in again on the same machine, and end unknown sessions in `GET /v1/auth/sessions`.',
  ),
  '7.3.1': requirementMet(2, 'Inactive sessions expire.', AUTH('expires after its lifetime and after its idle timeout')),
  '7.3.2': requirementMet(
    2,
    'Sessions have a maximum lifetime.',
    AUTH('expires after its lifetime and after its idle timeout'),
    AUTH('lasts for the configured time, for this session only'),
  ),
  '7.4.1': requirementMet(
    1,
    'Ended sessions cannot be used.',
    AUTH('ends at once when its person signs out, and no other session does'),
    BROWSER('changes with the organization, and is removed when the session ends'),
  ),
  '7.4.2': requirementMet(
    1,
    'All sessions end with their account.',
    MEMBERS('ends sessions, keys and derived keys at the next request, and none returns with the person'),
    SCIM('who is deactivated has no session or key from then on, and returns without them'),
  ),
  '7.4.3': requirementMet(
    2,
    'All other sessions can be ended after a change of a factor.',
    PASSWORDS('requires the current password, ends every other session in every organization, and keeps the requesting one'),
    PASSWORDS('is replaced by the mailed code, which ends every session and creates none'),
    SESSIONS('endOtherSessions ends all others at once, in every organization, and one of two concurrent ones remains'),
  ),
  '7.4.4': requirementMet(2, 'Sign-out is visible on every page.', PAGES_SEEN('have a sign-out on every page of a signed-in person')),
  '7.4.5': requirementMet(
    2,
    'Administrators can end sessions of users.',
    SESSIONS('revokeMemberSessions ends every session of a member here, and earlier sign-ins cannot switch into one'),
  ),
  '7.5.1': requirementMet(
    2,
    'Changes of authentication settings require re-authentication.',
    FACTORS('requires a recent step-up, returns the secret once, and proves nothing before its first code'),
    FACTORS('requires a step-up with it, and removes the recovery codes with the last one'),
    PASSWORDS('with a wrong password changes nothing, and uses up the attempts of the session alone, which then ends'),
    SSO('is linked by a signed-in person after a step-up, in one browser, and unlinked while another sign-in remains'),
  ),
  '7.5.2': requirementUnmet(
    2,
    'Users can view their sessions, and end them after re-authentication.',
    'They can, without re-authentication: stopping is never delayed, and a thief of a session gains nothing by ending others. Meanwhile: nothing to do.',
  ),
  '7.6.1': requirementMet(
    2,
    'Sessions end in coordination with providers as documented.',
    SSO('reaches its organization alone, and ends with the connection'),
    CONNECTIONS('a removed connection is deleted with its domains, and both are recorded'),
    REQUIRED_FACTOR('an identity provider of one organization opens no session in another'),
  ),
  '7.6.2': requirementMet(
    2,
    'No session starts without an action of its user.',
    SSO('starts with a click, and not from a page of another site'),
    SSO('accepts a return once, in the browser that started it, with its own state'),
  ),
};
