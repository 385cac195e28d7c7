import { notApplicable, proveByTest, type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import { DATA_PAGE, SECURE_CONNECTION } from './tests.ts';

const DATABASE = proveByTest('packages/postgres/src/connection/connect.test.ts');
const SMTP = proveByTest('packages/mail/src/transports/new-smtp-transport.test.ts');
const OLD = 'sends no byte of the request below TLS 1.2, and uses the newest version otherwise';
const CHECKED = 'verifies the certificate against the named authority for an address that requires encryption';

/** V12. */
export const connections: Readonly<Record<string, Requirement>> = {
  '12.1.1': requirementMet(1, 'TLS 1.2 and 1.3 only, preferring the latest.', SECURE_CONNECTION(OLD), DATA_PAGE('TLS in front')),
  '12.1.2': requirementMet(2, 'Only strong cipher suites are enabled.', SECURE_CONNECTION(OLD), DATA_PAGE('TLS in front')),
  '12.1.3': notApplicable(2, 'Certificates of clients are verified.', 'No client is known by a certificate.'),
  '12.2.1': requirementUnmet(
    1,
    'External traffic uses TLS.',
    'The planes serve plain HTTP. Meanwhile: put a TLS proxy in front of them, as the page on data and keys shows, and let no other client reach them.',
  ),
  '12.2.2': requirementUnmet(
    1,
    'External services use publicly trusted certificates.',
    'The planes have none. Meanwhile: give the proxy in front of them a certificate of a public authority.',
  ),
  '12.3.1': requirementUnmet(
    2,
    'Every connection is encrypted.',
    'PostgreSQL, Redis, metrics and the trace collector are connected as their addresses state, also without encryption. Meanwhile: `sslmode=verify-full`, `rediss://`, `smtps://` and `https://`, and metrics on the machine itself.',
  ),
  '12.3.2': requirementMet(
    2,
    'Certificates of servers are verified.',
    SECURE_CONNECTION('sends no byte of the request to a peer with an untrusted certificate'),
    SECURE_CONNECTION('accepts a trusted certificate for its own name only, at any address'),
    DATABASE(CHECKED),
    SMTP('uses the encryption that a server offers, and requires a trusted certificate'),
  ),
  '12.3.3': notApplicable(2, 'Services within speak HTTP by TLS.', 'The planes do not speak HTTP with each other.'),
  '12.3.4': requirementMet(2, 'Internal connections trust only specified authorities.', DATABASE(CHECKED)),
};
