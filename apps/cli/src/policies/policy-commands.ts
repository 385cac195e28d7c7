import { writeFileSync } from 'node:fs';
import { sendWithConfirmation } from '../calls/guarded.ts';
import { resolveId } from '../calls/resolve-name.ts';
import { CommandError, EXIT, type ExitCode, getUsageError } from '../exit-codes.ts';
import { printResult } from '../output/print.ts';
import type { Cli } from '../session/cli.ts';
import type { HandOptions, RunCommand } from '../session/hand-command.ts';
import { readDuration } from '../session/read-timeout.ts';
import { askText, confirmDanger } from '../terminal/ask.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import {
  hasChanges,
  isBlocked,
  isStepBlocked,
  type Plan,
  type PlanStep,
  planPolicies,
  readPolicies,
  type StoredPolicy,
} from './plan-policies.ts';
import { formatJunit, formatMarkdown, planLines } from './print-plan.ts';
import { getPoliciesFolder, type PolicyFile, readFolder, readPolicyFile, writePolicyFile } from './read-folder.ts';
import { checkSavedPlan, savePlan } from './saved-plan.ts';

const DAY_MS = 86_400_000;

const listDays = ({ days }: HandOptions): number | undefined =>
  typeof days === 'string' ? (/^\d{1,4}$/.test(days) ? Number(days) : Math.round(readDuration(days) / DAY_MS)) : undefined;

const schemaUrl = (cli: Cli): string => `${cli.url()}/v1/policies/schema`;

const newest = (policy: StoredPolicy): StoredPolicy['versions'][number] | undefined =>
  policy.versions.toSorted((left, right) => right.version_number - left.version_number)[0];

const asFile = (policy: StoredPolicy, version: StoredPolicy['versions'][number]): Omit<PolicyFile, 'path'> => {
  const [binding] = policy.bindings;
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    currency: version.currency,
    binding: binding === undefined ? undefined : { scope: binding.scope, id: binding.target_id },
    rules: version.rules as PolicyFile['rules'],
    tests: version.tests as PolicyFile['tests'],
  };
};

/** Writes every policy into a file: the active version, or the newest one of a policy that is not active. */
export const pullPolicies: RunCommand = async (cli, [given]) => {
  const folder = getPoliciesFolder(cli, given);
  const existing = new Map<string, string>();
  try {
    for (const file of readFolder(folder)) if (file.id !== undefined) existing.set(file.id, file.path);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
  }
  const written: { readonly name: string; readonly file: string }[] = [];
  for (const policy of await readPolicies(cli)) {
    const version = policy.versions.find(({ version_id }) => version_id === policy.active_version?.version_id) ?? newest(policy);
    if (version === undefined) continue;
    const path = existing.get(policy.id);
    written.push({
      name: policy.name,
      file: writePolicyFile(folder, schemaUrl(cli), { ...asFile(policy, version), ...(path === undefined ? {} : { path }) }),
    });
  }
  printResult(cli, written);
};

const findPlan = async (cli: Cli, given: string | undefined, options: HandOptions): Promise<Plan> => {
  const plan = await planPolicies(cli, readFolder(getPoliciesFolder(cli, given)), { days: listDays(options) });
  if (typeof options.junit === 'string') writeFileSync(options.junit, formatJunit(plan.steps));
  return plan;
};

const planResult = ({ steps, extra }: Plan) => ({
  changes: steps.map(({ file, kind, policy, rules, tests, check, fault }) => ({
    file: file.path,
    name: file.name,
    policy_id: policy?.id ?? null,
    change: kind,
    rules,
    tests,
    check: check ?? null,
    fault: fault === undefined ? null : { code: fault.code, message: fault.message, faults: fault.faults },
  })),
  not_in_folder: extra.map(({ id, name }) => ({ id, name })),
});

const printPlan = (cli: Cli, plan: Plan, prunes = false): void => {
  for (const line of planLines(cli, plan, prunes)) cli.io.out(line);
};

