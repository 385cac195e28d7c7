import { met, type Requirement, testsOf, unmet } from '../requirement.ts';
import { AS_IT_COMES, DATA_PAGE, DATA_TOLD, EGRESS, MASTER_KEY, ROLES_OF_DATABASE, SECRETS, TRANSPORT } from './tests.ts';

const GATEWAY_ROLE = testsOf('packages/postgres/src/migrate/gateway-role.test.ts');
const KEY_FILE = testsOf('apps/launcher/src/data-folder/master-key.test.ts');
const WRONG_METHODS = 'HEAD is answered without a body, and wrong methods with one, so that the next answer begins where it should';

/** V13. */
export const configuration: Readonly<Record<string, Requirement>> = {
  '13.1.1': met(
    2,
    'All connections are documented, and where users choose one.',
    DATA_TOLD('tells every library and module by which the sources connect to others'),
    DATA_PAGE('Connections'),
  ),
  '13.2.1': unmet(
    2,
    'Parts prove themselves to each other by short-lived credentials.',
    'Each duty has a database role of its own, by a password that follows from the master key and stays. Meanwhile: let the database take connections from the hosts of the planes only, or use the embedded one, which listens on no network.',
  ),
  '13.2.2': met(
    2,
    'Parts have the fewest rights they need.',
    ROLES_OF_DATABASE('read only what their duty needs: no password’s hash for tenants, no decision for the recorder'),
    GATEWAY_ROLE('a gateway is refused every table that no decision is made of, people and credentials first of all'),
  ),
  '13.2.3': met(
    2,
    'No credential is a default one.',
    MASTER_KEY('derives a separate secret for each purpose and role, the same at every start'),
    KEY_FILE('is 32 random bytes in a file for its owner only, made once and the same ever after'),
  ),
  '13.2.4': met(
    2,
    'What may be called is listed.',
    EGRESS('is one origin: nothing that only looks like it is called, and its address opens no other port'),
    EGRESS('is all that is called while real calls are off, and the record says why'),
  ),
  '13.2.5': met(
    2,
    'The server sends requests to what is listed only.',
    EGRESS('is called however it is spelled by nobody, also when the tool would allow it and real calls are on'),
    testsOf('apps/control-plane/src/people/sso/lying-provider.test.ts')(
      'of the inside is never asked: not by its issuer, and not by what its document names',
    ),
  ),
  '13.3.1': unmet(
    2,
    'A vault keeps the secrets of the service.',
    'The service seals its secrets itself, under a key that it takes from a file, from the environment, or has unwrapped by a command, and keeps in memory. Meanwhile: let a vault or a key management service hold the master key with `SVC_MASTER_KEY_COMMAND`.',
  ),
  '13.3.2': met(
    2,
    'Secrets are reached by whoever needs them.',
    KEY_FILE('is not used when others can read it or when it is no key, and the fault never shows it'),
    ROLES_OF_DATABASE('read only what their duty needs: no password’s hash for tenants, no decision for the recorder'),
  ),
  '13.4.1': met(
    1,
    'Folders of source control are not served.',
    AS_IT_COMES('lists no folder, serves nothing of its source, and tells its metrics at no address of a plane'),
  ),
  '13.4.2': met(
    2,
    'No debug mode tells of the inside.',
    SECRETS('no answer says what the service is made of, and no refusal repeats a secret'),
    SECRETS('no secret is in the logs of either plane, at their most talkative and after a database error'),
  ),
  '13.4.3': met(
    2,
    'No folder is listed.',
    TRANSPORT('that no row has is not found, however it is spelled, and nothing is served from the disk'),
  ),
  '13.4.4': met(2, 'TRACE is not answered.', TRANSPORT(WRONG_METHODS)),
  '13.4.5': met(
    2,
    'Monitoring is shown only where it is meant to be.',
    AS_IT_COMES('lists no folder, serves nothing of its source, and tells its metrics at no address of a plane'),
    testsOf('apps/gateway/src/agents/identity/kept/sign-in-outcomes.test.ts')(
      'metrics are told at their own address alone, to whoever reads and in one path',
    ),
  ),
};
