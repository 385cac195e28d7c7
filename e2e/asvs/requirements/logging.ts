import { proveByTest, type Requirement, requirementMet, requirementUnmet } from '../requirement.ts';
import { AUTH, DATA_DOCUMENTED, DATA_PAGE, LOG_IDS, LYING_PROVIDER, REFUSED_IN_LOG, ROLES_OF_DATABASE, SECRETS } from './tests.ts';

const WHO = 'every refusal is in the log with the code, and the organization, caller and address if known';
const LINES = proveByTest('e2e/fail-closed/log-lines.test.ts');
const LOG_FILE = proveByTest('packages/program/src/log/log-file.test.ts');
const BROKEN = 'every failure of a request is in the log with both ids of the response, at any stage';
const QUIET = 'no secret is in the logs of either plane, at the debug level and after a database error';

/** V16. */
export const logging: Readonly<Record<string, Requirement>> = {
  '16.1.1': requirementMet(2, 'Contents, locations and retention of logs are documented.', REFUSED_IN_LOG(WHO), DATA_PAGE('Logs')),
  '16.2.1': requirementMet(
    2,
    'A log line states time, place, actor and event.',
    REFUSED_IN_LOG(WHO),
    LOG_IDS('every line about a request or a job has both of its ids, which are those of the response'),
  ),
  '16.2.2': requirementMet(
    2,
    'Times are UTC and synchronized.',
    REFUSED_IN_LOG(WHO),
    proveByTest('e2e/promises/wrong-clocks.test.ts')('a control plane changes nothing except emergency stops'),
  ),
  '16.2.3': requirementMet(
    2,
    'Logs go to documented destinations only.',
    proveByTest('apps/launcher/src/planes/start-plane.test.ts')(
      'is ready when its log line states so, and its log goes to a file for its owner only',
    ),
    proveByTest('e2e/promises/traces.test.ts')('tracing is not loaded without its setting'),
    DATA_DOCUMENTED('names every library and module by which the sources connect to others'),
  ),
  '16.2.4': requirementMet(
    2,
    'Logs have a common machine-readable format.',
    proveByTest('apps/launcher/src/planes/start-plane.test.ts')(
      'adds plain text output of its engine to its log as JSON lines, limited in number and length',
    ),
  ),
  '16.2.5': requirementMet(2, 'Logs contain sensitive data only as its class permits.', SECRETS(QUIET), REFUSED_IN_LOG(WHO)),
  '16.3.1': requirementMet(
    2,
    'Every sign-in attempt is logged with its factors.',
    AUTH('records a failure in the organization of the account, without attributing it to its person'),
    LYING_PROVIDER('refused tokens are recorded'),
    REFUSED_IN_LOG(WHO),
    proveByTest('apps/gateway/src/agents/identity/kept/sign-in-outcomes.test.ts')(
      'the reason of a refused sign-in is in the log line and a metric, with the agent and the check, and not in the response',
    ),
  ),
  '16.3.2': requirementMet(2, 'Refused requests are logged.', REFUSED_IN_LOG(WHO)),
  '16.3.3': requirementMet(
    2,
    'Security events and attempts to bypass controls are logged.',
    REFUSED_IN_LOG(WHO),
    proveByTest('e2e/rows/events/events.test.ts')('each of them is tested'),
    proveByTest('packages/http/src/admission/address-budget.test.ts')(
      'an address has a limited number of lines about refusals, and the number of others is logged',
    ),
  ),
  '16.3.4': requirementMet(2, 'Unexpected errors are logged.', LINES(BROKEN)),
  '16.4.1': requirementMet(
    2,
    'Input cannot forge a log line.',
    proveByTest('packages/program/src/log/line-writer.test.ts')(`writes every line, whole and in order, when the process \${how}`),
    REFUSED_IN_LOG(WHO),
  ),
  '16.4.2': requirementMet(
    2,
    'Logs are protected from access and modification.',
    ROLES_OF_DATABASE('change and delete no audit event, and no decision but its outcome'),
    LOG_FILE('rotates a full file between two lines, keeps a bounded number, and makes none readable for others'),
  ),
  '16.4.3': requirementUnmet(
    2,
    'Logs are sent to a separate system.',
    'The service does not send them. Meanwhile: ship the files with the agent of your log system, and read the audit record with a key of the role auditor, as the page on data and keys states.',
  ),
  '16.5.1': requirementMet(
    2,
    'Error messages reveal no internals.',
    SECRETS('no response reveals the implementation, and no refusal repeats a secret'),
  ),
  '16.5.2': requirementMet(
    2,
    'The service stays secure while dependencies are unavailable.',
    proveByTest('e2e/fail-closed/redis.test.ts')(
      'that hangs makes both planes not ready and is named in every 503 it causes; they recover with it',
    ),
    proveByTest('e2e/fail-closed/stopped-or-frozen.test.ts')(
      'every action and token is refused in seconds with the code of its dependency, in every mode',
    ),
  ),
  '16.5.3': requirementMet(
    2,
    'Errors fail closed.',
    proveByTest('e2e/fail-closed/stopped-or-frozen.test.ts')(
      'everything is served again when it is back, and nothing that was refused is executed',
    ),
    proveByTest('e2e/fail-closed/missing-counter.test.ts')(`Redis \${how}: nothing is allowed uncounted, and nothing is executed`),
  ),
};
