import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { FieldType } from './field-types.ts';
import type { HeldValues } from './held-values.ts';

/** What the language knows of one field. */
export type FieldRow = {
  /** Dotted name; a name that ends in `.*` stands for a family whose members the rule names. */
  readonly name: string;
  /** How a member of a family is named: by one key taken as it stands, or by a path. */
  readonly family?: 'key' | 'path';
  /** Spelling of that key, where not every one can be. */
  readonly key_pattern?: string;
  readonly type: FieldType;
  readonly unit?: string;
  /** The words the field can hold, where there is a list of them. */
  readonly values?: readonly string[];
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
  /** Spelling of a whole value, and the same in words. */
  readonly pattern?: string;
  readonly spelling?: string;
  /** Those of the texts so spelled that a request can hold. Another one is told, and refused nowhere: the list of currencies changes. */
  readonly held?: HeldValues;
  /** The largest number that a request can hold, where the field admits more. A condition that needs a larger one never holds. */
  readonly held_max?: number;
  /** Spelling of an element of a list. */
  readonly element_pattern?: string;
  readonly example: string | number | boolean;
  readonly sentence: string;
  /** True for texts that tell most rules apart: rules that demand a value here are found by it. */
  readonly indexed?: true;
  /** Why no request holds it in this version of the service: a rule may read it, and finds it unknown. */
  readonly unknown_because?: string;
  /** True for a context that holds only a part of the value: a lower bound of a number, some elements of a list. */
  readonly partial?: (context: PolicyContext) => boolean;
  /** The value, or for a family the object that holds its members. */
  readonly read: (context: PolicyContext) => unknown;
};
