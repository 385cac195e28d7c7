import type { OperationResult } from '@svc/client/client.ts';
import { must } from '../../faults/story-fault.ts';
import { formatRule } from '../in-words.ts';
import { POLICY_RULES, POLICY_TESTS, RULES_WITHOUT_CEILING } from '../refund-policy.ts';
import type { DemoStage, OrganizationWithOwner } from '../scene.ts';

const newest = ({ versions }: OperationResult<'createPolicy'>): string => versions[0]?.version_id ?? '';

/** Rules are drafted, fail their own tests, are completed, and activated. */
export const writePolicy = async ({ tell }: DemoStage, { owner, words, environmentId }: OrganizationWithOwner): Promise<void> => {
  tell.chapter('Rules that are tested before they bind');
  const draft = await owner.ask(
    'createPolicy',
    { body: { name: 'Refunds', rules: RULES_WITHOUT_CEILING, tests: POLICY_TESTS, binding: { scope: 'ENVIRONMENT', id: environmentId } } },
    ({ id }) => `${id}, version 1 is a draft`,
  );
  const params = { policyId: draft.id };
  tell.shows(
    'rules',
    RULES_WITHOUT_CEILING.map((rule) => formatRule(rule, words)),
  );
  tell.say('Amounts are whole cents. Ada forgot the ceiling, and one of her five tests notices:');
  const refused = await owner.askRefused('INVALID_POLICY', 'activatePolicy', {
    params,
    body: { version_id: newest(draft), reason: 'First rules' },
  });
  const { faults } = refused;
  must(faults.length === 1, `One test was to fail, and ${faults.length} did.`);
  tell.shows(
    'because',
    faults.map(({ message }) => message),
  );
  const complete = await owner.ask(
    'updatePolicy',
    { params, body: { rules: POLICY_RULES } },
    () => 'version 2 is a draft, with the same tests',
  );
  const added = POLICY_RULES.filter((rule) => !RULES_WITHOUT_CEILING.includes(rule));
  tell.shows(
    'new',
    added.map((rule) => formatRule(rule, words)),
  );
  await owner.ask(
    'activatePolicy',
    { params, body: { version_id: newest(complete), reason: 'With a ceiling' } },
    ({ active_version }) => `all tests pass; version ${active_version?.version_number} binds from now on`,
  );
};
