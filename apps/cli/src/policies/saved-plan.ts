import { hash } from 'node:crypto';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { isObject, parseObject, readText, writePrivateFile } from '../files/json-file.ts';
import type { Cli } from '../session/cli.ts';
import { escapeControlCharacters } from '../terminal/io.ts';
import type { Plan, PlanStep, StoredPolicy } from './plan-policies.ts';

const FORMAT = 1;

/** Versions of a policy that a plan was made on. */
const showVersions = (policy: StoredPolicy): JsonObject => ({
  id: policy.id,
  newest: Math.max(0, ...policy.versions.map(({ version_number }) => version_number)),
  active: policy.active_version?.version_number ?? null,
});

const hashFile = ({ name, description, currency, binding, rules, tests }: PlanStep['file']): string =>
  hash('sha256', JSON.stringify([name, description ?? null, currency ?? null, binding ?? null, rules, tests]));

const listParts = ({ steps, extra }: Plan): ReadonlyMap<string, JsonObject> =>
  new Map([
    ...steps.map(({ file, kind, policy }): [string, JsonObject] => [
      file.name,
      { change: kind, file: hashFile(file), policy: policy === undefined ? null : showVersions(policy) },
    ]),
    ...extra.map((policy): [string, JsonObject] => [policy.name, { change: 'no file', file: null, policy: showVersions(policy) }]),
  ]);

/** Writes the versions and files that a plan was made on, for `apply --plan`. */
export const savePlan = (cli: Cli, path: string, plan: Plan): void =>
  writePrivateFile(
    path,
    `${JSON.stringify({ format: FORMAT, url: cli.url(), policies: Object.fromEntries(listParts(plan)) }, undefined, 2)}\n`,
  );

const describeVersions = (policy: unknown): string =>
  isObject(policy) ? `version ${policy.newest}, ${policy.active === null ? 'none active' : `${policy.active} active`}` : 'not there';

const getOutdated = (text: string): CommandError =>
  new CommandError(EXIT.conflict, text, 'svc policies plan --out <file>', 'PLAN_OUTDATED');

/** Refuses a plan that was made on other versions or files than those of now. Nothing has been written then. */
export const checkSavedPlan = (cli: Cli, path: string, plan: Plan): void => {
  const saved = parseObject(readText(path), path);
  const { policies } = saved;
  if (saved.format !== FORMAT || !isObject(policies))
    throw new CommandError(EXIT.usage, `${path} is not a plan that "svc policies plan --out" wrote.`);
  if (saved.url !== cli.url()) throw getOutdated(`The plan is for ${escapeControlCharacters(String(saved.url))}.`);
  const now = listParts(plan);
  for (const name of new Set([...Object.keys(policies), ...now.keys()])) {
    const before = Object.hasOwn(policies, name) ? policies[name] : undefined;
    const after = now.get(name);
    const shown = escapeControlCharacters(name);
    if (!isObject(before) || after === undefined)
      throw getOutdated(`${shown} ${after === undefined ? 'was removed' : 'was added'} since the plan.`);
    if (JSON.stringify(before.policy) !== JSON.stringify(after.policy))
      throw getOutdated(
        `${shown} was changed since the plan: ${describeVersions(after.policy)}, planned on ${describeVersions(before.policy)}. Nothing was applied.`,
      );
    if (before.file !== after.file) throw getOutdated(`The file of ${shown} was changed since the plan. Nothing was applied.`);
  }
};
