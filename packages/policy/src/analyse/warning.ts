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
  /** A tool that the rule is about has no such parameter. */
  'unknown_parameter',
  /** A request can leave out what a strict rule reads, so that it does not match. */
  'missing_field',
  /** A request can give what a strict rule reads another type, so that it does not match. */
  'mistyped_field',
] as const;
export type WarningKind = (typeof WARNING_KINDS)[number];

export type Warning = {
  readonly kind: WarningKind;
  readonly rule_id: string;
  readonly other_rule_id?: string;
  /** RFC 6901 pointer into the version body. */
  readonly pointer: string;
  readonly message: string;
  /** A request it happens to, as a test would give it. */
  readonly example?: Readonly<Record<string, unknown>>;
};
