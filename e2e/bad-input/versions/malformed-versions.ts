import type { BuilderSchema, Malformed } from './version.ts';
import { WRONG_CASES } from './wrong-cases.ts';
import { wrongDemands } from './wrong-demands.ts';
import { wrongFields, wrongOperators } from './wrong-fields.ts';
import { WRONG_MEMBERS } from './wrong-members.ts';
import { WRONG_SHAPES } from './wrong-shapes.ts';
import { wrongSpellings } from './wrong-spellings.ts';

/** Versions with one fault each that the language refuses. */
export const malformedVersions = (schema: BuilderSchema): readonly Malformed[] => [
  ...WRONG_MEMBERS,
  ...wrongFields(schema),
  ...wrongOperators(schema),
  ...wrongSpellings(),
  ...wrongDemands(),
  ...WRONG_SHAPES,
  ...WRONG_CASES,
];
