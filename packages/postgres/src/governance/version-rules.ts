import type { VersionBody } from '@svc/contract/policies/language.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { compileConditions } from '@svc/policy/judge/compile-version.ts';
import { fieldConditions } from '@svc/policy/language/field-conditions.ts';
import { newKeptByBytes } from '@svc/policy/values/kept-by-bytes.ts';
import { compilePattern } from '@svc/policy/values/linear-pattern.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { fitRules } from './fit-version.ts';
import { inBatches } from './in-batches.ts';
import { newTurns } from './take-turns.ts';

export type Rules = VersionBody['rules'];
/** `rules_hash` distinguishes rules that were changed in the database, although versions are immutable. */
export type VersionHead = { readonly version_id: string; readonly rule_bytes: number; readonly rules_hash: string };

/** Approximate memory of compiled rules per byte of their JSON, and per version. */
const BYTES_PER_BYTE = 10;
const BYTES_PER_VERSION = 4_096;

export const estimateRulesBytes = (head: Pick<VersionHead, 'rule_bytes'>): number => head.rule_bytes * BYTES_PER_BYTE + BYTES_PER_VERSION;

/** Rules of versions that are in force: read, validated as what is saved is, and compiled once for all environments and agents they are bound to. */
const kept = newKeptByBytes<Rules>(LIMITS.snapshots.versionBytesMax);

const getKey = (organizationId: string, { version_id, rules_hash }: VersionHead): string => `${organizationId}/${version_id}/${rules_hash}`;

/** Reads the rules of each version, in parts, so that no one waits for the whole. */
export const readRules = async (
  tx: TenantTransaction,
  organizationId: string,
  heads: readonly VersionHead[],
): Promise<ReadonlyMap<string, Rules>> => {
  const found = new Map<string, Rules>();
  const missing = new Map<string, VersionHead>();
  for (const head of heads) {
    const known = kept.get(getKey(organizationId, head));
    if (known === undefined) missing.set(head.version_id, head);
    else found.set(head.version_id, known);
  }
  const turn = newTurns();
  for (const batch of inBatches([...missing.values()], ({ rule_bytes }) => rule_bytes)) {
    const ids = batch.map(({ version_id }) => version_id);
    const { rows } = await sql<{ id: string; rules: string }>`
      select id, rules::text as rules from policy_versions where organization_id = ${organizationId} and id = any(${ids})`.execute(tx);
    for (const { id, rules: text } of rows) {
      const rules = fitRules(id, text);
      const head = missing.get(id) as VersionHead;
      found.set(id, rules);
      kept.keep(getKey(organizationId, head), rules, estimateRulesBytes(head));
    }
    await turn();
  }
  return found;
};

/** Prepares the patterns of a rule one by one. */
const readPreparePatterns = async ({ when }: Rules[number], turn: ReturnType<typeof newTurns>): Promise<void> => {
  for (const { condition } of fieldConditions(when)) {
    if (condition.op !== 'matches') continue;
    compilePattern(String(condition.value), condition.field === 'destination.host');
    await turn();
  }
};

/** Prepares the patterns of rules; compiling the rules then finds them ready. */
export const preparePatterns = async (rules: Rules, turn: ReturnType<typeof newTurns>): Promise<void> => {
  for (const rule of rules) await readPreparePatterns(rule, turn);
};

/** Compiles the patterns and conditions of rules in advance, one rule after the other; compiling a version then uses the results. */
export const prepareRules = async (rules: Rules, turn: ReturnType<typeof newTurns>): Promise<void> => {
  for (const rule of rules) {
    await readPreparePatterns(rule, turn);
    compileConditions(rule);
    await turn();
  }
};
