import { type Static, Type } from 'typebox';
import { closedObject, enumSchema } from '../rows/schema.ts';

/** Kinds of findings in a version. */
export const WARNING_KINDS = [
  /** No request can make the rule match. */
  'never_matches',
  /** Whenever the rule matches, a stricter one does too, and no obligation of the rule remains. */
  'shadowed',
  /** Both an ALLOW and a BLOCK rule match some request; BLOCK wins. */
  'overlap',
  /** No existing tool can make the rule match. */
  'no_tool',
  /** No tool that the rule is about has such a parameter, or none at all has one that it hides. */
  'unknown_parameter',
  /** A condition requires of a parameter what no tool that the rule is about permits: another type, or a value that is not listed. */
  'never_holds',
  /** A request can omit what a restricting rule reads, so that it does not match. */
  'missing_field',
  /** A request can use another type for what a restricting rule reads, so that it does not match. */
  'mistyped_field',
  /** A request states the field itself, independent of what the tool receives, and can state anything. */
  'stated_field',
  /** A request can put a text that a rule searches in a list, whose elements are compared whole. */
  'listed_text',
  /** The rule names a currency without an exchange rate; amounts in it are refused before any rule is evaluated. */
  'no_rate',
  /** The rule or a test reads a field that no request has in this version of the service. */
  'unknown_field',
  /** A condition compares a field with an impossible value: not an id, or an unknown currency. */
  'no_such_value',
  /** A condition reads a label, or a value of a label, that no agent currently has. */
  'no_such_label',
  /** A limit per root principal, where agents may act without a delegation and are then counted one by one. */
  'undelegated_limit',
  /** The last day of the rule has passed, so it no longer matches. */
  'over',
  /** The approving role does not exist. */
  'no_such_role',
  /** A named person is not a member, or may not approve. */
  'no_such_person',
  /** No one who may approve holds the role. */
  'no_approver',
  /** The quorum is larger than the number of possible approvers. */
  'quorum_too_large',
  /** A mask or a limit can match what no rule permits. */
  'permits_nothing',
  /** The change permits requests that were refused before, or drops an approval, a limit or a mask that held for them. */
  'newly_permits',
  /** Two conditions on the elements of one list, which different elements can meet. */
  'other_element',
  /**
   * One value of several suffices to be permitted or to keep a restricting rule from matching, and the rule does not state that this is
   * intended.
   */
  'one_element',
  /** A part of a host suffices to be permitted or to keep a restricting rule from matching, and hosts of others contain it too. */
  'other_host',
  /**
   * A part of a path suffices, and paths to other destinations contain it too; or a restricting rule matches one encoding of a path only.
   */
  'other_path',
  /** The same for an e-mail address: several addresses in one text, a longer domain, letters of another case. */
  'other_address',
] as const;

/** Kinds of warnings for a rule, or a part of it, without effect. A version with one is put in force only if the caller accepts it. */
export const INERT_WARNING_KINDS = [
  'never_matches',
  'unknown_parameter',
  'no_such_label',
  'unknown_field',
  'no_such_value',
  'no_such_role',
  'no_such_person',
  'no_approver',
  'quorum_too_large',
] as const satisfies readonly (typeof WARNING_KINDS)[number][];

/** A likely mistake in a version. It does not prevent saving. `example` is an affected request, in the form of a test. */
export const PolicyWarning = closedObject({
  kind: enumSchema(WARNING_KINDS),
  rule_id: Type.String(),
  other_rule_id: Type.Optional(Type.String()),
  pointer: Type.String({ description: 'RFC 6901 pointer into the version body.' }),
  message: Type.String(),
  example: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type PolicyWarning = Static<typeof PolicyWarning>;
