import { proveByTest, type Requirement, requirementMet } from '../requirement.ts';
import { AS_IT_COMES, BROWSER, DATA_DOCUMENTED, DATA_PAGE, PAGE, PAGES_SEEN, ROLES_OF_DATABASE, SECRETS } from './tests.ts';

const CLASSES = 'puts every table with a secret or personal data into its class, and names only such tables';
const KEPT = 'returns nothing cacheable, except responses that are equal for all callers';
const OUT = 'sign a person in with the keyboard alone, into an HttpOnly cookie, and out again';
const FROZEN = 'getPage: every view is one page that runs only its own script, and cannot be framed or cached and sends no referrer';

/** V14. */
export const data: Readonly<Record<string, Requirement>> = {
  '14.1.1': requirementMet(2, 'Sensitive data is identified and classified.', DATA_DOCUMENTED(CLASSES), DATA_PAGE('Classes of data')),
  '14.1.2': requirementMet(2, 'The protection of each class is documented.', DATA_DOCUMENTED(CLASSES), DATA_PAGE('Classes of data')),
  '14.2.1': requirementMet(
    1,
    'URLs contain no sensitive data.',
    AS_IT_COMES('accepts no secret in an address, except the code that a terminal shows'),
    proveByTest('e2e/pages/own-pages.test.ts')(
      'creates the first organization, sends no server the secret of its link, and names the next steps as the first guide does',
    ),
  ),
  '14.2.2': requirementMet(
    2,
    'Intermediate servers do not cache sensitive data.',
    AS_IT_COMES(KEPT),
    SECRETS('a secret that was returned once is nowhere in the database, including stored responses for retries'),
  ),
  '14.2.3': requirementMet(2, 'No data is sent to third parties such as trackers.', PAGE(FROZEN)),
  '14.2.4': requirementMet(
    2,
    'Each class is protected as documented.',
    SECRETS('a secret that was returned once is nowhere in the database, including stored responses for retries'),
    proveByTest('e2e/attacks/masked.test.ts')('masked values are not stored, for any result and any number of requests'),
    proveByTest('e2e/rows/events/secrets.test.ts')('no secret of any kind in the input of an operation reaches the audit log'),
    ROLES_OF_DATABASE('leaves rows of a deleted organization in no table but its record and certificate, and all rows of others'),
  ),
  '14.3.1': requirementMet(
    1,
    'Browsers store nothing after the session.',
    BROWSER('changes with the organization, and is removed when the session ends'),
    PAGES_SEEN(OUT),
  ),
  '14.3.2': requirementMet(2, 'Responses forbid caching by browsers.', AS_IT_COMES(KEPT), PAGE(FROZEN)),
  '14.3.3': requirementMet(2, 'Browser storage contains only the session cookie.', PAGES_SEEN(OUT)),
};
