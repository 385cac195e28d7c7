import { met, type Requirement, unmet } from '../requirement.ts';
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
  SETTINGS_PAGE,
  SETTINGS_TOLD,
  SSO,
} from './tests.ts';

const LIFE = 'tells how long sessions last as the tables have it, within what NIST SP 800-63B-4 asks';

export const sessions: Readonly<Record<string, Requirement>> = {
  '7.1.1': met(2, 'How long sessions last is documented and justified.', SETTINGS_TOLD(LIFE), SETTINGS_PAGE('How long a session lasts')),
  '7.1.2': met(
    2,
    'How many sessions one may have is documented, and what comes then.',
    SESSIONS('the list has every session that is accepted, with its device, addresses, times and proofs, and which of them asks'),
    SETTINGS_PAGE('How long a session lasts'),
  ),
  '7.1.3': met(
    2,
    'How sessions here and at providers go together is documented.',
    SSO('reaches its organization alone, and ends with the connection'),
    SETTINGS_PAGE('How long a session lasts'),
  ),
  '7.2.1': met(
    1,
    'Session tokens are verified at the server.',
    PRIVILEGES('a proof runs out, and one person’s proof is not another’s'),
    BROWSER('is invalid if it occurs twice, has another name, holds no session, or is too long'),
  ),
  '7.2.2': met(
    1,
    'Sessions have tokens made for them, and no fixed secret.',
    AUTH('returns the same as sign-up, with a session of its own'),
    SECRET_TOKEN('creates a thousand different secrets, each digit varying but the one that 256 bits do not fill'),
  ),
  '7.2.3': met(
    1,
    'A token is unique, random, and of 128 bits at least.',
    SECRET_TOKEN('creates a thousand different secrets, each digit varying but the one that 256 bits do not fill'),
  ),
  '7.2.4': unmet(
    1,
    'Each proof makes a new token and ends the one before.',
    'A sign-in makes a new token. A step-up keeps the token, since programs hold it too, and is over after five minutes. Meanwhile: sign out before signing in anew on the same machine, and end what you do not know in `GET /v1/auth/sessions`.',
  ),
  '7.3.1': met(2, 'An unused session ends.', AUTH('ends by itself after its lifetime and after standing idle')),
  '7.3.2': met(
    2,
    'A session ends after its longest time.',
    AUTH('expires after its lifetime and after its idle timeout'),
    AUTH('lasts for the configured time, for this session only'),
  ),
  '7.4.1': met(
    1,
    'A session that has ended is of no more use.',
    AUTH('ends at once when its person signs out, and no other session does'),
    BROWSER('changes with the organization, and is removed when the session ends'),
  ),
  '7.4.2': met(
    1,
    'All sessions end with their account.',
    MEMBERS('ends sessions, keys and keys made with these at the very next request, and none comes back with the person'),
    SCIM('who is not active any more has no session and no key from then on, and comes back without them'),
  ),
  '7.4.3': met(
    2,
    'After a change of a factor all other sessions can be ended.',
    PASSWORDS('takes the present one, ends every other session in every organization, and keeps the one that asks'),
    PASSWORDS('is replaced by the code that is mailed, which ends every session and gives none'),
    SESSIONS(
      'endOtherSessions ends all others at once, in every organization, and of two that end all others at the same moment one stays',
    ),
  ),
  '7.4.4': met(2, 'The way out is easy to find on every page.', PAGES_SEEN('have the way out on every page of whoever is signed in')),
  '7.4.5': met(
    2,
    'Administrators end the sessions of others.',
    SESSIONS('revokeMemberSessions ends every session of a member here, and a sign-in from before switches into none'),
  ),
  '7.5.1': met(
    2,
    'What decides about signing in is changed after a new proof only.',
    FACTORS('takes a fresh proof, shows the secret once, and proves nothing before its first code'),
    FACTORS('takes a step-up with it, and takes the recovery codes along with the last'),
    PASSWORDS('with a wrong one changes nothing, and uses up the tries of the session alone, which then ends'),
    SSO('is linked by whoever is signed in and has stepped up, in one browser, and unlinked while another way in is left'),
  ),
  '7.5.2': unmet(
    2,
    'People see their sessions, and end them after proving themselves again.',
    'They see and end them, without a new proof: ending something is never held up, and whoever holds a stolen session loses more by it than they win. Meanwhile: nothing to do.',
  ),
  '7.6.1': met(
    2,
    'Sessions here and at providers end as documented.',
    SSO('reaches its organization alone, and ends with the connection'),
    CONNECTIONS('a connection that is removed is gone with its domains, and both stay on record'),
    REQUIRED_FACTOR('what the identity provider of one organization says opens no session in another'),
  ),
  '7.6.2': met(
    2,
    'No session begins without its person asking.',
    SSO('is begun by whoever clicks, and by no page of another site that leads a browser here by itself'),
    SSO('takes a return once, from the browser that began it, with its own state'),
  ),
};
