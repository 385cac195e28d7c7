import type { BuilderSchema, Malformed } from './version.ts';
import { WRONG_CASES } from './wrong-cases.ts';
import { listWrongObligations } from './wrong-demands.ts';
import { listWrongFields, listWrongOperators } from './wrong-fields.ts';
import { WRONG_MEMBERS } from './wrong-members.ts';
import { WRONG_SHAPES } from './wrong-shapes.ts';
import { listWrongVariants } from './wrong-spellings.ts';

/** Versions with one fault each that the language refuses. */
export const getMalformedVersions = (schema: BuilderSchema): readonly Malformed[] => [
  ...WRONG_MEMBERS,
  ...listWrongFields(schema),
  ...listWrongOperators(schema),
  ...listWrongVariants(),
  ...listWrongObligations(),
  ...WRONG_SHAPES,
  ...WRONG_CASES,
];
