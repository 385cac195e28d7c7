import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { FIELDS } from './fields.ts';
import { fieldsRead } from './fields-read.ts';

/** Why no request holds a field in this version of the service, for those of which that is so. */
const REASONS: ReadonlyMap<string, string> = new Map(
  FIELDS.flatMap(({ name, unknown_because }) => (unknown_because === undefined ? [] : [[name, unknown_because] as const])),
);

export const whyNeverKnown = (field: string): string | undefined => REASONS.get(field);

/** The fields a rule reads that no request holds. */
export const neverKnownIn = ({ when }: Pick<PolicyRule, 'when'>): string[] => fieldsRead(when).filter((name) => REASONS.has(name));
