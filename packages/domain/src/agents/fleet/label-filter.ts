import { LIMITS } from '@svc/contract/tables/limits.ts';

/** Labels that an agent has to have: with these values, and of these names with any. */
export type LabelFilter = { readonly values: Readonly<Record<string, string>>; readonly names: readonly string[] };

const NAME = /^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$/;

const WRITTEN =
  'Must be a comma-separated list of name=value or name; a name consists of lower-case letters and digits, with ".", "_" and "-" between them.';

/** Reads `name=value,name`; a value may hold anything but a comma. A fault is a sentence. */
export const readLabelFilter = (text: string): LabelFilter | { readonly fault: string } => {
  const { labelFiltersMax } = LIMITS.agents;
  const parts = text.split(',');
  if (parts.length > labelFiltersMax) return { fault: `Must have at most ${labelFiltersMax} labels.` };
  const values = new Map<string, string>();
  const names: string[] = [];
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = at < 0 ? part : part.slice(0, at);
    if (!NAME.test(name)) return { fault: WRITTEN };
    if (values.has(name) || names.includes(name)) return { fault: `The label ${name} is given twice.` };
    if (at < 0) names.push(name);
    else values.set(name, part.slice(at + 1));
  }
  return { values: Object.fromEntries(values), names };
};
