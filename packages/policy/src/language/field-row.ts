import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { FieldType } from './field-types.ts';
import type { HeldValues } from './held-values.ts';

/** The definition of one field. */
export type FieldRow = {
  /** Dotted name; a name that ends in `.*` stands for a family whose members the rule names. */
  readonly name: string;
  /** How a member of a family is named: by one literal key, or by a path. */
  readonly family?: 'key' | 'path';
  /** Pattern of that key, if not all keys are allowed. */
  readonly key_pattern?: string;
  readonly type: FieldType;
  readonly unit?: string;
  /** The values of the field, if they are enumerated. */
  readonly values?: readonly string[];
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
  /** Pattern of a whole value, and its description. */
  readonly pattern?: string;
  readonly spelling?: string;
  /**
   * The texts of that pattern that a request can contain. Another one gets a warning and is never refused: the list of currencies changes.
   */
  readonly held?: HeldValues;
  /** The largest number that a request can contain, if the field admits more. A condition that needs a larger one never holds. */
  readonly held_max?: number;
  /** Pattern of a list element. */
  readonly element_pattern?: string;
  readonly example: string | number | boolean;
  readonly sentence: string;
  /** True for texts that separate most rules: rules that require a value here are indexed by it. */
  readonly indexed?: true;
  /** Why no request contains it in this version of the service: a rule may read it, and finds it unknown. */
  readonly unknown_because?: string;
  /** Returns true for a context that contains only a part of the value: a lower bound of a number, some elements of a list. */
  readonly partial?: (context: PolicyContext) => boolean;
  /** Returns the value, or for a family the object with its members. */
  readonly read: (context: PolicyContext) => unknown;
};
