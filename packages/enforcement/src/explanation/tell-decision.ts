import type { Decision } from '@svc/contract/actions/decisions.ts';
import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import { serializeExplanation } from './tell-explanation.ts';

/** Members of a decision. A new one that is not named here does not compile. */
type Told =
  | 'action_id'
  | 'decision'
  | 'status'
  | 'mode'
  | 'code'
  | 'reason'
  | 'explanation'
  | 'approval'
  | 'execution'
  | 'details'
  | 'request_id';
const END: [Exclude<keyof Decision, Told>] extends [never] ? '}' : never = '}';

/** Quotes a word that needs no escaping: an identifier, a code, or a member of an enumeration. */
const word = (text: string | null): string => (text === null ? 'null' : `"${text}"`);

const member = (name: string, value: object | undefined): string => (value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`);

const begin = (told: Decision, rules: readonly CompiledRule[]): string => {
  const { action_id, decision, status, mode, code, reason, explanation, approval } = told;
  const head = `{"action_id":${word(action_id)},"decision":"${decision}","status":"${status}","mode":"${mode}","code":${word(code)},`;
  return `${head}"reason":${JSON.stringify(reason)},"explanation":${serializeExplanation(explanation, rules)}${member('approval', approval)}`;
};

const end = ({ details, request_id }: Decision): string => `${member('details', details)},"request_id":"${request_id}"${END}`;

/** Serializes a decision for the response. `rules` are those of the `matched_rules` of its explanation. */
export const serializeDecision = (told: Decision, rules: readonly CompiledRule[]): string =>
  `${begin(told, rules)}${member('execution', told.execution)}${end(told)}`;

/** The same in two parts, between which the JSON of the execution's result is inserted. */
export const serializeDecisionParts = (told: Decision, rules: readonly CompiledRule[]): readonly [before: string, after: string] => {
  const { result: _elsewhere, ...execution } = told.execution ?? { state: 'EXECUTED' as const };
  return [`${begin(told, rules)}${member('execution', execution).slice(0, -1)},"result":`, `}${end(told)}`];
};
