import { type Static, Type } from 'typebox';
import { closed, oneOf } from '../rows/schema.ts';

/** What the analysis of a version can find. */
export const WARNING_KINDS = [
  /** No request can make the rule match. */
  'never_matches',
  /** Whenever the rule matches, a stricter one does too, and nothing of the rule is left to hold. */
  'shadowed',
  /** Both an ALLOW and a BLOCK rule match some request; BLOCK wins. */
  'overlap',
  /** No tool there is can make the rule match. */
  'no_tool',
  /** No tool that the rule is about has such a parameter, or none at all has one that it hides. */
  'unknown_parameter',
  /** A condition asks of a parameter what no tool that the rule is about lets it be: another type, or a word that is not listed. */
  'never_holds',
  /** A request can leave out what a strict rule reads, so that it does not match. */
  'missing_field',
  /** A request can give what a strict rule reads another type, so that it does not match. */
  'mistyped_field',
  /** A request states itself what the rule goes by, beside what the tool receives, and can state anything. */
  'stated_field',
  /** A request can put a text that a rule looks into in a list, whose elements are compared whole. */
  'listed_text',
  /** The rule names a currency without an exchange rate; amounts in it are refused before any rule is asked. */
  'no_rate',
  /** The rule or a test reads a field that no request has in this version of the service. */
  'unknown_field',
  /** A condition compares a field with what it never holds: no id where ids are, or no currency that there is. */
  'no_such_value',
  /** A condition reads a label, or a value of a label, that no agent has at the moment. */
  'no_such_label',
  /** A limit per root principal, where agents may act without a delegation and are then counted one by one. */
  'undelegated_limit',
  /** The days that the rule is for are over, so that it matches no more. */
  'over',
  /** The role that is to approve is none there is. */
  'no_such_role',
  /** Somebody is named who is no member, or may not approve. */
  'no_such_person',
  /** Nobody who may approve holds the role. */
  'no_approver',
  /** More people are to approve than there are who could. */
  'quorum_too_large',
  /** A mask or a limit can match what no rule permits. */
  'permits_nothing',
  /** The change permits requests that were refused before, or drops an approval, a limit or a mask that held for them. */
  'newly_permits',
  /** Two conditions on the elements of one list, which different elements can meet. */
  'other_element',
  /** One value of several is enough to be permitted or to keep a strict rule from matching, and the rule does not say that it is meant so. */
  'one_element',
  /** A piece of a host is enough to be permitted or to keep a strict rule from matching, and hosts of others have it too. */
  'other_host',
  /** A piece of a path is enough, and paths that lead elsewhere have it too; or a strict rule looks for one spelling of a path. */
  'other_path',
  /** The same of an e-mail address: several addresses in one text, a longer domain, letters of another case. */
  'other_address',
] as const;

/** Of these, the kinds that say that a rule or a part of it has no effect. A version with one comes into force only if the caller accepts it. */
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

/** Something in a version that is likely not meant. It stops no saving. `example` is a request it happens to, as a test would give it. */
export const PolicyWarning = closed({
  kind: oneOf(WARNING_KINDS),
  rule_id: Type.String(),
  other_rule_id: Type.Optional(Type.String()),
  pointer: Type.String({ description: 'RFC 6901 pointer into the version body.' }),
  message: Type.String(),
  example: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type PolicyWarning = Static<typeof PolicyWarning>;
