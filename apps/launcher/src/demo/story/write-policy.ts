import type { Policy } from '@svc/contract/policies/policies.ts';
import type { Fault } from '@svc/contract/rows/fault.ts';
import { must } from '../../faults/story-fault.ts';
import { ruleInWords } from '../in-words.ts';
import { POLICY_RULES, POLICY_TESTS, RULES_WITHOUT_CEILING } from '../refund-policy.ts';
import type { Founded, Stage } from '../scene.ts';

const newest = ({ versions }: Policy): string => versions[0]?.version_id ?? '';

/** Rules are drafted, fail their own tests, are completed, and bind. */
export const writePolicy = async ({ tell }: Stage, { owner, words, environmentId }: Founded): Promise<void> => {
  tell.chapter('Rules that are tested before they bind');
  const draft = await owner.ask<Policy>('POST', '/v1/policies', {
    body: { name: 'Refunds', rules: RULES_WITHOUT_CEILING, tests: POLICY_TESTS, binding: { scope: 'ENVIRONMENT', id: environmentId } },
    told: ({ id }) => `${id}, version 1 is a draft`,
  });
  tell.shows(
    'rules',
    RULES_WITHOUT_CEILING.map((rule) => ruleInWords(rule, words)),
  );
  tell.say('Amounts are whole cents. Ada forgot the ceiling, and one of her five tests notices:');
  const refused = await owner.askRefused('INVALID_POLICY', 'POST', `/v1/policies/${draft.id}/activate`, {
    body: { version_id: newest(draft), reason: 'First rules' },
  });
  const faults = (refused.details?.faults ?? []) as readonly Fault[];
  must(faults.length === 1, `One test was to fail, and ${faults.length} did.`);
  tell.shows(
    'because',
    faults.map(({ message }) => message),
  );
  const complete = await owner.ask<Policy>('PATCH', `/v1/policies/${draft.id}`, {
    body: { rules: POLICY_RULES },
    told: () => 'version 2 is a draft, with the same tests',
  });
  const added = POLICY_RULES.filter((rule) => !RULES_WITHOUT_CEILING.includes(rule));
  tell.shows(
    'new',
    added.map((rule) => ruleInWords(rule, words)),
  );
  await owner.ask<Policy>('POST', `/v1/policies/${draft.id}/activate`, {
    body: { version_id: newest(complete), reason: 'With a ceiling' },
    told: ({ active_version }) => `all tests pass; version ${active_version?.version_number} binds from now on`,
  });
};
