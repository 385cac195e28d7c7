import type { BuilderSchema, Malformed } from './version.ts';
import { wrongCases } from './wrong-cases.ts';
import { wrongDemands } from './wrong-demands.ts';
import { wrongFields, wrongOperators } from './wrong-fields.ts';
import { wrongMembers } from './wrong-members.ts';
import { wrongShapes } from './wrong-shapes.ts';
import { wrongSpellings } from './wrong-spellings.ts';

/** Every version with one thing wrong that the language itself refuses. */
export const malformedVersions = (schema: BuilderSchema): readonly Malformed[] => [
  ...wrongMembers(),
  ...wrongFields(schema),
  ...wrongOperators(schema),
  ...wrongSpellings(),
  ...wrongDemands(),
  ...wrongShapes(),
  ...wrongCases(),
];
