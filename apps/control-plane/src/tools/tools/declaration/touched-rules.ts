import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { TouchedRule } from '@svc/contract/tools/declarations.ts';
import type { ToolWarning } from '@svc/contract/tools/tools.ts';
import { keepsFromMatching } from '@svc/policy/analyse/keeps-from-matching.ts';
import { listTouchedFields, type ToolMove } from '@svc/policy/analyse/touched-fields.ts';
import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import { analyseInWorkerProcess } from '../../../policies/analysis/analyse-aside.ts';

export type TouchedRules = { readonly rules: readonly TouchedRule[]; readonly warnings: readonly ToolWarning[]; readonly isWhole: boolean };

/** Warnings about a rule that can match no request for the tool. */
const OUT_OF_REACH: ReadonlySet<string> = new Set(['no_tool', 'unknown_parameter']);

const MESSAGES = {
  LEAVES: 'Requests for this tool could match this rule, and could not any longer.',
  JOINS: 'Requests for this tool could not match this rule, and could from then on.',
} as const;

type Warnings = readonly PolicyWarning[];

const outOf = (warnings: Warnings): ReadonlySet<string> =>
  new Set(warnings.flatMap(({ kind, rule_id }) => (OUT_OF_REACH.has(kind) ? [rule_id] : [])));

const getKey = ({ kind, rule_id, pointer }: PolicyWarning): string => `${kind} ${rule_id} ${pointer}`;

/** Warns about a restricting rule that stops matching, or a permitting one that starts to: the author of the change must see it. */
const moveWarning = ({ id, effect }: PolicyRule, position: number, move: TouchedRule['move']): PolicyWarning[] => {
  const at = { rule_id: id, pointer: `/rules/${position}` };
  if (move === 'LEAVES' && effect !== 'ALLOW') return [{ kind: 'no_tool', ...at, message: MESSAGES.LEAVES }];
  const permits = effect === 'ALLOW' || effect === 'REQUIRE_APPROVAL';
  return move === 'JOINS' && permits ? [{ kind: 'newly_permits', ...at, message: MESSAGES.JOINS }] : [];
};

/** True if rules see no difference. */
export const isSameTool = ({ before, after }: ToolMove): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Analyses the version with the tool before and after the change; null if the analysis failed. */
const analysed = async (
  organizationId: string,
  { body }: PolicySource,
  move: ToolMove,
): Promise<{ was: Warnings; is: Warnings } | null> => {
  if (isSameTool(move)) return { was: [], is: [] };
  const unrated = new Map<string, string>();
  const [was, is] = await Promise.all(
    [move.before, move.after].map((tool) => analyseInWorkerProcess(organizationId, { body, tools: [tool], unrated })),
  );
  return was && is && was.complete && is.complete ? { was: was.warnings, is: is.warnings } : null;
};

const getMove = (rule: PolicyRule, out: { was: ReadonlySet<string>; is: ReadonlySet<string> }, fields: readonly string[]) => {
  const [was, is] = [out.was.has(rule.id), out.is.has(rule.id)];
  if (was && is) return undefined;
  if (was !== is) return is ? ('LEAVES' as const) : ('JOINS' as const);
  return fields.length === 0 ? undefined : ('READS' as const);
};

/** Returns the rules of one version in force that a change of a tool affects, and the likely mistakes. */
export const listAffectedRules = async (organizationId: string, source: PolicySource, move: ToolMove): Promise<TouchedRules> => {
  const { policy_id, policy_name, version_id, body } = source;
  const of = { policy_id, policy_name, version_id };
  const found = await analysed(organizationId, source, move);
  const { was, is } = found ?? { was: [], is: [] };
  const out = { was: outOf(was), is: outOf(is) };
  const known = new Set(was.map(getKey));
  const touched = body.rules.flatMap((rule, position) => {
    const fields = listTouchedFields(rule, move);
    const each = getMove(rule, out, fields);
    return each === undefined ? [] : [{ rule, position, move: each, fields }];
  });
  const moved = touched.flatMap(({ rule, position, move: each }) => moveWarning(rule, position, each));
  const dodged = is.filter(
    (warning) => (warning.kind === 'other_element' || keepsFromMatching(warning, body)) && !known.has(getKey(warning)),
  );
  return {
    rules: touched.map(({ rule, move: each, fields }) => ({ ...of, rule_id: rule.id, effect: rule.effect, move: each, fields })),
    warnings: [...moved, ...dodged].map((warning) => ({ ...of, ...warning })),
    isWhole: found !== null,
  };
};
