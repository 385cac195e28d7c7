import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { FIELDS } from './fields.ts';
import { fieldsRead } from './fields-read.ts';

/** The reasons why no request contains certain fields in this version of the service. */
const REASONS: ReadonlyMap<string, string> = new Map(
  FIELDS.flatMap(({ name, unknown_because }) => (unknown_because === undefined ? [] : [[name, unknown_because] as const])),
);

export const whyNeverKnown = (field: string): string | undefined => REASONS.get(field);

/** Returns the fields of a rule that no request contains. */
export const listNeverKnownFields = ({ when }: Pick<PolicyRule, 'when'>): string[] => fieldsRead(when).filter((name) => REASONS.has(name));
