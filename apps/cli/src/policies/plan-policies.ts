import { isDeepStrictEqual } from 'node:util';
import type { OperationTypes } from '@svc/client/client.ts';
import { isServiceError, type ServiceError } from '@svc/client/errors.ts';
import { listAll } from '@svc/client/list-all.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { Cli } from '../session/cli.ts';
import { FILES_MAX, type PolicyFile } from './read-folder.ts';

export type StoredPolicy = OperationTypes['getPolicy']['result'];
export type PolicyCheckResult = OperationTypes['checkPolicy']['result'];

export type Difference = { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly string[] };

/** Effect of applying one file. */
export type PlanStep = {
  readonly file: PolicyFile;
  readonly kind: 'create' | 'draft' | 'activate' | 'none';
  readonly policy: StoredPolicy | undefined;
  readonly rules: Difference;
  readonly tests: Difference;
  readonly check: PolicyCheckResult | undefined;
  /** Faults of the rules or the tests, which keep the file from being saved. */
  readonly fault: ServiceError | undefined;
};

export type Plan = { readonly steps: readonly PlanStep[]; readonly extra: readonly StoredPolicy[] };

const keyed = (items: readonly unknown[], key: string): ReadonlyMap<string, unknown> =>
  new Map(items.map((item, index) => [String((item as JsonObject)[key] ?? index), item]));

const difference = (before: readonly unknown[], after: readonly unknown[], key: string): Difference => {
  const [old, now] = [keyed(before, key), keyed(after, key)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, item]) => old.has(name) && !isDeepStrictEqual(old.get(name), item)).map(([name]) => name),
  };
};

const newest = (policy: StoredPolicy) => policy.versions.toSorted((left, right) => right.version_number - left.version_number)[0];

const isSame = (file: PolicyFile, policy: StoredPolicy): boolean => {
  const version = newest(policy);
  return (
    version !== undefined &&
    isDeepStrictEqual([version.rules, version.tests], [file.rules, file.tests]) &&
    policy.name === file.name &&
    (file.description === undefined || policy.description === file.description) &&
    (file.currency === undefined || version.currency === file.currency)
  );
};

const findKind = (file: PolicyFile, policy: StoredPolicy | undefined): PlanStep['kind'] => {
  if (policy === undefined) return 'create';
  if (!isSame(file, policy)) return 'draft';
  return policy.active_version?.version_id === newest(policy)?.version_id ? 'none' : 'activate';
};

/** Every policy of the organization, up to the number of files that a folder may hold. */
export const readPolicies = async (cli: Cli): Promise<readonly StoredPolicy[]> => {
  const { client } = await cli.connect();
  const policies: StoredPolicy[] = [];
  for await (const policy of listAll(client, 'listPolicies', { query: { limit: 100 } })) {
    policies.push(policy);
    if (policies.length >= FILES_MAX) break;
  }
  return policies;
};

const checkFile = async (cli: Cli, file: PolicyFile, days: number | undefined): Promise<PolicyCheckResult | ServiceError> => {
  const { client } = await cli.connect();
  const outcome = await client.request('checkPolicy', {
    body: {
      rules: [...file.rules],
      tests: [...file.tests],
      ...(file.id === undefined ? {} : { policy_id: file.id }),
      ...(file.currency === undefined ? {} : { currency: file.currency }),
      ...(file.id !== undefined || file.binding === undefined ? {} : { binding: file.binding }),
      ...(days === undefined ? {} : { days }),
    },
  });
  if (outcome.ok) return outcome.body;
  if (isServiceError(outcome.error, 'INVALID_POLICY', 'VALIDATION_FAILED')) return outcome.error;
  throw outcome.error;
};

export type PlanOptions = { readonly days: number | undefined /** Also checks files without a change. */; readonly all?: boolean };

/** Compares files with the service. Nothing is written. */
export const planPolicies = async (cli: Cli, files: readonly PolicyFile[], { days, all = false }: PlanOptions): Promise<Plan> => {
  const policies = await readPolicies(cli);
  const steps: PlanStep[] = [];
  for (const given of files) {
    const policy = policies.find(({ id, name }) => (given.id === undefined ? name === given.name : id === given.id));
    const file = policy === undefined ? { ...given, id: undefined } : { ...given, id: policy.id };
    const kind = findKind(file, policy);
    const before = policy === undefined ? undefined : newest(policy);
    const checked = kind === 'none' && !all ? undefined : await checkFile(cli, file, days);
    const isFault = isServiceError(checked);
    steps.push({
      file,
      kind,
      policy,
      rules: difference(before?.rules ?? [], file.rules, 'id'),
      tests: difference(before?.tests ?? [], file.tests, 'name'),
      check: isFault ? undefined : checked,
      fault: isFault ? checked : undefined,
    });
  }
  const known = new Set(steps.map(({ policy }) => policy?.id));
  return { steps, extra: policies.filter(({ id, active_version }) => !known.has(id) && active_version !== null) };
};

export const hasChanges = ({ steps }: Plan): boolean => steps.some(({ kind }) => kind !== 'none');

/** True if a test fails, an invariant is violated, or a file cannot be saved. */
export const isBlocked = ({ steps }: Plan): boolean => steps.some(isStepBlocked);

export const isStepBlocked = ({ fault, check }: PlanStep): boolean =>
  fault !== undefined ||
  (check !== undefined && (check.tests.failed > 0 || check.invariants.some(({ verdict }) => verdict === 'VIOLATED')));