/** Shows what applying the folder would change, with tests, proofs, and the recorded actions that would be decided otherwise. */
export const showPlan: RunCommand = async (cli, [given], options): Promise<ExitCode> => {
  const plan = await findPlan(cli, given, options);
  if (typeof options.out === 'string') savePlan(cli, options.out, plan);
  printResult(cli, planResult(plan), () => {
    if (options.markdown === true) cli.io.out(formatMarkdown(cli, plan));
    else printPlan(cli, plan, options.prune === true);
  });
  if (isBlocked(plan)) return EXIT.failed;
  const isChanging = hasChanges(plan) || listPruned(plan, options).length > 0;
  return options.detailedExitcode === true && isChanging ? EXIT.changes : EXIT.ok;
};

/** Saves one file as a draft. A version that someone saved meanwhile is not overwritten. */
const saveDraft = async (cli: Cli, { file, kind, policy }: PlanStep): Promise<{ readonly id: string; readonly versionId: string }> => {
  const { client } = await cli.connect();
  const content = {
    name: file.name,
    rules: [...file.rules],
    tests: [...file.tests],
    ...(file.description === undefined ? {} : { description: file.description }),
    ...(file.currency === undefined ? {} : { currency: file.currency }),
  };
  if (kind === 'create') {
    const created = await client.createPolicy({ body: { ...content, ...(file.binding === undefined ? {} : { binding: file.binding }) } });
    writePolicyFile(getPoliciesFolder(cli, undefined), schemaUrl(cli), { ...file, id: created.id });
    return { id: created.id, versionId: newest(created)?.version_id ?? '' };
  }
  if (policy === undefined) throw new TypeError('a change of a policy names the policy');
  // A version that was active before, such as that of a suspended policy, cannot be activated again: its content is saved as a new draft.
  const last = newest(policy);
  if (kind === 'activate' && last?.status === 'DRAFT') return { id: policy.id, versionId: last.version_id };
  const expected = last?.version_number;
  const saved = await client.updatePolicy({
    params: { policyId: policy.id },
    body: { ...content, ...(expected === undefined ? {} : { expected_version: expected }) },
  });
  return { id: policy.id, versionId: newest(saved)?.version_id ?? '' };
};

/** Active policies without a file, which a folder without files does not suspend. */
const listPruned = ({ steps, extra }: Plan, { prune }: HandOptions): readonly StoredPolicy[] => {
  if (prune !== true) return [];
  if (steps.length === 0) throw getUsageError('The folder has no policy files: --prune would suspend every policy.');
  return extra;
};

/** Suspends policies that have no file. One that was changed since the plan stays as it is. */
const suspendPruned = async (cli: Cli, pruned: readonly StoredPolicy[], reason: string, options: HandOptions): Promise<void> => {
  const { client } = await cli.connect();
  for (const { id, name, active_version } of pruned) {
    const now = await client.getPolicy({ params: { policyId: id } });
    if (now.active_version?.version_id !== active_version?.version_id)
      throw new CommandError(
        EXIT.conflict,
        `${escapeControlCharacters(name)} was changed since the plan and stays active.`,
        'svc policies plan',
        'PLAN_OUTDATED',
      );
    const body = { reason, accept_warnings: options.acceptWarnings === true };
    await sendWithConfirmation(cli, 'suspendPolicy', (connection) => connection.client.suspendPolicy({ params: { policyId: id }, body }));
  }
};

const askApply = async (
  cli: Cli,
  changed: number,
  pruned: number,
  { activates, yes }: { activates: boolean; yes: boolean },
): Promise<void> => {
  const parts = [
    ...(changed === 0 ? [] : [`${activates ? 'Save and activate' : 'Save'} ${changed} policies`]),
    ...(pruned === 0 ? [] : [`Suspend ${pruned} policies that have no file`]),
  ];
  if (parts.length > 0) await confirmDanger(cli.io, `${parts.join('. ')}?`, yes);
};

