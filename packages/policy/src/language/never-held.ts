import type { FieldRow } from './field-row.ts';
import type { PolicyField } from './find-field.ts';

const SMALL = 'lower-case letters, digits, "_", "-" and "."';

/** Returns the likely intent: the same text in lower case, without anything around it. */
const meant = (written: string, spelling: RegExp, before: string): string => {
  const near = written.trim().toLowerCase();
  return spelling.test(near) ? ` Did you mean "${before}${near}"?` : '';
};

const shown = (written: string): string => JSON.stringify(written.slice(0, 80));

/**
 * Returns why no agent has the label that a field names, or null: the service rejects such a name, so that a rule on it would never match.
 */
export const findLabelFault = ({ row, segments }: PolicyField): string | null => {
  const [{ key } = { key: '' }] = segments;
  if (row.key_pattern === undefined) return null;
  const spelling = new RegExp(row.key_pattern);
  if (spelling.test(key)) return null;
  const spelled = `at most 63 characters, consisting of ${SMALL}, and begin and end with a letter or digit`;
  return `No agent has the label ${shown(key)}: label names are ${spelled}.${meant(key, spelling, row.name.slice(0, -1))}`;
};

/** Returns why no request contains the value in the list of the field, or null. */
export const findElementFault = (row: FieldRow, value: unknown): string | null => {
  if (row.element_pattern === undefined || typeof value !== 'string') return null;
  const spelling = new RegExp(row.element_pattern);
  if (spelling.test(value)) return null;
  return `${row.name} never contains ${shown(value)}: its values are compared as a whole and consist of parts of ${SMALL}, joined by dots.${meant(value, spelling, '')}`;
};
