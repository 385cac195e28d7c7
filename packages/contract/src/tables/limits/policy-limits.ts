/** Limits of the policies of an organization together, and of one version. */
export const POLICY_SET_LIMITS = {
  policies: {
    conditionDepthMax: 8,
    rulesPerVersionMax: 200,
    conditionsPerVersionMax: 500,
    testCasesPerPreviewMin: 1,
    testCasesPerPreviewMax: 50,
    bindingsPerPolicyMax: 100,
    invariantsMax: 100,
    /** In force in one organization: policies, rules (counted once for each binding) and bytes of their versions as JSON. */
    policiesInForceMax: 500,
    rulesInForceMax: 10_000,
    bytesInForceMax: 4_194_304,
    diffReplayDays: 7,
    diffReplayDaysMax: 90,
    diffReplayActionsMax: 10_000,
    savedSimulationBytesMax: 16_384,
  },
} as const;

/** Limits of one policy version. Lengths are in UTF-16 code units, times in seconds. */
export const POLICY_LIMITS = {
  rules_max: POLICY_SET_LIMITS.policies.rulesPerVersionMax,
  conditions_max: POLICY_SET_LIMITS.policies.conditionsPerVersionMax,
  depth_max: POLICY_SET_LIMITS.policies.conditionDepthMax,
  tests_max: 200,
  preview_tests_max: POLICY_SET_LIMITS.policies.testCasesPerPreviewMax,
  rule_id_length_max: 64,
  test_name_length_max: 120,
  reason_length_max: 500,
  description_length_max: 2000,
  field_length_max: 256,
  path_segments_max: 16,
  value_length_max: 2048,
  values_max: 1000,
  pattern_length_max: 500,
  /** Instructions of one compiled pattern, and of all patterns of a version together. */
  pattern_size_max: 250,
  pattern_sizes_max: 500,
  /** Units of work (about a microsecond each) to prepare one pattern, and all patterns of a version. */
  pattern_work_max: 1_500,
  pattern_works_max: 6_000,
  /** Conditions of a version on paths with `*`: each reads everything that a request holds there. */
  star_conditions_max: 100,
  /** A longer text is not searched for a pattern. */
  matched_text_length_max: 8192,
  /** Units of work (about a nanosecond each) of one decision, over all applicable rules. */
  decision_work_max: 10_000_000,
  /** Counters that one decision may use, over all applicable rules: those of calls and those of amounts. */
  decision_counters_max: 64,
  nesting_max: 64,
  quorum_max: 10,
  /** People whom one rule names in addition to a role. */
  approvers_max: 20,
  escalation_seconds_min: 30,
  approval_seconds_min: 60,
  approval_seconds_max: 604_800,
  window_seconds_max: 2_678_400,
  calls_max: 1_000_000,
  mask_paths_max: 50,
} as const;