/** Saves changed files as drafts, and activates them if a person asks for it. An API key leaves them for review. */
export const applyPlan: RunCommand = async (cli, [given], options): Promise<ExitCode> => {
  const plan = await findPlan(cli, given, options);
  if (typeof options.plan === 'string') checkSavedPlan(cli, options.plan, plan);
  for (const line of planLines(cli, plan, options.prune === true)) cli.io.note(line);
  if (plan.steps.some(isStepBlocked))
    throw new CommandError(
      EXIT.failed,
      'Nothing was applied: a test fails, an invariant is violated, or a file is invalid.',
      'svc policies plan',
      'PLAN_BLOCKED',
    );
  const steps = plan.steps.filter(({ kind }) => kind !== 'none');
  const { isKey, url } = await cli.connect();
  const activates = !isKey && options.draftOnly !== true;
  const missing = listPruned(plan, options);
  const pruned = activates ? missing : [];
  await askApply(cli, steps.length, pruned.length, { activates, yes: cli.options.yes === true });
  const isChanging = activates && steps.length + pruned.length > 0;
  const reason = typeof options.reason === 'string' ? options.reason : isChanging ? await askText(cli.io, 'Reason', '--reason') : '';
  const applied: { readonly id: string; readonly name: string; readonly version_id: string; readonly active: boolean }[] = [];
  for (const step of steps) {
    const { id, versionId } = await saveDraft(cli, step);
    if (activates)
      await sendWithConfirmation(cli, 'activatePolicy', ({ client }) =>
        client.activatePolicy({
          params: { policyId: id },
          body: { version_id: versionId, reason, accept_warnings: options.acceptWarnings === true },
        }),
      );
    applied.push({ id, name: step.file.name, version_id: versionId, active: activates });
  }
  await suspendPruned(cli, pruned, reason, options);
  for (const { id, name } of pruned) cli.io.note(`${escapeControlCharacters(name)}  ${id}  suspended`);
  printResult(cli, applied, () => {
    for (const { id, name, active } of applied) cli.io.out(`${escapeControlCharacters(name)}  ${id}  ${active ? 'active' : 'draft'}`);
  });
  if (activates || steps.length + missing.length === 0) return EXIT.ok;
  cli.io.note(`A person reviews and activates the drafts: ${url}/policies`);
  return EXIT.waits;
};

/** Checks one file or a folder as it is: validity, warnings, tests and proofs. */
const checkFiles = async (cli: Cli, files: readonly PolicyFile[], options: HandOptions): Promise<Plan> => {
  const plan = await planPolicies(cli, files, { days: listDays(options) ?? 0, all: true });
  if (typeof options.junit === 'string') writeFileSync(options.junit, formatJunit(plan.steps));
  return plan;
};

const filesAt = (cli: Cli, given: string | undefined): readonly PolicyFile[] =>
  given?.endsWith('.json') ? [readPolicyFile(given)] : readFolder(getPoliciesFolder(cli, given));

export const checkPolicies: RunCommand = async (cli, [given], options): Promise<ExitCode> => {
  const plan = await checkFiles(cli, filesAt(cli, given), options);
  printResult(cli, planResult(plan), () => printPlan(cli, plan));
  return isBlocked(plan) ? EXIT.failed : EXIT.ok;
};

/** Runs the tests of a policy of the service, or of files. */
export const testPolicies: RunCommand = async (cli, [given], options): Promise<ExitCode> => {
  if (given === undefined || given.endsWith('.json') || given.includes('/')) {
    const files = filesAt(cli, given);
    if (files.length === 0) throw getUsageError('There are no policy files.');
    return (await checkPolicies(cli, given === undefined ? [] : [given], options)) === EXIT.ok ? EXIT.ok : EXIT.failed;
  }
  const { client } = await cli.connect();
  const report = await client.runPolicyTests({ params: { policyId: await resolveId(cli, 'policyId', given) } });
  printResult(cli, report, () => {
    for (const { name, passed, difference } of report.results)
      cli.io.out(
        `${passed ? cli.io.paint('green', 'pass') : cli.io.paint('red', 'FAIL')}  ${escapeControlCharacters(name)}${difference === null ? '' : `: ${escapeControlCharacters(difference)}`}`,
      );
    if (report.untested_rules.length > 0)
      cli.io.note(`Rules without a test: ${report.untested_rules.map(escapeControlCharacters).join(', ')}`);
  });
  return report.failed === 0 ? EXIT.ok : EXIT.failed;
};
