import { proveByTest, type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import { AS_IT_COMES, DATA_DOCUMENTED, DATA_PAGE, EGRESS, MASTER_KEY, ROLES_OF_DATABASE, SECRETS, TRANSPORT } from './tests.ts';

const GATEWAY_ROLE = proveByTest('packages/postgres/src/migrate/gateway-role.test.ts');
const KEY_FILE = proveByTest('apps/launcher/src/data-folder/master-key.test.ts');
const WRONG_METHODS = 'HEAD is answered without a body, and wrong methods with one, so that the next response is framed correctly';

/** V13. */
export const configuration: Readonly<Record<string, Requirement>> = {
  '13.1.1': requirementMet(
    2,
    'All outbound connections are documented, including those that users configure.',
    DATA_DOCUMENTED('names every library and module by which the sources connect to others'),
    DATA_PAGE('Connections'),
  ),
  '13.2.1': requirementUnmet(
    2,
    'Components authenticate each other with short-lived credentials.',
    'Each duty has its own database role, with a permanent password derived from the master key. Meanwhile: let the database accept connections from the hosts of the planes only, or use the embedded one, which listens on no network.',
  ),
  '13.2.2': requirementMet(
    2,
    'Components have the least privileges they need.',
    ROLES_OF_DATABASE('read only what their duty needs: no password hash for tenants, no decision for the recorder'),
    GATEWAY_ROLE('denies a gateway every table that no decision needs, people and credentials first of all'),
  ),
  '13.2.3': requirementMet(
    2,
    'There are no default credentials.',
    MASTER_KEY('derives a separate secret for each purpose and role, the same at every start'),
    KEY_FILE('is 32 random bytes in a file for its owner only, created once and never changed'),
  ),
  '13.2.4': requirementMet(
    2,
    'Permitted destinations are listed.',
    EGRESS('is one origin: no lookalike is called, and its address permits no other port'),
    EGRESS('is the only one called while real calls are disabled, and the record states why'),
  ),
  '13.2.5': requirementMet(
    2,
    'The server sends requests to listed destinations only.',
    EGRESS('is not called in any form, even if the tool allows it and real calls are enabled'),
    proveByTest('apps/control-plane/src/people/sso/lying-provider.test.ts')(
      'in an internal network is never requested: not by its issuer, and not by the addresses in its document',
    ),
  ),
  '13.3.1': requirementUnmet(
    2,
    'A vault stores the secrets of the service.',
    'The service encrypts its secrets itself, under a key that it reads from a file or the environment, or unwraps by a command, and keeps in memory. Meanwhile: let a vault or a key management service hold the master key with `SVC_MASTER_KEY_COMMAND`.',
  ),
  '13.3.2': requirementMet(
    2,
    'Secrets are accessible to components that need them only.',
    KEY_FILE('is refused if others can read it or it is malformed, and the error never shows it'),
    ROLES_OF_DATABASE('read only what their duty needs: no password hash for tenants, no decision for the recorder'),
  ),
  '13.4.1': requirementMet(
    1,
    'Folders of source control are not served.',
    AS_IT_COMES('lists no folder, serves none of its source, and has no metrics at the addresses of the planes'),
  ),
  '13.4.2': requirementMet(
    2,
    'No debug mode reveals internals.',
    SECRETS('no response reveals the implementation, and no refusal repeats a secret'),
    SECRETS('no secret is in the logs of either plane, at the debug level and after a database error'),
  ),
  '13.4.3': requirementMet(
    2,
    'Directory listings are disabled.',
    TRANSPORT('that no row has is not found, in any form, and nothing is served from the disk'),
  ),
  '13.4.4': requirementMet(2, 'TRACE is disabled.', TRANSPORT(WRONG_METHODS)),
  '13.4.5': requirementMet(
    2,
    'Monitoring endpoints are exposed only where intended.',
    AS_IT_COMES('lists no folder, serves none of its source, and has no metrics at the addresses of the planes'),
    proveByTest('apps/gateway/src/agents/identity/kept/sign-in-outcomes.test.ts')(
      'metrics are served at their own address only, to readers and at one path',
    ),
  ),
};
