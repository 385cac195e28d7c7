import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

const GATEWAY = 'apps/gateway/src';
const WORKER = 'apps/worker/src/jobs';
const RUNTIMES = 'apps/control-plane/src/runtimes/runtimes';
const N8N = 'e2e/n8n/suite.fixture.ts';

type Proof = readonly [file: string, title: string];

/** Each acceptance case of runtimes, the catalogue and code assist, with the tests that show it. */
const CASES: Readonly<Record<string, readonly Proof[]>> = {
  '1 every bypass is found at its node, and nothing of medium severity in clean workflows': [
    [N8N, 'finds every bypass at its node and nothing of medium severity in clean workflows'],
    [`${WORKER}/verify-runtimes.test.ts`, 'recorded workflows of the product: governed ones are clean, and each bypass is found'],
  ],
  '2 a clean draft does not hide the published version': [
    [N8N, 'what is published counts although the draft is clean'],
    [`${WORKER}/lying-instance.test.ts`, 'it states that the draft is published and runs another version'],
  ],
  '3 a killed worker leaves no test workflow and no finding twice': [
    [`${WORKER}/kill-verification.test.ts`, 'leaves no test workflow, and another one ends the run'],
  ],
  '4 1,000 workflows, at most five requests in a second': [
    [
      `${WORKER}/verify-many-workflows.test.ts`,
      'two workers inspect 1,000 workflows with no more requests in a second than the runtime allows',
    ],
  ],
  '5 a key that only reads makes no test workflow': [
    [N8N, 'a key without the right to operate makes no test workflow, and the status is at most DETECTED'],
  ],
  '6 an instance that runs what it states as excluded': [
    [`${WORKER}/lying-instance.test.ts`, 'it states an excluded node type and runs it'],
  ],
  '7 an instance that does not deactivate': [
    [
      `${WORKER}/verify-runtimes.test.ts`,
      'PAUSE deactivates the workflows and reads back; an instance that does not obey is a critical finding',
    ],
    [
      `${GATEWAY}/actions/actions/runtime-trust.test.ts`,
      'a paused runtime refuses the actions of its agent at once, whether or not its instance obeys',
    ],
  ],
  '8 evidence that is too old refuses without a job': [
    [
      `${GATEWAY}/actions/actions/runtime-trust.test.ts`,
      'outdated evidence refuses the agent without any job, and fail_closed false allows it',
    ],
    [
      `${GATEWAY}/actions/actions/runtime-trust.test.ts`,
      'an agent is refused after the grace period once the status of its runtime falls, also in OBSERVE',
    ],
  ],
  '9 properties of the status': [
    [
      'packages/domain/src/runtimes/runtimes/assess-enforcement.properties.test.ts',
      'never exceeds its ceiling, and gives every bound as a reason',
    ],
    ['packages/domain/src/runtimes/runtimes/assess-enforcement.properties.test.ts', 'never rises with less evidence or one more finding'],
  ],
  '10 an accepted risk is at most PARTIAL, and ends': [
    [
      `${RUNTIMES}/runtimes.test.ts`,
      'acceptRuntimeFinding lowers BYPASSED to at most PARTIAL; a change or withdrawRuntimeFindingAcceptance opens it',
    ],
    [
      `${RUNTIMES}/runtimes.test.ts`,
      'acceptRuntimeFinding: an acceptance that expires opens the finding, and an API key cannot accept a risk',
    ],
  ],
  '11 who replaces an API key, and where it is kept': [
    [
      `${RUNTIMES}/runtime-access.test.ts`,
      'replaceRuntimeApiKey is for owners and administrators who stepped up, and its key is in no answer, event or table',
    ],
    [
      `${RUNTIMES}/runtimes.test.ts`,
      'replaceRuntimeApiKey does not store a key that the instance refuses, and the previous key still works',
    ],
  ],
  '12 a key is not sent to another address': [[`${RUNTIMES}/runtimes.test.ts`, 'updateRuntime sends no key to another address']],
  '13 addresses that redirect, are inside the host, or have a path': [
    [`${RUNTIMES}/runtimes.test.ts`, 'testRuntime: a redirect is not followed with the key, and addresses inside the host are not called'],
    [`${RUNTIMES}/runtimes.test.ts`, 'registerRuntime refuses addresses with a path, a query or a user'],
  ],
  '14 RECOVER with an open critical finding': [
    [
      `${WORKER}/verify-runtimes.test.ts`,
      'RECOVER makes a clean runtime ACTIVE after its verification, and leaves one with a way around it PAUSED',
    ],
    [N8N, 'PAUSE and DISABLE deactivate workflows, which is read back, and RECOVER activates them after a verification'],
  ],
  '15 other tenants and members of one workspace': [
    [`${RUNTIMES}/runtime-access.test.ts`, 'another tenant finds no runtime by any row'],
    [`${RUNTIMES}/runtime-access.test.ts`, 'getRuntimePosture of a member of one workspace counts its runtimes alone'],
  ],
  '16 the bundle': [
    [
      'packages/runtimes/src/workflow-automation-managed/bundle/managed-bundle.test.ts',
      'the same terms give the same files with the same hashes',
    ],
    ['packages/runtimes/src/workflow-automation-managed/bundle/managed-bundle.test.ts', 'no file contains a value for a secret slot'],
    [
      `${GATEWAY}/runtimes/runtimes/runtime-hooks.test.ts`,
      'the hook file throws when the gateway is gone, answers late, or answers something else',
    ],
    [`${GATEWAY}/runtimes/runtimes/runtime-hooks.test.ts`, 'getRuntimeBundle: the manifest is verified offline with the published key'],
  ],
  '17 the governed node': [
    ['e2e/peers/n8n-node.test.ts', 'an approval is passed only by a request to the gateway: not by time, and not when it is denied'],
    ['e2e/peers/n8n-node.test.ts', 'a suspended execution ends its wait only when the gateway has decided'],
    [
      'e2e/peers/n8n-node.test.ts',
      'a permitted action leaves by the last output with its id, and a retry of the execution creates one action',
    ],
    ['e2e/peers/n8n-node.test.ts', 'a refused action leaves by the first output with code and action id'],
    [`${WORKER}/lying-instance.test.ts`, 'does not believe a governed node that passes items without a recorded action'],
  ],
  '18 files of platforms and clients': [
    [
      'packages/runtimes/src/api-platform/api-platform.test.ts',
      'Envoy: one disabled route, one listener that fails open and one weighted cluster are three findings',
    ],
    ['packages/runtimes/src/api-platform/api-platform.test.ts', 'Kong: a consumer for whom the plugin is disabled or fails open is found'],
    [`${RUNTIMES}/runtimes.test.ts`, 'a managed file of the administrator with only the gateway is PARTIAL, one of a user is DETECTED'],
  ],
  '19 actions of the catalogue': [
    ['apps/control-plane/src/tools/tool-catalogue/recorded-actions.test.ts', 'every action arrives with its method, path, key and body'],
    [
      'apps/control-plane/src/tools/integrations/integrations.test.ts',
      'updateIntegration adds actions, changes values and keeps what people changed',
    ],
    ['tools/catalogue/catalogue.test.ts', 'refresh updates what only the document changed, and keeps changes by people'],
  ],
  '20 code assist': [
    ['apps/control-plane/src/tools/code-assist/code-assist.test.ts', 'is refused and not returned'],
    [
      'apps/control-plane/src/tools/code-assist/code-assist.test.ts',
      'a good proposal is returned as a patch that changes the guard call alone, with an event without source',
    ],
    [
      'apps/control-plane/src/tools/code-assist/code-assist.test.ts',
      'getCodeAssist states whether it is enabled, and rewriteGuardCalls is refused while it is disabled',
    ],
  ],
};

test('each acceptance case is shown by tests that exist', () => {
  assert.deepEqual(
    Object.keys(CASES).map((name) => Number.parseInt(name, 10)),
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  for (const [name, proofs] of Object.entries(CASES))
    for (const [file, title] of proofs) assert.ok(readFileSync(resolve(root, file), 'utf8').includes(title), `${name}: ${file}: ${title}`);
});
