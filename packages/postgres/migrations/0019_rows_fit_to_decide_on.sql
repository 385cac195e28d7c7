-- What a decision reads is as the service writes it. Rows that are there already are not asked, so that no start depends on them: whoever
-- loads one that is not fit refuses.
alter table passports add constraint passports_end_at_a_moment check (isfinite(issued_at) and isfinite(expires_at)) not valid;
alter table delegations add constraint delegations_end_at_a_moment check (isfinite(expires_at)) not valid;
alter table approvals
  add constraint approvals_end_at_a_moment check (isfinite(expires_at)) not valid,
  add constraint approvals_ask_somebody check (quorum >= 1 and array_position(approver_roles, null) is null) not valid;
alter table exchange_rates add constraint exchange_rates_begin_at_a_moment check (isfinite(effective_at)) not valid;
alter table sessions add constraint sessions_end_at_a_moment check (isfinite(expires_at)) not valid;
alter table api_keys add constraint api_keys_end_at_a_moment check (isfinite(expires_at)) not valid;
alter table policy_versions add constraint policy_versions_rules_are_a_list check (json_typeof(rules) = 'array') not valid;
alter table tools add constraint tools_in_use_have_no_reason_not_to_be check (status <> 'ACTIVE' or disabled_reason is null) not valid;
alter table agents add constraint agents_count_from_one check (key_generation >= 1 and passport_version >= 1 and session_series >= 1) not valid;
alter table counters add constraint counters_count_up check (total >= 0 and total <> 'NaN') not valid;
alter table counter_uses add constraint counter_uses_count_up check (amount >= 0 and amount <> 'NaN' and total <> 'NaN') not valid;
