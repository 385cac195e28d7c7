-- The word of an organization's identity provider counts in that organization. So does what a session proved or enrolled by that word.
alter table sessions add column vouched_amr text[] not null default '{}';
comment on column sessions.vouched_amr is 'Those of the proofs in amr that count in this organization only, because its provider vouched for them.';

alter table second_factors add column vouched_by text references organizations (id) on delete cascade;
comment on column second_factors.vouched_by is 'The organization whose provider vouched for the session that enrolled it, and in which alone it counts; null where it counts in all.';
create index second_factors_by_vouching on second_factors (vouched_by) where vouched_by is not null;

alter table recovery_codes add column vouched_by text references organizations (id) on delete cascade;
comment on column recovery_codes.vouched_by is 'As second_factors.vouched_by, of the session that these codes were made in.';
create index recovery_codes_by_vouching on recovery_codes (vouched_by) where vouched_by is not null;

-- Sessions, factors and codes that exist. Where the session that enrolled a factor is forgotten, a person without a password came by a provider.
alter table second_factors no force row level security;
alter table recovery_codes no force row level security;
alter table sessions no force row level security;
alter table users no force row level security;
alter table members no force row level security;
alter table sso_identities no force row level security;
update sessions set vouched_amr = array(select p from unnest(amr) p where p = 'DEVICE' or (p <> 'PASSWORD' and p <> 'MAIL_CODE' and amr && array['SSO', 'SSO_MFA']))
 where amr && array['SSO', 'SSO_MFA', 'DEVICE'];
update second_factors f set vouched_by = coalesce(
    (select s.organization_id from sessions s where s.id = f.enrolled_in limit 1),
    (select i.organization_id from sso_identities i where i.user_id = f.user_id order by i.created_at, i.id limit 1),
    (select m.organization_id from members m where m.user_id = f.user_id order by m.created_at, m.organization_id limit 1))
 where f.is_second_only
    or exists (select from sessions s where s.id = f.enrolled_in and s.amr && array['SSO', 'SSO_MFA'] and not s.amr && array['PASSWORD', 'MAIL_CODE'])
    or (exists (select from users u where u.id = f.user_id and u.password_hash is null)
        and exists (select from sso_identities i where i.user_id = f.user_id)
        and not exists (select from sessions s where s.id = f.enrolled_in));
update recovery_codes c set vouched_by = (select min(f.vouched_by) from second_factors f where f.user_id = c.user_id)
 where exists (select from second_factors f where f.user_id = c.user_id and f.confirmed_at is not null)
   and not exists (select from second_factors f where f.user_id = c.user_id and f.confirmed_at is not null and f.vouched_by is null);
alter table sso_identities force row level security;
alter table members force row level security;
alter table users force row level security;
alter table sessions force row level security;
alter table recovery_codes force row level security;
alter table second_factors force row level security;

alter table second_factors drop column is_second_only;
grant update (vouched_by) on second_factors to svc_app;
