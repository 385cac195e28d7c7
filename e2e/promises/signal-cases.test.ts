import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

const FEED = 'apps/worker/src/feed';
const RISK = 'apps/control-plane/src/risk';
const EMERGENCY = 'apps/control-plane/src/incidents/emergency';
const PROMISES = 'e2e/promises';

type Proof = readonly [file: string, title: string];

/** Each acceptance case of risk signals, flow rules, trust evidence, incidents and emergency controls, with the tests that show it. */
const CASES: Readonly<Record<string, readonly Proof[]>> = {
  '1 a labelled read on one gateway, then a request on the other': [
    [`${PROMISES}/flow-rules.test.ts`, 'a labelled read on one gateway affects the next send on the other, every time'],
  ],
  '2 a read and a request at the same moment, then another request': [
    [`${PROMISES}/flow-rules.test.ts`, 'of concurrent read and sends, no send after the response of the read is allowed'],
    [`${PROMISES}/flow-contexts.test.ts`, 'of concurrent reads and sends of one context over two gateways, no later send is allowed'],
  ],
  '3 labels survive a fresh token, restarts, kill -9, the end of the session and another key': [
    [`${PROMISES}/kept-labels.test.ts`, 'labels survive a fresh token, the end of the session and a rotated key, on either gateway'],
    [`${PROMISES}/kept-labels.test.ts`, 'labels of a read survive kill -9 of the gateway before its outcome is reported'],
    [`${PROMISES}/kept-labels.test.ts`, 'a read during which the gateway is killed leaves no record, or a record with its labels'],
  ],
  '4 an approval that was requested with fewer labels': [
    [`${PROMISES}/flow-rules.test.ts`, 'an approval is void once the agent received other labels, and is not used up'],
    [
      `${PROMISES}/flow-contexts.test.ts`,
      'an approval that was requested in a clean context is void in one with labels, and stays usable in its own',
    ],
  ],
  '5 claims in parameters and results change no label': [
    [`${PROMISES}/claimed-labels.test.ts`, 'no form of labels or reach in parameters or results changes a label or lets data leave'],
    [`${PROMISES}/flow-rules.test.ts`, 'labels that an agent states do not count, and a dry run reads nothing'],
  ],
  '6 washing by a store, a delegate, its delegate, and one context more than may be': [
    [
      `${PROMISES}/stored-labels.test.ts`,
      'data that was stored under a key has its labels for every agent and context that reads the key, in any form, on either gateway',
    ],
    [
      `${PROMISES}/stored-labels.test.ts`,
      'labels stay with a key through a copy to another key, a later store without labels, and the people they are about',
    ],
    [
      `${PROMISES}/stored-labels.test.ts`,
      'a request that copies one key to another, or stores its own result, keeps the labels with the new key',
    ],
    [
      `${PROMISES}/inherited-labels.test.ts`,
      'a delegate, and its own delegate, has the labels of the agents above at once on every gateway, for any authority and context',
    ],
    [
      `${PROMISES}/flow-contexts.test.ts`,
      'an agent at its limit of contexts is refused another one, keeps every label, and continues in its existing ones',
    ],
    [
      `${PROMISES}/flow-contexts.test.ts`,
      'a context belongs to one agent: the same name of another agent or tenant is another context, and no one else reads or clears it',
    ],
  ],
  '7 who clears labels': [
    [`${PROMISES}/flow-rules.test.ts`, 'a person clears labels, a key does not, secret stays, and a new source restores a label'],
    [`${PROMISES}/kept-labels.test.ts`, 'a person clears nothing that was read after what they saw'],
    [`${RISK}/contexts/contexts.test.ts`, 'declassifyContext needs a person, and listFlowContexts shows the rest'],
  ],
  '8 sessions of attacks and of honest work': [
    [
      'tools/bench/flow/flow-bench.test.ts',
      'with a context each, the flow templates stop at least 95 % of attacks and hold at most 5 % of honest sessions',
    ],
    [
      'tools/bench/flow/flow-bench.test.ts',
      'known misses are let through with a context each, and only data without labels is with one context of the agent',
    ],
  ],
  '9 the rate with signals and flow rules': [['tools/bench/controls/main.ts', 'npm run bench -- controls']],
  '10 an agent with a long history': [
    ['packages/domain/src/risk/conduct/conduct.test.ts', 'decodes an encoded history, whose size is constant'],
  ],
  '11 many first calls to one destination, while the worker is killed': [
    [
      `${FEED}/fold-conduct.test.ts`,
      'the same finding on two gateways is one risk event that is counted up, and acknowledgeRiskEvent ends it',
    ],
    [`${FEED}/fold-conduct.test.ts`, 'each action is folded once, even if the worker is killed, and a dry run is not'],
  ],
  '12 storms of refusals': [
    [`${FEED}/match-incident-rules.test.ts`, 'rules open at most 20 incidents in an hour, and one more counts further findings'],
  ],
  '13 a risk that moves around its threshold': [
    [
      'packages/domain/src/risk/conduct/pass-threshold.test.ts',
      'reports a risk around the threshold for two hours once or twice, and a rise of 20 at once',
    ],
    [`${FEED}/fold-conduct.test.ts`, 'an agent that passes its threshold repeatedly is reported once'],
  ],
  '14 a worker that is dead for minutes': [
    [
      `${FEED}/fold-conduct.test.ts`,
      'while the worker is dead the score is a lower bound: gte can hold, lt is unknown, and nothing is missing afterwards',
    ],
  ],
  '15 forged assertions of a stranger': [
    [
      `${PROMISES}/failed-assertions.test.ts`,
      'forged assertions in the name of an agent leave its score as it is, and are one risk event and one incident, over two gateways',
    ],
  ],
  '16 simulations and dry runs change nothing': [
    [`${PROMISES}/risk-in-decisions.test.ts`, 'evaluate and simulate see the same signals, and reading writes nothing'],
  ],
  '17 forged evidence': [
    [`${RISK}/trust/trust-evidence.test.ts`, 'verifyTrustEvidence and addTrustEvidence: no mutation of a genuine bundle is accepted'],
    [`${RISK}/trust/trust-evidence.test.ts`, 'no forged or swapped token is accepted'],
    [`${RISK}/trust/trust-evidence.test.ts`, 'lookalike identities match nothing: patterns, prefixes, suffixes, case and other letters'],
    [`${RISK}/trust/trust-evidence.test.ts`, 'limits of size, number, nesting and expiry are refused with a pointer'],
  ],
  '18 evidence that expires': [
    [`${PROMISES}/trust-in-decisions.test.ts`, 'evidence ends at its expiry by the clock of decisions, and each event is written once'],
    [
      `${PROMISES}/trust-in-decisions.test.ts`,
      'revoking, disabling and swapping affect the next decision on every gateway, also with requests in flight',
    ],
  ],
  '19 the confirmed number': [
    [`${PROMISES}/emergency-under-load.test.ts`, 'a number is accepted from what is stopped now to a tenth or two more, and is required'],
    [
      `${PROMISES}/emergency-under-load.test.ts`,
      'an agent that registers while its environment is paused is counted, or refused the pause: no race stops more than the confirmed number',
    ],
    [
      `${EMERGENCY}/emergency.test.ts`,
      'refuses a number of agents that grew after the preview, by two registrations at once, and stops none',
    ],
    [
      `${EMERGENCY}/emergency.test.ts`,
      'stops no agent beyond the confirmed number: agents that two transactions register meanwhile are counted',
    ],
    [`${EMERGENCY}/emergency.test.ts`, 'one of two concurrent operators changes, and the other finds it done'],
  ],
  '20 controls and break-glass under load': [
    [`${PROMISES}/emergency-under-load.test.ts`, 'binds every request that begins after its answer, on two gateways under load'],
    [`${PROMISES}/emergency-under-load.test.ts`, 'a break-glass grant that ended permits nothing that begins after the answer, under load'],
    [`${EMERGENCY}/emergency.test.ts`, 'does not call a blocked address under a name that resolves to it'],
    [
      'apps/worker/src/events/webhooks/webhooks.test.ts',
      'a blocked destination gets no delivery of the organization that blocks it, also under a name that resolves to it, until it is unblocked',
    ],
    [`${EMERGENCY}/emergency.test.ts`, 'a drill checks everything, changes nothing and writes no security event'],
    [
      `${EMERGENCY}/break-glass.test.ts`,
      'is refused to API keys and to sessions without a second factor, and expires after 15 minutes without a decision',
    ],
    [`${EMERGENCY}/break-glass.test.ts`, 'cannot decide about break-glass access, or keep it permanently'],
  ],
};

test('each acceptance case of signals, flow rules, evidence and emergency controls is shown by tests that exist', () => {
  assert.deepEqual(
    Object.keys(CASES).map((name) => Number.parseInt(name, 10)),
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  for (const [name, proofs] of Object.entries(CASES))
    for (const [file, title] of proofs) assert.ok(readFileSync(resolve(root, file), 'utf8').includes(title), `${name}: ${file}: ${title}`);
});
