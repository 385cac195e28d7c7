import { met, type Requirement, testsOf } from '../requirement.ts';
import { AS_IT_COMES, BROWSER, DATA_PAGE, DATA_TOLD, PAGE, PAGES_SEEN, ROLES_OF_DATABASE, SECRETS } from './tests.ts';

const CLASSES = 'puts every table that holds a secret or tells of a person into its class, and names no table that is none';
const KEPT = 'answers nothing that anybody may keep, but what is the same for everybody';
const OUT = 'sign somebody in with the keyboard alone, into a cookie that no script reads, and out again';
const FROZEN = 'getPage: every view is one page that runs nothing but its own script, and is framed, linked to and remembered by nobody';

/** V14. */
export const data: Readonly<Record<string, Requirement>> = {
  '14.1.1': met(2, 'Sensitive data is known and in classes.', DATA_TOLD(CLASSES), DATA_PAGE('Classes of data')),
  '14.1.2': met(2, 'What protects each class is documented.', DATA_TOLD(CLASSES), DATA_PAGE('Classes of data')),
  '14.2.1': met(
    1,
    'Nothing sensitive stands in an address.',
    AS_IT_COMES('takes nothing in an address that opens something, but the code that a terminal shows'),
    testsOf('e2e/pages/own-pages.test.ts')(
      'founds the first organization, tells no server the secret of its link, and names what comes next as the first guide does',
    ),
  ),
  '14.2.2': met(
    2,
    'Servers on the way keep nothing sensitive.',
    AS_IT_COMES(KEPT),
    SECRETS('a secret that was shown once is nowhere in the database, not even in what is kept for a replay'),
  ),
  '14.2.3': met(2, 'Nothing goes to third parties such as trackers.', PAGE(FROZEN)),
  '14.2.4': met(
    2,
    'Each class is protected as documented.',
    SECRETS('a secret that was shown once is nowhere in the database, not even in what is kept for a replay'),
    testsOf('e2e/attacks/masked.test.ts')(
      'what a rule masks is kept nowhere, whatever becomes of the request and however often it is sent',
    ),
    testsOf('e2e/rows/events/secrets.test.ts')('whatever people write into an operation, no secret of any kind reaches the audit'),
    ROLES_OF_DATABASE(
      'an organization that is deleted leaves a row in no table but its record and its certificate, however the tables are called, and others keep theirs',
    ),
  ),
  '14.3.1': met(
    1,
    'A browser keeps nothing after the session.',
    BROWSER('changes with the organization, and is removed when the session ends'),
    PAGES_SEEN(OUT),
  ),
  '14.3.2': met(2, 'Answers forbid browsers to keep them.', AS_IT_COMES(KEPT), PAGE(FROZEN)),
  '14.3.3': met(2, 'Browser storage holds the session cookie and nothing else.', PAGES_SEEN(OUT)),
};
