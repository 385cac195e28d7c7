alter table second_factors add column is_second_only boolean not null default false;

comment on column second_factors.is_second_only is 'Of a passkey: enrolled by whoever had come by the word of one organization''s provider alone, so that no sign-in begins with it.';

alter table second_factors no force row level security;
alter table sessions no force row level security;
update second_factors f set is_second_only = true
 where f.kind = 'PASSKEY'
   and exists (select from sessions s where s.id = f.enrolled_in and s.amr && array['SSO', 'SSO_MFA'] and not 'PASSWORD' = any(s.amr));
alter table second_factors force row level security;
alter table sessions force row level security;
